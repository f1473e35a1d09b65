//! The exhaustive comparisons that take only seconds. `cargo xtask exhaustive` makes all of them.

use testkit::{embedded, exhaustive};
use textcodec::{Encoding, GB18030, GBK};

/// Bytes at the boundaries of some decoder's ranges.
const THIRDS: &[u8] =
    b"\x00$(09@AB\x5C~\x7F\x80\x81\x8E\x8F\x9F\xA0\xA1\xBB\xBF\xC2\xD8\xDC\xDF\xE0\xEF\xFC\xFD\xFE\xFF";

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

#[test]
fn every_scalar_value_in_every_encoder() {
    for &encoding in Encoding::ALL {
        let has_encoder = encoding.output_encoding() == encoding;
        let expected = if has_encoder { 0x11_0000 - 0x800 } else { 0 };
        assert_eq!(exhaustive::scalar_values(encoding), expected, "{encoding}");
    }
}

#[test]
fn pairs_and_classes_of_bytes_within_dense_text() {
    let offsets = [0, 1, 31, 62];
    println!("within dense text: {} pairs", embedded::pairs(&offsets));
    println!("within dense text: {} triples", embedded::triples(&offsets[..2]));
    println!("within dense text: {} quadruples", embedded::quadruples(&offsets[..1]));
}
