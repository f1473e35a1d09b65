//! Sections 4.2 and 4.3: names and labels, output encodings.

use std::sync::LazyLock;

use crate::{
    codec,
    handler::{Decoder, Encoder},
    outside,
};

/// An encoding of the standard. The default is UTF-8.
///
/// <https://encoding.spec.whatwg.org/#encoding>
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Encoding(u8);

/// The constants are the rows of the table in section 4.2, in its order. A test compares them with the names.
impl Encoding {
    /// `UTF-8`
    pub const UTF_8: Self = Self(0);
    /// `IBM866`
    pub const IBM866: Self = Self(1);
    /// `ISO-8859-2`
    pub const ISO_8859_2: Self = Self(2);
    /// `ISO-8859-3`
    pub const ISO_8859_3: Self = Self(3);
    /// `ISO-8859-4`
    pub const ISO_8859_4: Self = Self(4);
    /// `ISO-8859-5`
    pub const ISO_8859_5: Self = Self(5);
    /// `ISO-8859-6`
    pub const ISO_8859_6: Self = Self(6);
    /// `ISO-8859-7`
    pub const ISO_8859_7: Self = Self(7);
    /// `ISO-8859-8`
    pub const ISO_8859_8: Self = Self(8);
    /// `ISO-8859-8-I`
    pub const ISO_8859_8_I: Self = Self(9);
    /// `ISO-8859-10`
    pub const ISO_8859_10: Self = Self(10);
    /// `ISO-8859-13`
    pub const ISO_8859_13: Self = Self(11);
    /// `ISO-8859-14`
    pub const ISO_8859_14: Self = Self(12);
    /// `ISO-8859-15`
    pub const ISO_8859_15: Self = Self(13);
    /// `ISO-8859-16`
    pub const ISO_8859_16: Self = Self(14);
    /// `KOI8-R`
    pub const KOI8_R: Self = Self(15);
    /// `KOI8-U`
    pub const KOI8_U: Self = Self(16);
    /// `macintosh`
    pub const MACINTOSH: Self = Self(17);
    /// `windows-874`
    pub const WINDOWS_874: Self = Self(18);
    /// `windows-1250`
    pub const WINDOWS_1250: Self = Self(19);
    /// `windows-1251`
    pub const WINDOWS_1251: Self = Self(20);
    /// `windows-1252`
    pub const WINDOWS_1252: Self = Self(21);
    /// `windows-1253`
    pub const WINDOWS_1253: Self = Self(22);
    /// `windows-1254`
    pub const WINDOWS_1254: Self = Self(23);
    /// `windows-1255`
    pub const WINDOWS_1255: Self = Self(24);
    /// `windows-1256`
    pub const WINDOWS_1256: Self = Self(25);
    /// `windows-1257`
    pub const WINDOWS_1257: Self = Self(26);
    /// `windows-1258`
    pub const WINDOWS_1258: Self = Self(27);
    /// `x-mac-cyrillic`
    pub const X_MAC_CYRILLIC: Self = Self(28);
    /// `GBK`
    pub const GBK: Self = Self(29);
    /// `gb18030`
    pub const GB18030: Self = Self(30);
    /// `Big5`
    pub const BIG5: Self = Self(31);
    /// `EUC-JP`
    pub const EUC_JP: Self = Self(32);
    /// `ISO-2022-JP`
    pub const ISO_2022_JP: Self = Self(33);
    /// `Shift_JIS`
    pub const SHIFT_JIS: Self = Self(34);
    /// `EUC-KR`
    pub const EUC_KR: Self = Self(35);
    /// `replacement`
    pub const REPLACEMENT: Self = Self(36);
    /// `UTF-16BE`
    pub const UTF_16BE: Self = Self(37);
    /// `UTF-16LE`
    pub const UTF_16LE: Self = Self(38);
    /// `x-user-defined`
    pub const X_USER_DEFINED: Self = Self(39);
}

impl Encoding {
    /// Returns all 40 encodings in the order of the standard.
    #[must_use]
    pub fn all() -> &'static [Self] {
        const ALL: [Encoding; 40] = {
            let mut all = [Encoding(0); 40];
            let mut row = 0;
            while row < all.len() {
                all[row] = Encoding(row as u8);
                row += 1;
            }
            all
        };
        &ALL
    }

    /// Returns all encodings of module [`crate::outside`].
    pub fn outside() -> impl Iterator<Item = Self> {
        (0..outside::NAMES.len()).map(|row| Self((Self::all().len() + row) as u8))
    }

    /// Returns whether this is an encoding of module [`crate::outside`], which has no labels.
    #[must_use]
    pub fn is_outside(self) -> bool {
        self.row() >= Self::all().len()
    }

    /// Returns the row in the table of section 4.2.
    pub(crate) fn row(self) -> usize {
        usize::from(self.0)
    }

    /// <https://encoding.spec.whatwg.org/#name>
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.row().checked_sub(Self::all().len()) {
            Some(row) => outside::NAMES[row],
            None => TABLE[self.row()].name,
        }
    }

    /// <https://encoding.spec.whatwg.org/#label>
    #[must_use]
    pub fn labels(self) -> &'static [&'static str] {
        TABLE.get(self.row()).map_or(&[], |row| &row.labels)
    }

    /// Returns whether this is one of the 28 encodings of section 9, which does not contain `x-user-defined`.
    #[must_use]
    pub fn is_single_byte(self) -> bool {
        (Self::IBM866.0..=Self::X_MAC_CYRILLIC.0).contains(&self.0)
    }

    /// Returns whether this is `UTF-16BE` or `UTF-16LE`, the standard's "UTF-16BE/LE".
    #[must_use]
    pub fn is_utf_16be_le(self) -> bool {
        self == Self::UTF_16BE || self == Self::UTF_16LE
    }

    /// Creates an instance of this encoding's decoder.
    #[must_use]
    pub fn decoder(self) -> Decoder {
        codec::decoder(self)
    }

    /// Creates an instance of this encoding's encoder. `replacement` and UTF-16BE/LE have none.
    #[must_use]
    pub fn encoder(self) -> Option<Encoder> {
        codec::encoder(self)
    }
}

/// "Get an encoding" from a label. `None` is failure.
///
/// <https://encoding.spec.whatwg.org/#concept-encoding-get>
#[must_use]
pub fn get_an_encoding(label: &str) -> Option<Encoding> {
    let label = label.trim_matches(['\t', '\n', '\x0C', '\r', ' ']); // 1.
    let has_label = |encoding: &Encoding| encoding.labels().iter().any(|listed| listed.eq_ignore_ascii_case(label));
    Encoding::all().iter().copied().find(has_label) // 2.
}

/// "Get an output encoding".
///
/// <https://encoding.spec.whatwg.org/#get-an-output-encoding>
#[must_use]
pub fn get_an_output_encoding(encoding: Encoding) -> Encoding {
    if encoding == Encoding::REPLACEMENT || encoding.is_utf_16be_le() {
        return Encoding::UTF_8; // 1.
    }
    encoding // 2.
}

/// A row of the table in section 4.2.
struct Row {
    name: &'static str,
    labels: Vec<&'static str>,
}

const LABELS: &str = include_str!("../../../indexes/labels.txt");

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut table = Vec::new();
    for line in LABELS.lines().filter(|line| !line.starts_with('#')) {
        let (name, labels) = line.split_once(": ").expect("a name, a colon and labels");
        table.push(Row { name, labels: labels.split(' ').collect() });
    }
    table
});

/// Returns the SHA-256 in the header of the label table. It covers the lines `label TAB name LF`.
///
/// # Panics
///
/// If the file has no such header.
#[must_use]
pub fn labels_sha256() -> &'static str {
    LABELS.lines().find_map(|line| line.strip_prefix("# SHA-256: ")).expect("a header line with the SHA-256")
}
