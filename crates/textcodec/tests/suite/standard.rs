//! `hooks` compared with the oracle's section 6.

use spec_model::io_queue::IoQueue;
use testkit::{oracle, texts};
use textcodec::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, hooks};

/// Returns random bytes: a byte order mark or none, then well-formed or damaged text.
fn some_bytes(encoding: Encoding, random: &mut fastrand::Rng) -> Vec<u8> {
    const MARKS: [&[u8]; 6] = [b"", b"", b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF", b"\xEF\xBB"];
    let sentence: String = texts::SENTENCES[random.usize(..texts::SENTENCES.len())].chars().take(6).collect();
    let text = encoding.encode(&texts::representable(encoding, &sentence)).unwrap_or_default().into_owned();
    let text = if random.bool() { texts::damage(&text, random) } else { text };
    [MARKS[random.usize(..MARKS.len())], &text].concat()
}

#[test]
fn hooks_follow_section_6() {
    let random = &mut fastrand::Rng::with_seed(5);
    for _ in 0..400 {
        for &encoding in Encoding::ALL {
            let bytes = some_bytes(encoding, random);
            let queue = || IoQueue::from_list(bytes.clone());
            let new = IoQueue::new;
            let model = oracle::encoding(encoding);
            let text = |mut queue: IoQueue<char>| queue.to_list().into_iter().collect::<String>();
            assert_eq!(hooks::utf_8_decode(&bytes), text(spec_model::hooks::utf_8_decode(&mut queue(), new())));
            assert_eq!(
                hooks::utf_8_decode_without_bom(&bytes),
                text(spec_model::hooks::utf_8_decode_without_bom(&mut queue(), new()))
            );
            assert_eq!(
                hooks::utf_8_decode_without_bom_or_fail(&bytes).map(String::from),
                spec_model::hooks::utf_8_decode_without_bom_or_fail(&mut queue(), new()).map(text)
            );
            assert_eq!(encoding.decode(&bytes).text, text(spec_model::hooks::decode(&mut queue(), model, new())));
            assert_eq!(
                Encoding::for_bom(&bytes).map(|(encoding, _)| encoding.name()),
                spec_model::hooks::bom_sniff(&queue()).map(spec_model::Encoding::name)
            );
        }
    }
}

#[test]
fn encode_and_encode_or_fail_follow_section_6() {
    let random = &mut fastrand::Rng::with_seed(6);
    let everything: Vec<char> = texts::SENTENCES.concat().chars().chain("\u{E}\u{1B}¥‾".chars()).collect();
    for _ in 0..200 {
        let text: String = (0..12).map(|_| everything[random.usize(..everything.len())]).collect();
        for &encoding in Encoding::ALL {
            let output = encoding.output_encoding();
            let model = spec_model::get_an_output_encoding(oracle::encoding(encoding));
            assert_eq!(output.name(), model.name());
            let queue = || IoQueue::from_list(text.chars().collect::<Vec<_>>());
            let bytes = spec_model::hooks::encode(&mut queue(), model, IoQueue::new()).to_list();
            assert_eq!(*hooks::encode(&text, output).unwrap(), bytes);

            let mut ours = hooks::get_an_encoder(output).unwrap();
            let mut theirs = spec_model::hooks::get_an_encoder(model);
            let (mut rest, mut queue) = (text.as_str(), queue());
            loop {
                let mut bytes = Vec::new();
                let mut model_bytes = IoQueue::new();
                let failed = hooks::encode_or_fail(&mut rest, &mut ours, &mut bytes);
                let model_failed = spec_model::hooks::encode_or_fail(&mut queue, &mut theirs, &mut model_bytes);
                assert_eq!(failed.map(u32::from), model_failed, "{output} {text:?}");
                assert_eq!(bytes, model_bytes.to_list(), "{output} {text:?}");
                if failed.is_none() {
                    break;
                }
            }
        }
    }
}

#[test]
fn encode_or_fail_continues_after_an_error() {
    let mut encoder = hooks::get_an_encoder(textcodec::WINDOWS_1252).unwrap();
    let mut output = Vec::new();
    // After the end of its input, the encoder starts a new text.
    assert_eq!(hooks::encode_or_fail(&mut "abcdef", &mut encoder, &mut output), None);
    let mut queue = "a日bcd";
    assert_eq!(hooks::encode_or_fail(&mut queue, &mut encoder, &mut output), Some('日'));
    assert_eq!((queue, output.as_slice()), ("bcd", &b"abcdefa"[..]));
    assert_eq!(hooks::encode_or_fail(&mut queue, &mut encoder, &mut output), None);
    // A high surrogate before the queue is not part of the queue.
    encoder.push_utf16(&[0xD83D], &mut output).unwrap();
    let mut queue = "éyz";
    assert_eq!(hooks::encode_or_fail(&mut queue, &mut encoder, &mut output), Some('\u{FFFD}'));
    assert_eq!(queue, "éyz");
    // `encode_or_fail` ignores the encoder's policy, reports each unmappable character and continues after it.
    let mut encoder = textcodec::WINDOWS_1252.encoder();
    let mut queue = "日本";
    let failed: Vec<char> =
        std::iter::from_fn(|| hooks::encode_or_fail(&mut queue, &mut encoder, &mut output)).collect();
    assert_eq!(failed, ['日', '本']);
}

#[test]
fn hooks_return_errors_where_the_standard_asserts() {
    for encoding in [REPLACEMENT, UTF_16BE, UTF_16LE] {
        assert!(hooks::encode("a", encoding).is_err() && hooks::get_an_encoder(encoding).is_err());
    }
}

#[test]
fn utf_16_may_not_be_overridden_by_section_15() {
    for &encoding in Encoding::ALL {
        let is_utf_16 = matches!(encoding, UTF_16BE | UTF_16LE);
        assert_eq!(encoding.allows_override(), !is_utf_16);
    }
}

#[test]
fn single_byte_and_ascii_compatible_encodings() {
    let names = |is: fn(Encoding) -> bool| {
        let all = Encoding::ALL.iter().chain(Encoding::EXTRA).filter(|encoding| is(**encoding));
        all.map(|encoding| encoding.name()).collect::<Vec<_>>()
    };
    let single = names(Encoding::is_single_byte);
    assert_eq!((single.len(), single[0], single[27]), (31, "IBM866", "x-mac-cyrillic"));
    assert_eq!(single[28..], ["x-user-defined", "ISO-8859-1", "US-ASCII"]);
    let not_ascii = names(|encoding| !encoding.is_ascii_compatible());
    assert_eq!(not_ascii, ["ISO-2022-JP", "replacement", "UTF-16BE", "UTF-16LE"]);
}

#[test]
fn can_encode_and_repertoire_agree_with_the_encoder() {
    let random = &mut fastrand::Rng::with_seed(10);
    for &encoding in Encoding::ALL {
        for _ in 0..2000 {
            let character = random.char(..);
            let encoded = encoding.encode(&character.to_string()).is_ok();
            assert_eq!(encoding.can_encode(character), encoded, "{encoding} {character:?}");
        }
        let count: usize = encoding.repertoire().map(Iterator::count).sum();
        let expected = ('\0'..=char::MAX).filter(|&c| encoding.can_encode(c)).count();
        assert_eq!(count, expected, "{encoding}");
    }
    assert!(!ISO_2022_JP.can_encode('\u{1B}') && UTF_8.can_encode('\u{1B}'));
}
