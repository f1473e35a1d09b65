//! `Encoding`: labels, properties and one-shot calls.

use std::{borrow::Cow, collections::HashSet};

use fastrand::Rng;

use super::Pair;
use crate::{
    report::Report,
    texts::Texts,
    trio::{Trio, hex},
};

/// Compares the properties of each encoding.
pub(crate) fn properties(report: &mut Report) {
    let pairs: Vec<Pair> = Trio::all().into_iter().map(Pair::of).collect();
    for &Pair { ours, theirs } in &pairs {
        let our = (
            ours.name(),
            ours.can_encode_everything(),
            ours.is_ascii_compatible(),
            ours.is_single_byte(),
            ours.output_encoding().name(),
            format!("{ours:?}"),
        );
        let their = (
            theirs.name(),
            theirs.can_encode_everything(),
            theirs.is_ascii_compatible(),
            theirs.is_single_byte(),
            theirs.output_encoding().name(),
            format!("{theirs:?}"),
        );
        let comparison = report.comparison("drop-in: properties");
        comparison.case(theirs.name(), String::new, &our, &their, || their.clone());
        // Equality and hashing distinguish the encodings.
        let equal = pairs.iter().filter(|pair| pair.ours == ours).count();
        comparison.case(theirs.name(), || "equal to".into(), &equal, &1, || 1);
    }
    let distinct = pairs.iter().map(|pair| pair.ours).collect::<HashSet<_>>().len();
    report.comparison("drop-in: properties").case("all", || "hashes".into(), &distinct, &40, || 40);
}

/// Compares labels in any case, with insertions and deletions.
pub(crate) fn labels(report: &mut Report, seed: u64) {
    let rng = &mut Rng::with_seed(seed);
    let labels: Vec<&str> = textcodec::Encoding::ALL.iter().flat_map(|encoding| encoding.labels()).copied().collect();
    for n in 0..200_000 {
        let mut label = labels[n % labels.len()].as_bytes().to_vec();
        for _ in 0..n / labels.len() % 4 {
            let at = rng.usize(..=label.len());
            match rng.u8(..4) {
                0 => label.insert(at, b" \t\n\x0C\r\x0B\0\xA0"[rng.usize(..8)]),
                1 => label.make_ascii_uppercase(),
                2 if at < label.len() => drop(label.remove(at)),
                _ => label.insert(0, b' '),
            }
        }
        let name = |encoding: Option<&'static drop_in::Encoding>| encoding.map(drop_in::Encoding::name);
        let our =
            (name(drop_in::Encoding::for_label(&label)), name(drop_in::Encoding::for_label_no_replacement(&label)));
        let name = |encoding: Option<&'static encoding_rs::Encoding>| encoding.map(encoding_rs::Encoding::name);
        let their = (
            name(encoding_rs::Encoding::for_label(&label)),
            name(encoding_rs::Encoding::for_label_no_replacement(&label)),
        );
        let comparison = report.comparison("drop-in: labels");
        comparison.case("labels", || label.escape_ascii().to_string(), &our, &their, || their);
    }
}

/// Compares byte order marks and validated lengths for random inputs.
pub(crate) fn prefixes(report: &mut Report, seed: u64) {
    let rng = &mut Rng::with_seed(seed);
    for n in 0..400_000_u32 {
        let mut bytes: Vec<u8> = match n % 4 {
            0 => b"\xEF\xBB\xBF\xFE\xFF"[rng.usize(..5)..].to_vec(),
            1 => "añ日😀".repeat(rng.usize(..20)).into_bytes(),
            2 => (0..rng.usize(..9)).map(|_| rng.u8(..)).collect(),
            _ => vec![b'a'; rng.usize(..200)],
        };
        if !bytes.is_empty() {
            let at = rng.usize(..bytes.len());
            bytes[at] = rng.u8(..);
        }
        let our = (
            drop_in::Encoding::for_bom(&bytes).map(|(encoding, len)| (encoding.name(), len)),
            drop_in::Encoding::utf8_valid_up_to(&bytes),
            drop_in::Encoding::ascii_valid_up_to(&bytes),
            drop_in::Encoding::iso_2022_jp_ascii_valid_up_to(&bytes),
        );
        let their = (
            encoding_rs::Encoding::for_bom(&bytes).map(|(encoding, len)| (encoding.name(), len)),
            encoding_rs::Encoding::utf8_valid_up_to(&bytes),
            encoding_rs::Encoding::ascii_valid_up_to(&bytes),
            encoding_rs::Encoding::iso_2022_jp_ascii_valid_up_to(&bytes),
        );
        report.comparison("drop-in: prefixes").case("any", || hex(&bytes), &our, &their, || their);
    }
}

/// Compares the number of bytes that are compatible with Latin-1, for inputs with any byte at any position.
pub(crate) fn latin1(report: &mut Report, trio: Trio, seed: u64) {
    let (pair, rng) = (Pair::of(trio), &mut Rng::with_seed(seed));
    let decoders = (pair.ours.new_decoder_without_bom_handling(), pair.theirs.new_decoder_without_bom_handling());
    for n in 0..4096_u32 {
        let mut bytes = vec![b'a'; rng.usize(..200)];
        if n % 2 == 0 {
            bytes.fill_with(|| rng.u8(0xA0..));
        }
        if !bytes.is_empty() {
            let at = rng.usize(..bytes.len());
            bytes[at] = (n / 2) as u8;
        }
        let our =
            decoders.0.latin1_byte_compatible_up_to(&bytes).map(|len| without_ascii_at_the_end(pair, &bytes, len));
        let their = decoders.1.latin1_byte_compatible_up_to(&bytes);
        report.comparison("drop-in: latin1_byte_compatible_up_to").case(
            pair.name(),
            || hex(&bytes),
            &our,
            &their,
            || their,
        );
    }
}

/// Returns the length as encoding_rs counts it. This is an accepted difference: for a single-byte encoding, encoding_rs does
/// not count ASCII at the end of compatible bytes, although its documentation says that it does.
pub(crate) fn without_ascii_at_the_end(pair: Pair, bytes: &[u8], len: usize) -> usize {
    if !pair.theirs.is_single_byte() || pair.theirs == encoding_rs::X_USER_DEFINED || len < bytes.len() {
        return len;
    }
    bytes.iter().rposition(|byte| !byte.is_ascii()).map_or(0, |last| last + 1)
}

/// Returns a result in the form of [`decode`](encoding_rs::Encoding::decode), with the encoding used.
fn with<E>((text, had_errors): (Cow<'_, str>, bool), used: E) -> (Cow<'_, str>, E, bool) {
    (text, used, had_errors)
}

/// Returns a result of strict decoding in the same form.
fn strict<E>(text: Option<Cow<'_, str>>, used: E) -> (Cow<'_, str>, E, bool) {
    let had_errors = text.is_none();
    (text.unwrap_or_default(), used, had_errors)
}

/// Compares one-shot calls. The drop-in must borrow if encoding_rs does.
pub(crate) fn whole(report: &mut Report, trio: Trio, seed: u64) {
    let (pair, texts, rng) = (Pair::of(trio), Texts::new(trio), &mut Rng::with_seed(seed));
    let Pair { ours, theirs } = pair;
    for n in 0..4000 {
        let bytes = if n % 8 == 0 { vec![b'a'; rng.usize(..100)] } else { texts.bytes(rng) };
        let text = if n % 8 == 0 { "a".repeat(rng.usize(..100)) } else { texts.text(rng) };
        let our = [
            ours.decode(&bytes),
            with(ours.decode_with_bom_removal(&bytes), ours),
            with(ours.decode_without_bom_handling(&bytes), ours),
            strict(ours.decode_without_bom_handling_and_without_replacement(&bytes), ours),
        ];
        let their = [
            theirs.decode(&bytes),
            with(theirs.decode_with_bom_removal(&bytes), theirs),
            with(theirs.decode_without_bom_handling(&bytes), theirs),
            strict(theirs.decode_without_bom_handling_and_without_replacement(&bytes), theirs),
        ];
        for ((text, used, had_errors), (their_text, their_used, they_had)) in our.iter().zip(&their) {
            let comparison = report.comparison("drop-in: decode in one call");
            let our = (text, used.name(), had_errors);
            let their = (their_text, their_used.name(), they_had);
            comparison.case(pair.name(), || hex(&bytes), &our, &their, || their);
            let lost = matches!((text, their_text), (Cow::Owned(_), Cow::Borrowed(_)));
            comparison.case(pair.name(), || format!("borrowed: {}", hex(&bytes)), &lost, &false, || false);
        }
        let ((bytes, used, had_unmappables), (their_bytes, their_used, they_had)) =
            (ours.encode(&text), theirs.encode(&text));
        let our = (&*bytes, used.name(), had_unmappables);
        let their = (&*their_bytes, their_used.name(), they_had);
        let comparison = report.comparison("drop-in: encode in one call");
        comparison.case(pair.name(), || format!("{text:?}"), &our, &their, || their);
        let lost = matches!((&bytes, &their_bytes), (Cow::Owned(_), Cow::Borrowed(_)));
        comparison.case(pair.name(), || format!("borrowed: {text:?}"), &lost, &false, || false);
    }
}
