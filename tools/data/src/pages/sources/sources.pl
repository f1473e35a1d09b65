# Prints the single-byte tables of Perl's Encode, in the form that sources.py describes.
use strict;
use warnings;
use Encode ();

for my $argument (@ARGV) {
    my ($name) = $argument =~ /^perl:(.*)$/ or die "not an argument: $argument";
    my $encoding = Encode::find_encoding($name) or die "Encode has no $name";
    my @fields = map {
        my $byte = chr $_;
        my $text = eval { $encoding->decode($byte, Encode::FB_CROAK) };
        defined $text && length $text == 1 && ord $text != 0xFFFD ? sprintf "%04X", ord $text : "----";
    } 0 .. 255;
    print "$argument\t@fields\n";
}
