//! Headers of HTTP and of mail, as far as the examples need them.

/// The value of a header.
pub(crate) fn header<'a>(headers: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = headers.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// A parameter behind a header's value, such as `text/html; charset="euc-kr"`. A `;` within quotes separates nothing.
pub(crate) fn parameter<'a>(value: &'a str, name: &str) -> Option<&'a str> {
    let mut quoted = false;
    let parts = value.split(|character| {
        quoted ^= character == '"';
        character == ';' && !quoted
    });
    let mut parameters = parts.skip(1).filter_map(|part| part.split_once('='));
    let (_, value) = parameters.find(|(key, _)| key.trim().eq_ignore_ascii_case(name))?;
    Some(value.trim().trim_matches('"'))
}
