//! `textcodec detect` and `--from auto`: the library `textcodec-detect`, reading from files and pipes.

mod command;
mod guessing;
mod json;

use std::{
    borrow::Cow,
    io::{self, Read},
};

use textcodec_detect::{Confidence, DetectOptions, Detection, Detector, Evidence, Mixed, Per, text::why_not_text};

use crate::{input::fill, labels};

pub(crate) use command::{Arguments, run};
pub(crate) use guessing::Guessing;

/// The part of the text that is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The whole text.
    Whole,
    /// The start of a longer text, as in a pipe.
    Beginning,
}

/// Detects the encoding of text in one pass and in constant memory.
///
/// Reads the text to its end, or only the first block if it has a byte order mark.
///
/// # Errors
/// Returns the errors of reading.
pub(crate) fn detect(text: &mut dyn Read, extent: Extent, options: &DetectOptions) -> io::Result<Detection> {
    let mut detector = Detector::with(options.clone());
    let mut block = vec![0; START];
    while !detector.is_decided() {
        let len = fill(text, &mut block)?;
        detector.feed(&block[..len]);
        if len < START {
            break;
        }
    }
    Ok(match extent {
        Extent::Whole => detector.finish(),
        Extent::Beginning => detector.finish_partial(),
    })
}

/// The number of bytes that show whether a file is text, and whether it is what its byte order mark says: a block of the detector.
pub(crate) const START: usize = 64 * 1024;

/// Returns why a file does not look like text, as `detect` defines it, or `None`. Only its first block is examined.
pub(crate) fn why_binary(file: &mut dyn Read) -> io::Result<Option<String>> {
    let mut block = vec![0; START];
    let len = fill(file, &mut block)?;
    Ok(why_not_text(&block[..len], len < START))
}

/// Returns the evidence in one line, such as `declared by <meta charset="shift_jis"> at byte 113`.
pub(crate) fn why(detection: &Detection) -> Cow<'_, str> {
    let reason = detection.reason();
    match reason.strip_prefix("no guess was made") {
        Some(rest) if detection.evidence == Evidence::Fallback && cfg!(not(feature = "detect")) => {
            format!("this build cannot guess (it lacks the feature `detect`){rest}").into()
        }
        _ => reason.into(),
    }
}

/// Returns that an answer is uncertain, and what to do.
pub(crate) fn uncertain(detection: &Detection, why: &str, advice: &str) -> String {
    let Detection { encoding, confidence, .. } = detection;
    format!("the detected encoding, {encoding}, is uncertain ({confidence}: {why}); {advice}")
}

/// Returns what to do about an uncertain answer. `more` is an option that `-f` needs.
pub(crate) fn what_to_do(detection: &Detection, more: &str) -> String {
    let accept = format!("or accept this one with --min-confidence={}", detection.confidence);
    match mixed_list(detection) {
        Some(list) => {
            format!("`check -f {list}` names what is in which encoding, and -f {list} converts both; {accept}")
        }
        None => format!("give the encoding with -f{more}, {accept}"),
    }
}

/// Returns the list for `-f` that decodes text in two encodings, if bytes in one of them are rarely well-formed in the other.
fn mixed_list(detection: &Detection) -> Option<String> {
    let (one, other) = (detection.encoding, detection.mixed_with?);
    let (strict, rest) = if other.is_single_byte() { (one, other) } else { (other, one) };
    Mixed::new(&[strict, rest], Per::default_for(&[strict, rest])).ok()?;
    (!strict.is_single_byte()).then(|| format!("{},{}", labels::name(strict), labels::name(rest)))
}

/// Returns whether no evidence but the statistics of the text led to the result. In a build without guesses, this is the fallback.
pub(crate) fn is_guess(detection: &Detection) -> bool {
    matches!(detection.evidence, Evidence::Guess | Evidence::Fallback)
}

/// Returns whether the input is not text.
pub(crate) fn is_binary(detection: &Detection) -> bool {
    detection.confidence == Confidence::None
}

#[cfg(test)]
mod tests {
    use textcodec::SHIFT_JIS;

    use super::*;

    /// A reader that returns few bytes for each call, and is often interrupted.
    struct Chunks<'a>(&'a [u8], usize);

    impl Read for Chunks<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1.is_multiple_of(3) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let len = (self.1 * 7 % 1000 + 1).min(buffer.len());
            self.0.read(&mut buffer[..len])
        }
    }

    #[test]
    fn reads_of_any_size_give_the_same_result() {
        let lines = "今朝は雨が降っていました。\n".repeat(5000);
        let text = SHIFT_JIS.encode(&lines).unwrap();
        assert!(text.len() > START);
        for extent in [Extent::Whole, Extent::Beginning] {
            let whole = detect(&mut &text[..], extent, &DetectOptions::new()).unwrap();
            let chunks = detect(&mut Chunks(&text, 0), extent, &DetectOptions::new()).unwrap();
            assert_eq!(
                (chunks.encoding, chunks.reason(), chunks.bytes),
                (whole.encoding, whole.reason(), text.len() as u64)
            );
        }
    }

    #[test]
    fn only_the_first_block_is_read_after_a_byte_order_mark() {
        let text = [&b"\xEF\xBB\xBF"[..], &vec![b'a'; 3 * START]].concat();
        let mut reader = &text[..];
        assert_eq!(detect(&mut reader, Extent::Whole, &DetectOptions::new()).unwrap().bytes, START as u64);
        assert_eq!(reader.len(), text.len() - START);
    }
}
