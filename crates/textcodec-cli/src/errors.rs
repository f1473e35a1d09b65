//! Formats errors of the operating system for messages.

use std::io;

/// Returns what an error says, without the number that the operating system gives it: `Permission denied`.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match (error.raw_os_error(), text.rfind(" (os error ")) {
        (Some(_), Some(end)) => text[..end].to_owned(),
        _ => text,
    }
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
        assert_eq!(reason(&io::Error::from_raw_os_error(2)), "No such file or directory");
        assert_eq!(reason(&io::Error::other("is a (os error 2)")), "is a (os error 2)");
        assert_eq!(reason(&io::ErrorKind::IsADirectory.into()), "is a directory");
    }
}
