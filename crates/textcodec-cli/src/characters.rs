//! Formats characters and bytes for messages: code point, glyph, name and hexadecimal bytes.

use unicode_normalization::char::is_combining_mark;

/// Formats a character as `U+20AC '€' EURO SIGN`, or as `U+0009 CHARACTER TABULATION` if it is invisible.
pub(crate) fn describe(character: char) -> String {
    let shown = printable(character).map(|shown| format!(" '{shown}'")).unwrap_or_default();
    format!("{}{shown} {}", code_point(character), name(character))
}

/// Formats a code point as `U+20AC`.
pub(crate) fn code_point(character: char) -> String {
    format!("U+{:04X}", u32::from(character))
}

/// Formats bytes as `82 A0`.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// Returns the printable form of a character, with a dotted circle before a combining mark.
///
/// Returns `None` if the character is invisible or would affect the characters around it.
pub(crate) fn printable(character: char) -> Option<String> {
    if is_combining_mark(character) {
        return Some(format!("\u{25CC}{character}"));
    }
    match character {
        '\'' | '"' | '\\' | ' ' => Some(character.to_string()),
        // A character that `escape_debug` escapes is not printable, or not alone.
        _ => (character.escape_debug().count() == 1).then(|| character.to_string()),
    }
}

/// Returns the character's name in Unicode, or a description if it has none.
pub(crate) fn name(character: char) -> String {
    match u32::from(character) {
        0xFEFF => "ZERO WIDTH NO-BREAK SPACE (byte order mark)".to_owned(),
        control @ 0..=0x1F => CONTROLS[control as usize].to_owned(),
        control @ 0x7F..=0x9F => MORE_CONTROLS[control as usize - 0x7F].to_owned(),
        0xE000..=0xF8FF | 0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD => "private use".to_owned(),
        0xFDD0..=0xFDEF => "noncharacter".to_owned(),
        code_point if code_point & 0xFFFE == 0xFFFE => "noncharacter".to_owned(),
        _ => unicode_names2::name(character).map_or_else(|| "not assigned".to_owned(), |name| name.to_string()),
    }
}

/// U+0000 to U+001F. Control characters have no names in Unicode; these are its formal aliases.
const CONTROLS: [&str; 32] = [
    "NULL",
    "START OF HEADING",
    "START OF TEXT",
    "END OF TEXT",
    "END OF TRANSMISSION",
    "ENQUIRY",
    "ACKNOWLEDGE",
    "ALERT",
    "BACKSPACE",
    "CHARACTER TABULATION",
    "LINE FEED",
    "LINE TABULATION",
    "FORM FEED",
    "CARRIAGE RETURN",
    "SHIFT OUT",
    "SHIFT IN",
    "DATA LINK ESCAPE",
    "DEVICE CONTROL ONE",
    "DEVICE CONTROL TWO",
    "DEVICE CONTROL THREE",
    "DEVICE CONTROL FOUR",
    "NEGATIVE ACKNOWLEDGE",
    "SYNCHRONOUS IDLE",
    "END OF TRANSMISSION BLOCK",
    "CANCEL",
    "END OF MEDIUM",
    "SUBSTITUTE",
    "ESCAPE",
    "INFORMATION SEPARATOR FOUR",
    "INFORMATION SEPARATOR THREE",
    "INFORMATION SEPARATOR TWO",
    "INFORMATION SEPARATOR ONE",
];

/// U+007F to U+009F.
const MORE_CONTROLS: [&str; 33] = [
    "DELETE",
    "PADDING CHARACTER",
    "HIGH OCTET PRESET",
    "BREAK PERMITTED HERE",
    "NO BREAK HERE",
    "INDEX",
    "NEXT LINE",
    "START OF SELECTED AREA",
    "END OF SELECTED AREA",
    "CHARACTER TABULATION SET",
    "CHARACTER TABULATION WITH JUSTIFICATION",
    "LINE TABULATION SET",
    "PARTIAL LINE FORWARD",
    "PARTIAL LINE BACKWARD",
    "REVERSE LINE FEED",
    "SINGLE SHIFT TWO",
    "SINGLE SHIFT THREE",
    "DEVICE CONTROL STRING",
    "PRIVATE USE ONE",
    "PRIVATE USE TWO",
    "SET TRANSMIT STATE",
    "CANCEL CHARACTER",
    "MESSAGE WAITING",
    "START OF GUARDED AREA",
    "END OF GUARDED AREA",
    "START OF STRING",
    "SINGLE GRAPHIC CHARACTER INTRODUCER",
    "SINGLE CHARACTER INTRODUCER",
    "CONTROL SEQUENCE INTRODUCER",
    "STRING TERMINATOR",
    "OPERATING SYSTEM COMMAND",
    "PRIVACY MESSAGE",
    "APPLICATION PROGRAM COMMAND",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_characters_are_shown_and_others_only_named() {
        assert_eq!(describe('€'), "U+20AC '€' EURO SIGN");
        assert_eq!(describe('日'), "U+65E5 '日' CJK UNIFIED IDEOGRAPH-65E5");
        assert_eq!(describe('한'), "U+D55C '한' HANGUL SYLLABLE HAN");
        assert_eq!(describe('\u{301}'), "U+0301 '\u{25CC}\u{301}' COMBINING ACUTE ACCENT");
        assert_eq!(describe(' '), "U+0020 ' ' SPACE");
        assert_eq!(describe('\''), "U+0027 ''' APOSTROPHE");
        assert_eq!(describe('\n'), "U+000A LINE FEED");
        assert_eq!(describe('\u{1F}'), "U+001F INFORMATION SEPARATOR ONE");
        assert_eq!(describe('\u{85}'), "U+0085 NEXT LINE");
        assert_eq!(describe('\u{9F}'), "U+009F APPLICATION PROGRAM COMMAND");
        assert_eq!(describe('\u{A0}'), "U+00A0 NO-BREAK SPACE");
        // It would reverse the rest of the line.
        assert_eq!(describe('\u{202E}'), "U+202E RIGHT-TO-LEFT OVERRIDE");
        assert_eq!(describe('\u{E000}'), "U+E000 private use");
        assert_eq!(describe('\u{FFFE}'), "U+FFFE noncharacter");
        assert_eq!(describe('\u{378}'), "U+0378 not assigned");
    }
}
