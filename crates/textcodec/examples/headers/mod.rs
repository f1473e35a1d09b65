//! A minimal parser for the headers of HTTP and mail.

/// Returns the value of a header.
pub(crate) fn header<'a>(headers: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = headers.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// Returns a parameter of a header, such as `charset` in `text/html; charset="euc-kr"`. A `;` within quotes is not a separator.
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
