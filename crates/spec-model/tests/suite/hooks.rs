//! Section 6.

use spec_model::{
    Encoding,
    hooks::{
        bom_sniff, decode, encode, encode_or_fail, get_an_encoder, utf_8_decode, utf_8_decode_without_bom,
        utf_8_decode_without_bom_or_fail, utf_8_encode,
    },
    io_queue::{IoQueue, Item},
};

fn queue(bytes: &[u8]) -> IoQueue<u8> {
    IoQueue::from_list(bytes.iter().copied())
}

fn text(mut output: IoQueue<char>) -> String {
    output.to_list().iter().collect()
}

#[test]
fn utf_8_decode_removes_one_bom() {
    let bytes = b"\xEF\xBB\xBF\xEF\xBB\xBF\xFF";
    assert_eq!(text(utf_8_decode(&mut queue(bytes), IoQueue::new())), "\u{FEFF}\u{FFFD}");
    assert_eq!(text(utf_8_decode(&mut queue(b"\xFE\xFF"), IoQueue::new())), "\u{FFFD}\u{FFFD}");
}

#[test]
fn utf_8_decode_without_bom_keeps_it() {
    let bytes = b"\xEF\xBB\xBFa\xFF";
    assert_eq!(text(utf_8_decode_without_bom(&mut queue(bytes), IoQueue::new())), "\u{FEFF}a\u{FFFD}");
}

#[test]
fn utf_8_decode_without_bom_or_fail_fails() {
    assert_eq!(utf_8_decode_without_bom_or_fail(&mut queue(b"a\xFF"), IoQueue::new()), None);
    let output = utf_8_decode_without_bom_or_fail(&mut queue(b"\xEF\xBB\xBFa"), IoQueue::new());
    assert_eq!(text(output.unwrap()), "\u{FEFF}a");
}

#[test]
fn decoding_appends_to_the_output() {
    let mut output = IoQueue::new();
    output.push(Item::Value('x'));
    assert_eq!(text(utf_8_decode(&mut queue(b"a"), output)), "xa");
}

#[test]
fn bom_sniff_reads_nothing() {
    for (bytes, encoding) in [
        (&b"\xEF\xBB\xBF"[..], Some(Encoding::UTF_8)),
        (b"\xFE\xFF", Some(Encoding::UTF_16BE)),
        (b"\xFF\xFE\0\0", Some(Encoding::UTF_16LE)),
        (b"\xEF\xBB", None),
        (b"\xFE", None),
        (b"a\xFE\xFF", None),
        (b"", None),
    ] {
        let mut queue = queue(bytes);
        assert_eq!(bom_sniff(&queue), encoding);
        assert_eq!(queue.to_list(), bytes);
    }
}

#[test]
fn decode_prefers_the_bom_to_the_fallback() {
    assert_eq!(text(decode(&mut queue(b"\xEF\xBB\xBF\xC3\x80"), Encoding::UTF_16LE, IoQueue::new())), "\u{C0}");
    assert_eq!(text(decode(&mut queue(b"\xFE\xFF\0a"), Encoding::UTF_8, IoQueue::new())), "a");
    assert_eq!(text(decode(&mut queue(b"\xFF\xFEa\0"), Encoding::REPLACEMENT, IoQueue::new())), "a");
    assert_eq!(text(decode(&mut queue(b"\x80"), Encoding::WINDOWS_1252, IoQueue::new())), "\u{20AC}");
}

#[test]
fn encode_uses_html_mode() {
    let mut input = IoQueue::from_list("\u{A5}\u{1F4A9}".chars());
    assert_eq!(encode(&mut input, Encoding::SHIFT_JIS, IoQueue::new()).to_list(), b"\x5C&#128169;");
    let mut input = IoQueue::from_list("\u{1F4A9}".chars());
    assert_eq!(utf_8_encode(&mut input, IoQueue::new()).to_list(), b"\xF0\x9F\x92\xA9");
}

#[test]
fn encode_or_fail_returns_the_code_point_and_continues() {
    let mut encoder = get_an_encoder(Encoding::WINDOWS_1252);
    let mut input = IoQueue::from_list("a\u{1F4A9}b".chars());
    let mut output = IoQueue::new();
    assert_eq!(encode_or_fail(&mut input, &mut encoder, &mut output), Some(0x1_F4A9));
    assert_eq!(output.to_list(), b"a");
    let mut output = IoQueue::new();
    assert_eq!(encode_or_fail(&mut input, &mut encoder, &mut output), None);
    assert_eq!(output.to_list(), b"b");
}

#[test]
#[should_panic(expected = "no encoder")]
fn get_an_encoder_asserts() {
    let _ = get_an_encoder(Encoding::UTF_16LE);
}
