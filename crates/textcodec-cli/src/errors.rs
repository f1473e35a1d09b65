//! Formats errors of the operating system for messages.

use std::io;

/// Returns what an error says, without the number that the operating system gives it: `Permission denied`.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    // On Windows, these texts are sentences.
    if error.raw_os_error().is_some() { before_number(&text).trim_end_matches('.').to_owned() } else { text }
}

/// Like [`reason`], for an error to which a library has added the name of a temporary file after the number.
pub(crate) fn reason_without_name(error: &io::Error) -> String {
    before_number(&error.to_string()).trim_end_matches('.').to_owned()
}

fn before_number(text: &str) -> &str {
    text.split_once(" (os error ").map_or(text, |(reason, _)| reason)
}

/// Returns an error and its causes in one line.
pub(crate) fn describe(error: &anyhow::Error) -> String {
    let parts: Vec<_> =
        error.chain().map(|cause| cause.downcast_ref().map_or_else(|| cause.to_string(), reason)).collect();
    parts.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_an_error_is_not_printed() {
        let missing = reason(&io::Error::from_raw_os_error(2));
        assert!(!missing.contains("os error") && !missing.ends_with('.'), "{missing}");
        if cfg!(unix) {
            assert_eq!(missing, "No such file or directory");
        }
        assert_eq!(reason(&io::Error::other("is a (os error 2)")), "is a (os error 2)");
        assert_eq!(reason(&io::ErrorKind::IsADirectory.into()), "is a directory");
    }
}
