//! What distinguishes text from other bytes, and text in one encoding from text in another.

use alloc::string::{String, ToString};

use textcodec_language::Model;

use crate::{
    detection::Confidence,
    detector::{BLOCK, Detector},
    format, trial,
};

pub use crate::format::Format;

/// Returns why bytes do not look like text, as [`detect`](crate::detect) defines it, or `None` if they do.
///
/// This is a quick test for the start of a file. It looks for the signature of a known [`Format`]. Detection runs only if there are
/// control characters that text does not have.
/// At most the first 64 KiB are examined. `is_whole` says that `start` is the whole text.
///
/// ```
/// use textcodec_detect::text::why_not_text;
///
/// assert_eq!(why_not_text(b"text", true), None);
/// assert_eq!(why_not_text(b"t\0e\0x\0t\0 \0i\0n\0 \0U\0T\0F\0-\01\06\0", true), None);
/// assert_eq!(why_not_text(b"\x7FELF\x02\x01\x01\0", true).unwrap(), "looks like an ELF program or library");
/// assert!(why_not_text(b"\x7FXYZ\x02\x01\x01\0", true).unwrap().starts_with("does not look like text"));
/// ```
#[must_use]
pub fn why_not_text(start: &[u8], is_whole: bool) -> Option<String> {
    let block = &start[..start.len().min(BLOCK)];
    if let Some(format) = format::of_signature(block) {
        return Some(format.to_string());
    }
    // The compiler vectorizes a loop without an early exit.
    let has_odd_controls =
        block.chunks(1024).any(|chunk| chunk.iter().fold(false, |found, &byte| found | is_odd_control(byte)));
    if !has_odd_controls {
        return None;
    }
    let mut detector = Detector::new();
    detector.feed(block);
    let is_whole = is_whole && block.len() == start.len();
    let detection = if is_whole { detector.finish() } else { detector.finish_partial() };
    (detection.confidence == Confidence::None).then_some(detection.reason)
}

/// Returns whether a byte is an ASCII control character that text does not have: all except backspace, white space, and escape,
/// which belongs to terminals and ISO-2022-JP.
///
/// ```
/// use textcodec_detect::text::is_odd_control;
///
/// assert!(is_odd_control(0) && is_odd_control(0x7F));
/// assert!(!is_odd_control(b'\t') && !is_odd_control(b'a') && !is_odd_control(0x80));
/// ```
#[must_use]
pub fn is_odd_control(byte: u8) -> bool {
    trial::is_odd_control(byte)
}

/// Returns the number of UTF-16 code units of a text that rarely occur in text: control characters, private use, unassigned
/// code points, and blocks that are rarely used but frequent in text that was decoded with a wrong encoding.
///
/// ```
/// use textcodec::{UTF_16BE, UTF_16LE};
/// use textcodec_detect::text::unlikely_units;
///
/// let bytes = UTF_16LE.encode("à la carte")?;
/// assert_eq!(unlikely_units(&UTF_16LE.decode(&bytes).text), 0);
/// assert!(unlikely_units(&UTF_16BE.decode(&bytes).text) > 0);
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[must_use]
pub fn unlikely_units(text: &str) -> usize {
    trial::unlikely(text)
}

/// Returns how unlikely text is: the negative natural logarithm of its frequency, times 16.
///
/// Bytes that can be read in two encodings are more likely in the one in which they are the cheaper text: if the costs differ by 16,
/// e times as likely, by 32, e² times.
///
/// ```
/// use textcodec::{KOI8_R, UTF_16LE, WINDOWS_1251};
/// use textcodec_detect::text::cost;
///
/// let bytes = WINDOWS_1251.encode("привет")?;
/// let [right, wrong] = [WINDOWS_1251, UTF_16LE].map(|encoding| cost(&encoding.decode(&bytes).text));
/// assert!(right + 160 < wrong);
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[must_use]
pub fn cost(text: &str) -> u64 {
    let cost = Model::all().map(|model| model.cost_of(text)).min();
    cost.unwrap_or_default().into()
}
