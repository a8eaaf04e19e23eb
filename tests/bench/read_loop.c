/* The floor for reading a capture: read(2) into one buffer until the end.
 * read_loop FILE [BUFFER-KIB]; prints bytes. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	size_t size = (argc > 2 ? strtoul(argv[2], NULL, 10) : 1024) << 10;
	char *buffer = malloc(size);
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	if (fd < 0 || !buffer) {
		fprintf(stderr, "usage: read_loop FILE [BUFFER-KIB]\n");
		return 2;
	}
	unsigned long long bytes = 0;
	ssize_t n;
	while ((n = read(fd, buffer, size)) > 0)
		bytes += (unsigned long long)n;
	printf("bytes %llu\n", bytes);
	free(buffer);
	close(fd);
	return n < 0;
}
