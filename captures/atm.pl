#!/usr/bin/perl
# Writes the first frames of default-atm.pcapng as ATM captures have them, without
# Ethernet: the same IP packets, so the same report but for what lies around them.
#   cd captures && ./atm.pl          atm-{rfc1483,clip,sunatm,sunatm-lane}.pcap
use strict;
use warnings;

use constant { FRAMES => 100, ETHERNET => 14, SECTION => 0x0a0d0d0a, PACKET => 6 };

my $llc = pack 'H*', 'aaaa030000000800';    # RFC 1483, routed IPv4
my $lane = pack 'H*', '0010' . '020000000001' . '020000000002' . '0800';
# SunATM: direction and type, VPI, VCI; by the way the packet goes
my %link = (
	'rfc1483'     => [100, sub { $llc }],
	'clip'        => [106, sub { '' }],
	'sunatm'      => [123, sub { pack('CCn', 2 | $_[0] << 7, 0, 100) . $llc }],
	'sunatm-lane' => [123, sub { pack('CCn', 1 | $_[0] << 7, 3, 200) . $lane }],
);

sub frames {
	local $/;
	open my $in, '<:raw', 'default-atm.pcapng' or die "default-atm.pcapng: $!\n";
	my ($file, @frames) = (<$in>);
	for (my $at = 0 ; $at + 12 <= length $file && @frames < FRAMES ;) {
		my ($type, $size) = unpack 'VV', substr $file, $at;
		if ($type == PACKET) {
			my (undef, $high, $low, $kept, $len) = unpack 'V5', substr $file, $at + 8;
			push @frames, [$high << 32 | $low, $len, substr $file, $at + 28, $kept];
		}
		$at += $size;
	}
	return @frames;
}

my $server = pack 'C4', 10, 77, 2, 1;
my @frames = frames();
for my $name (sort keys %link) {
	my ($type, $before) = @{ $link{$name} };
	open my $out, '>:raw', "atm-$name.pcap" or die "atm-$name.pcap: $!\n";
	print $out pack 'VvvVVVV', 0xa1b23c4d, 2, 4, 0, 0, 262144, $type;
	for (@frames) {
		my ($ns, $len, $bytes) = @$_;
		my $ip = substr $bytes, ETHERNET;
		my $head = $before->(substr($ip, 12, 4) eq $server ? 1 : 0);
		my $more = length($head) - ETHERNET;
		print $out pack('V4', int($ns / 1e9), $ns % 1000000000, length($head . $ip), $len + $more), $head, $ip;
	}
	close $out or die "atm-$name.pcap: $!\n";
}
