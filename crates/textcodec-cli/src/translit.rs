//! Stub.
use textcodec::Encoding;
pub(crate) fn transliterate(_c: char, _to: Encoding) -> Option<String> {
    None
}
