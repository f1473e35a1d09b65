# Like witness.py, by Perl's Encode: `witness.pl ENCODING decode|encode`.
use strict;
use warnings;
use Encode;

my ($name, $direction) = @ARGV;
my $encoding = Encode::find_encoding($name) or die $name;
while (my $line = <STDIN>) {
    chomp $line;
    my $data = pack 'H*', $line;
    my $result = eval {
        $direction eq 'decode'
            ? join '', map { sprintf '%08x', ord } split //, $encoding->decode($data, Encode::FB_CROAK)
            : unpack 'H*', $encoding->encode(Encode::decode('UTF-32BE', $data), Encode::FB_CROAK);
    };
    print defined $result ? "=$result\n" : "!\n";
}
