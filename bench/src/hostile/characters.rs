//! Classes of characters to encode: mappable, unmappable, and unpaired surrogates.

use super::classes::{
    Class, Classes,
    Kind::{Ascii, Bad, Common, Rare},
    class, of,
};

const ASCII: Class<u16> = class("ascii", Ascii, &['a' as u16]);
const EMOJI: Class<u16> = class("emoji", Bad, &[0xD83D, 0xDE00]);
const HIGH: Class<u16> = class("high", Bad, &[0xD83D]);
const LOW: Class<u16> = class("low", Bad, &[0xDE00]);
const LATIN: Class<u16> = class("unmappable-latin", Bad, &['ñ' as u16]);
const HAN: Class<u16> = class("unmappable-han", Bad, &['丂' as u16]);
const HANGUL: Class<u16> = class("unmappable-hangul", Bad, &['가' as u16]);
const CYRILLIC: Class<u16> = class("unmappable-cyrillic", Bad, &['я' as u16]);
const PRIVATE: Class<u16> = class("unmappable-private", Bad, &[0xE5E5]);
const CONTROL: Class<u16> = class("c1", Rare, &[0x80]);

/// Encodings with an encoder, similar to [`super::classes::ALL`].
pub(crate) const ALL: [Classes<u16>; 17] = [
    of(
        "UTF-8",
        &[
            ASCII,
            class("two", Common, &['é' as u16]),
            class("three", Common, &['中' as u16]),
            class("four", Rare, &[0xD83D, 0xDE00]),
            class("low-high", Bad, &[0xDE00, 0xD83D]),
            HIGH,
            LOW,
        ],
    ),
    of(
        "windows-1252",
        &[
            ASCII,
            class("letter", Common, &['é' as u16]),
            class("euro", Rare, &['€' as u16]),
            HAN,
            CYRILLIC,
            EMOJI,
            HIGH,
            LOW,
        ],
    ),
    of(
        "windows-1253",
        &[
            ASCII,
            class("letter", Common, &['α' as u16]),
            class("euro", Rare, &['€' as u16]),
            HAN,
            LATIN,
            EMOJI,
            HIGH,
            LOW,
        ],
    ),
    of(
        "windows-874",
        &[
            ASCII,
            class("letter", Common, &['ก' as u16]),
            class("euro", Rare, &['€' as u16]),
            HAN,
            LATIN,
            EMOJI,
            HIGH,
            LOW,
        ],
    ),
    of(
        "windows-1255",
        &[
            ASCII,
            class("letter", Common, &['א' as u16]),
            class("shekel", Rare, &['₪' as u16]),
            HAN,
            LATIN,
            EMOJI,
            HIGH,
            LOW,
        ],
    ),
    of("ISO-8859-6", &[ASCII, class("letter", Common, &['ا' as u16]), CONTROL, HAN, LATIN, EMOJI, HIGH, LOW]),
    of("ISO-8859-8", &[ASCII, class("letter", Common, &['א' as u16]), CONTROL, HAN, LATIN, EMOJI, HIGH, LOW]),
    of(
        "KOI8-U",
        &[
            ASCII,
            class("letter", Common, &['п' as u16]),
            class("box", Rare, &['─' as u16]),
            HAN,
            LATIN,
            EMOJI,
            HIGH,
            LOW,
        ],
    ),
    of(
        "macintosh",
        &[
            ASCII,
            class("letter", Common, &['é' as u16]),
            class("apple", Rare, &[0xF8FF]),
            HAN,
            CYRILLIC,
            EMOJI,
            HIGH,
            LOW,
        ],
    ),
    of("x-user-defined", &[ASCII, class("private", Common, &[0xF780]), HAN, LATIN, PRIVATE, EMOJI, HIGH, LOW]),
    of(
        "Big5",
        &[
            ASCII,
            class("pair", Common, &['中' as u16]),
            class("box", Rare, &['═' as u16]),
            class("plane-2", Rare, &[0xD85E, 0xDE84]),
            class("unmappable-plane-2", Bad, &[0xD85C, 0xDE67]),
            HANGUL,
            LATIN,
            PRIVATE,
            EMOJI,
            HIGH,
            LOW,
        ],
    ),
    of(
        "EUC-JP",
        &[
            ASCII,
            class("pair", Common, &['あ' as u16]),
            class("half-width", Rare, &['ｱ' as u16]),
            class("yen", Rare, &['¥' as u16]),
            class("minus", Rare, &['−' as u16]),
            HAN,
            HANGUL,
            LATIN,
            EMOJI,
            HIGH,
            LOW,
        ],
    ),
    of(
        "EUC-KR",
        &[
            ASCII,
            class("pair", Common, &['가' as u16]),
            class("pair-ascii-trail", Rare, &['갂' as u16]),
            class("hanja", Rare, &['伽' as u16]),
            HAN,
            LATIN,
            EMOJI,
            HIGH,
            LOW,
        ],
    ),
    of(
        "GBK",
        &[
            ASCII,
            class("pair", Common, &['啊' as u16]),
            class("pair-ascii-trail", Rare, &['丂' as u16]),
            class("euro", Rare, &['€' as u16]),
            HANGUL,
            LATIN,
            PRIVATE,
            EMOJI,
            HIGH,
            LOW,
        ],
    ),
    of(
        "gb18030",
        &[
            ASCII,
            class("pair", Common, &['啊' as u16]),
            class("pair-ascii-trail", Rare, &['丂' as u16]),
            class("hangul", Rare, &['가' as u16]),
            class("vietnamese", Rare, &['ạ' as u16]),
            class("short-range", Rare, &['¥' as u16]),
            class("emoji", Rare, &[0xD83D, 0xDE00]),
            PRIVATE,
            HIGH,
            LOW,
        ],
    ),
    of(
        "Shift_JIS",
        &[
            ASCII,
            class("pair", Common, &['あ' as u16]),
            class("pair-ascii-trail", Common, &['ソ' as u16]),
            class("half-width", Rare, &['ｱ' as u16]),
            class("yen", Rare, &['¥' as u16]),
            class("c1", Rare, &[0x80]),
            HAN,
            HANGUL,
            LATIN,
            EMOJI,
            HIGH,
            LOW,
        ],
    ),
    of(
        "ISO-2022-JP",
        &[
            ASCII,
            class("pair", Common, &['あ' as u16]),
            class("half-width", Rare, &['ｱ' as u16]),
            class("yen", Rare, &['¥' as u16]),
            class("minus", Rare, &['−' as u16]),
            class("esc", Bad, &[0x1B]),
            class("shift-out", Bad, &[0x0E]),
            HAN,
            HANGUL,
            LATIN,
            EMOJI,
            HIGH,
            LOW,
        ],
    ),
];

#[cfg(test)]
mod tests {
    use textcodec::{Encoding, Unmappable};

    use super::*;

    #[test]
    fn only_bad_classes_are_unmappable() {
        for Classes { encoding, all, .. } in ALL {
            let ours = Encoding::for_label(encoding).unwrap();
            for Class { name, kind, units } in all {
                let encoded = ours.encode_from_utf16_with(units, Unmappable::Skip).unwrap();
                let bad = encoded.errors.count() > 0 || encoded.unpaired_surrogates > 0;
                assert_eq!(bad, *kind == Bad, "{encoding} {name}");
            }
        }
    }
}
