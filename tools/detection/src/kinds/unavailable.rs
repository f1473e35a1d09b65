//! Text in encodings that are not detected.

use super::{Maker, Truth, encode, encoding, in_repertoire};

/// Languages and encodings. KOI8-RU, KZ-1048 and others are near an encoding that is detected.
const PAIRS: [(&str, &str); 50] = [
    ("kk", "PTCP154"),
    ("kk", "KZ-1048"),
    ("tg", "KOI8-T"),
    ("vi", "VISCII"),
    ("vi", "TCVN5712-1"),
    ("bg", "MIK"),
    ("fr", "NEXTSTEP"),
    ("de", "NEXTSTEP"),
    ("es", "NEXTSTEP"),
    ("fr", "hp-roman8"),
    ("de", "hp-roman8"),
    ("sv", "hp-roman8"),
    ("fr", "DEC-MCS"),
    ("en", "IBM037"),
    ("en", "IBM1047"),
    ("de", "IBM273"),
    ("fr", "IBM297"),
    ("es", "IBM284"),
    ("it", "IBM280"),
    ("sv", "IBM278"),
    ("da", "IBM277"),
    ("fr", "IBM500"),
    ("de", "IBM01141"),
    ("ru", "IBM1025"),
    ("ru", "IBM880"),
    ("el", "IBM875"),
    ("tr", "IBM1026"),
    ("he", "IBM424"),
    ("pl", "IBM870"),
    ("uk", "IBM1123"),
    ("lt", "IBM1112"),
    ("ko", "JOHAB"),
    ("ko", "true-iso-2022-kr"),
    ("zh-CN", "true-hz"),
    ("de", "UTF-7"),
    ("fr", "UTF-7"),
    ("ja", "UTF-7"),
    ("ru", "UTF-7"),
    ("zh-CN", "UTF-7"),
    ("de", "UTF-32LE"),
    ("ja", "UTF-32BE"),
    ("ru", "UTF-32LE"),
    ("uk", "true-koi8-ru"),
    ("be", "true-koi8-ru"),
    ("de", "GSM_03.38"),
    ("is", "IBM871"),
    ("fi", "IBM01143"),
    ("hy", "ARMSCII-8"),
    ("ka", "GEORGIAN-ACADEMY"),
    ("ka", "GEORGIAN-PS"),
];

pub(super) fn unavailable(maker: &mut Maker<'_>) {
    for (language, name) in PAIRS {
        let encoding = encoding(name);
        maker.make(language, name, maker.count.div_ceil(PAIRS.len()), |random, source| {
            let len = random.size(30, 4000);
            let text = in_repertoire(&source.prose(random, len), encoding);
            let is_ascii = text.is_ascii() && encoding.is_ascii_compatible();
            (!is_ascii).then_some((encode(&text, encoding)?, Truth::Unavailable(Some(encoding))))
        });
    }
}
