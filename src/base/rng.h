/* Pseudo-random numbers that are the same on every machine for the same seed. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

/* One step of splitmix64 (Steele, Lea, Flood 2014): spreads any seed over 64 bits. */
static inline uint64_t rng_mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* xoshiro256++ (Blackman, Vigna 2019). */
struct rng {
	uint64_t s[4];
};

static inline struct rng rng_init(uint64_t seed)
{
	struct rng r;
	for (int i = 0; i < 4; i++)
		r.s[i] = seed = rng_mix(seed);
	return r;
}

static inline uint64_t rng_rotl(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

static inline uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s;
	uint64_t out = rng_rotl(s[0] + s[3], 23) + s[0];
	uint64_t t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rng_rotl(s[3], 45);
	return out;
}

/* A number below n (n >= 1), without the bias of a remainder (Lemire 2019). */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
	__extension__ typedef unsigned __int128 u128;
	for (;;) {
		u128 m = (u128)rng_next(r) * n;
		if ((uint64_t)m >= -n % n)
			return (uint64_t)(m >> 64);
	}
}

#endif
