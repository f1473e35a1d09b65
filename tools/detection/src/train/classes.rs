//! The kinds of characters.

use textcodec_language::{Group, LATIN};

/// The number of a group, as in the data. Signs have numbers after those that [`Group`] names.
pub(super) type Number = u8;

/// The groups of signs that the model distinguishes.
const SIGNS: [&[&str]; 31] = [
    &[".,;:!?"],
    &["'\""],
    &["([{<"],
    &[")]}>"],
    &["-"],
    &["/\\|_"],
    &["#$%&*+=@^~`"],
    &["€£¥¢¤₤₪₫₱₹฿₽₺₴₩"],
    &["°"],
    &["¹²³½¼¾⁰⁴-⁹₀-₉⅐-⅞ⁿ"],
    &["×÷±¬−"],
    &["§¶†‡"],
    &["©®™℠"],
    &["µ"],
    &["ªº"],
    &["„‚"],
    &["“‘«‹"],
    &["”’»›"],
    &["‐-―"],
    &["•·∙‧◦▪●○"],
    &["…"],
    &["¨¯´¸ˆ˜ˇ˘-˝ʹ-ʿ΄΅"],
    &["¡¿"],
    &["¦‰"],
    &["\u{AD}\u{200B}-\u{200F}\u{2028}-\u{202E}\u{2060}-\u{2069}\u{FEFF}"],
    &["∀-∑∓-∘∛-⋿⌂⌈-⌋◊⌐⌠⌡⍺"],
    &["←-⇿■-▨△-◉☀-➿"],
    &["\u{3000}-〿・ー"],
    &["！-～￠-￦"],
    &["№"],
    &["\u{FB50}-\u{FDFF}\u{FE70}-\u{FEFE}"],
];

/// The number of groups.
pub(super) const GROUPS: usize = FIRST_SIGN as usize + SIGNS.len() + 2;

const FIRST_SIGN: Number = 14;

/// Half of a surrogate pair represents all characters beyond the basic plane.
pub(super) const SUPPLEMENTARY: Number = FIRST_SIGN + SIGNS.len() as Number;

const OTHER: Number = SUPPLEMENTARY + 1;

/// Returns the group of a sign that is in the list.
pub(super) fn group_of_sign(c: char) -> Number {
    class(u32::from(c) as u16).0
}

/// Returns the group and the script of a code unit.
pub(super) fn class(unit: u16) -> (Number, u8) {
    let Some(c) = char::from_u32(unit.into()) else { return (SUPPLEMENTARY, 0) };
    match c {
        ' ' | '\t'..='\r' => (Group::Blank as u8, 0),
        '\0'..='\x1F' | '\x7F' => (Group::Control as u8, 0),
        '0'..='9' => (Group::Digit as u8, 0),
        '\u{80}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' | '\u{FFF0}'..='\u{FFFF}' => (Group::Never as u8, 0),
        '\u{A0}' => (Group::NoBreakSpace as u8, 0),
        '\u{2500}'..='\u{257F}' => (Group::Box as u8, 0),
        '\u{2580}'..='\u{259F}' | '■' => (Group::Block as u8, 0),
        '\u{FF61}'..='\u{FF9F}' => (Group::HalfKatakana as u8, 0),
        '\u{2000}'..='\u{200A}' | '\u{202F}' => (Group::Rare as u8, 0),
        _ => sign(c).map_or_else(|| letter(c), |sign| (FIRST_SIGN + sign, 0)),
    }
}

fn sign(c: char) -> Option<Number> {
    SIGNS.iter().position(|lists| lists.iter().any(|list| is_in(list, c))).map(|at| at as Number)
}

/// Returns whether a list has the character. `a-c` is a range, except for ASCII.
fn is_in(list: &str, c: char) -> bool {
    let characters: Vec<char> = list.chars().collect();
    let is_range = |three: &[char]| matches!(three, [low, '-', high] if !low.is_ascii() && *low <= c && c <= *high);
    characters.contains(&c) && (c != '-' || list == "-") || characters.windows(3).any(is_range)
}

fn letter(c: char) -> (Number, u8) {
    let script = match c {
        'A'..='z' | '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' | 'ﬀ'..='ﬆ' => LATIN,
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => 2,
        '\u{400}'..='\u{52F}' => 3,
        '\u{590}'..='\u{5FF}' => 4,
        '\u{600}'..='\u{6FF}' | '\u{750}'..='\u{77F}' => 5,
        '\u{E00}'..='\u{E7F}' => 6,
        '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' => 8,
        '\u{AC00}'..='\u{D7A3}' => 9,
        '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{A000}'..='\u{ABFF}' => return (Group::Rare as u8, 0),
        _ => 7,
    };
    let group = match c {
        _ if script >= 8 => Group::Wide,
        '\u{300}'..='\u{36F}'
        | '\u{591}'..='\u{5C7}'
        | '\u{610}'..='\u{61A}'
        | '\u{64B}'..='\u{65F}'
        | '\u{670}'
        | '\u{6D6}'..='\u{6DC}' => return (Group::Mark as u8, if script == 7 { LATIN } else { script }),
        _ if !c.is_alphabetic() && script != 5 && script != 6 => return (OTHER, 0),
        _ if c.is_lowercase() => Group::Lower,
        _ if c.is_uppercase() => Group::Upper,
        _ => Group::Caseless,
    };
    (group as u8, script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_is_in_one_group() {
        for unit in 0x21..0xFFFF {
            let Some(c) = char::from_u32(unit) else { continue };
            let lists = SIGNS.iter().filter(|lists| lists.iter().any(|list| is_in(list, c))).count();
            assert!(lists <= 1, "{c:?}");
        }
        assert_eq!(class('-' as u16).0, FIRST_SIGN + 4);
        assert_eq!(class('—' as u16).0, FIRST_SIGN + 18);
    }
}
