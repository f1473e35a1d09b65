//! The exhaustive comparisons that take only seconds. `cargo xtask exhaustive` makes all of them.

use testkit::{embedded, exhaustive};
use textcodec::{Encoding, GB18030, GBK};

/// A few third bytes: ASCII, bytes of escape sequences, trail bytes, and FF. `cargo xtask exhaustive` uses more.
const THIRDS: &[u8] = b"\x00(0A~\x80\xA1\xFF";

#[test]
fn every_input_of_two_bytes_and_many_of_three() {
    for &encoding in Encoding::ALL {
        let thirds = if encoding.is_single_byte() { &[] } else { THIRDS };
        println!("{encoding}: {} inputs", exhaustive::inputs(encoding, thirds));
    }
}

#[test]
fn every_four_byte_sequence_of_gb18030() {
    for encoding in [GB18030, GBK] {
        assert_eq!(exhaustive::four_byte_sequences(encoding), 126 * 10 * 126 * 10);
    }
}

/// No index has code points in other planes.
#[test]
fn every_scalar_value_of_three_planes_in_every_encoder() {
    for &encoding in Encoding::ALL {
        let has_encoder = encoding.output_encoding() == encoding;
        let expected = if has_encoder { 0x3_0000 - 0x800 } else { 0 };
        assert_eq!(exhaustive::scalar_values(encoding, 3), expected, "{encoding}");
    }
}

#[test]
fn pairs_and_classes_of_bytes_within_dense_text() {
    println!("within dense text: {} pairs", embedded::pairs(&[62]));
    println!("within dense text: {} triples", embedded::triples(&[1]));
    println!("within dense text: {} quadruples", embedded::quadruples(&[1]));
}
