//! The names of iconv, and their suffixes.
//!
//! Names are found in a hash table, because programs open a descriptor for each string.

use textcodec::{
    Alias, BIG5, EUC_JP, EUC_KR, Encoding, GBK, ISO_8859_2, ISO_8859_13, LATIN1, REPLACEMENT, SHIFT_JIS, US_ASCII,
    UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255,
    WINDOWS_1257, X_MAC_CYRILLIC, oem,
};

use crate::{
    form::{Form, Order},
    tables::{GLIBC, OTHER, PAGES, RENAMED},
};

/// The parts of a name that a program gives to `iconv_open`, such as `ASCII//TRANSLIT`.
///
/// ```
/// use textcodec_iconv::Request;
///
/// let request = Request::parse(b"ISO_8859-1:1987//TRANSLIT//IGNORE");
/// assert_eq!(request.form, textcodec_iconv::Form::for_name("latin1"));
/// assert!(request.transliterate && request.ignore && !request.discard);
/// assert!(Request::parse(b"IBM-1047/ZOS_UNIX").zos_unix);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a suffix")]
#[non_exhaustive]
pub struct Request {
    /// `None` if the name is unknown, or means the character set of the locale.
    pub form: Option<Form>,
    /// Whether the name is empty, or `char`, which mean the character set of the locale.
    pub is_empty: bool,
    /// Whether there is a suffix `//TRANSLIT`.
    pub transliterate: bool,
    /// Whether there is a suffix `//IGNORE`.
    pub ignore: bool,
    /// Whether there is a suffix `//NON_IDENTICAL_DISCARD`.
    pub discard: bool,
    /// Whether there is a suffix `/ZOS_UNIX` after the name of an encoding of EBCDIC, as in libiconv from version 1.18 on: U+000A is
    /// the byte 15, and U+0085 is 25. See [`Options::exchange_newlines`](crate::Options::exchange_newlines).
    pub zos_unix: bool,
}

impl Request {
    /// Parses a name with suffixes, as glibc does: suffixes are separated by slashes or commas, unknown ones have no effect,
    /// and upper and lower case are the same. A single slash is a part of the name, or its end, and so is a comma.
    #[must_use]
    pub fn parse(request: &[u8]) -> Self {
        let (name, suffixes) = request.split_at(end_of_name(request));
        let surface = name.windows(ZOS_UNIX.len()).position(|part| part.eq_ignore_ascii_case(ZOS_UNIX));
        // After it, libiconv accepts suffixes with a single slash.
        let (name, more) = name.split_at(surface.unwrap_or(name.len()));
        let folded = Folded::new(name);
        let is_empty = folded.as_ref().is_some_and(|folded| matches!(folded.bytes(), b"" | b"char"));
        let is_separator = |byte: &u8| matches!(byte, b'/' | b',');
        let suffixes = more.split(is_separator).chain(suffixes.split(is_separator)).map(<[u8]>::trim_ascii_end);
        let has = |suffix: &[u8]| suffixes.clone().any(|other| other.eq_ignore_ascii_case(suffix));
        let form = folded.filter(|_| !is_empty).and_then(|folded| TABLE.find(&folded));
        Self {
            form,
            is_empty,
            transliterate: has(b"TRANSLIT"),
            ignore: has(b"IGNORE"),
            discard: has(b"NON_IDENTICAL_DISCARD"),
            zos_unix: surface.is_some() && form.is_some_and(is_ebcdic),
        }
    }
}

/// The suffix for EBCDIC as in Unix on z/OS.
const ZOS_UNIX: &[u8] = b"/ZOS_UNIX";

/// Returns whether a form is an encoding of EBCDIC.
fn is_ebcdic(form: Form) -> bool {
    let Form::Encoding(encoding) = form else { return false };
    let mut characters = [0; 2];
    encoding.is_single_byte()
        && encoding.decoder().decode_to_utf16(b"\x25\x15", &mut characters, true).written == 2
        && characters == [0x0A, 0x85]
}

/// Returns whether glibc reads or writes anything else by a name, with or without suffixes, than this library does.
///
/// Apart from tag characters, which glibc drops in every encoding that lacks them: see [`Options`](crate::Options::skip_tags).
///
/// ```
/// use textcodec_iconv::conflicts_with_glibc;
///
/// assert!(conflicts_with_glibc(b"SHIFT_JIS//TRANSLIT"));
/// assert!(!conflicts_with_glibc(b"KOI8-R"));
/// ```
#[must_use]
pub fn conflicts_with_glibc(request: &[u8]) -> bool {
    let name = Folded::new(&request[..end_of_name(request)]);
    name.is_some_and(|name| CONFLICTS.lines().any(|other| other.as_bytes() == name.bytes()))
}

/// Returns where the suffixes of a name start.
fn end_of_name(request: &[u8]) -> usize {
    let is_end = |at: usize| request[at..].starts_with(b"//") || &request[at..] == b",";
    (0..request.len()).find(|&at| is_end(at)).unwrap_or(request.len())
}

impl Form {
    /// The maximum length of a name.
    pub const MAX_NAME_LEN: usize = 48;

    /// Returns the form of a name of iconv, without suffixes.
    ///
    /// These are the names of glibc and libiconv for forms that this library has, the standard's labels, those of [`Alias`], and
    /// those of code pages. Where the standard and iconv disagree about a name, iconv is right: `latin1` is ISO-8859-1 and not
    /// windows-1252. Upper and lower case are the same, and characters that are not in names, such as spaces, are ignored.
    ///
    /// A name of a code page that has another table in iconv is unknown: see [`other_table`](Self::other_table).
    ///
    /// ```
    /// use textcodec::{LATIN1, WINDOWS_1252, oem::IBM850};
    /// use textcodec_iconv::Form;
    ///
    /// assert_eq!(Form::for_name("ISO-8859-1"), Some(Form::Encoding(LATIN1)));
    /// assert_eq!(Form::for_name("CP1252"), Some(Form::Encoding(WINDOWS_1252)));
    /// assert_eq!(Form::for_name("850"), Some(Form::Encoding(IBM850)));
    /// ```
    #[must_use]
    pub fn for_name(name: impl AsRef<[u8]>) -> Option<Self> {
        TABLE.find(&Folded::new(name.as_ref())?)
    }

    /// Returns the name of the form in iconv: one of its [names](Self::names), and the encoding's own, unless that means something
    /// else in iconv.
    ///
    /// ```
    /// use textcodec::{KOI8_U, oem::IBM278};
    /// use textcodec_iconv::Form;
    ///
    /// assert_eq!(Form::MarkedUtf16.name(), "UTF-16");
    /// assert_eq!(Form::Encoding(IBM278).name(), "IBM-278");
    /// // KOI8-U is another table in glibc.
    /// assert_eq!(Form::Encoding(KOI8_U).name(), "KOI8-RU");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Encoding(oem::TRUE_HZ) => "HZ",
            Self::Encoding(oem::TRUE_ISO_2022_KR) => "ISO-2022-KR",
            Self::Encoding(encoding) => {
                let mut at = 0;
                while at < RENAMED.len() {
                    let (other, name) = RENAMED[at];
                    if equal(other.name().as_bytes(), encoding.name().as_bytes()) {
                        return name;
                    }
                    at += 1;
                }
                encoding.name()
            }
            Self::MarkedUtf16 => "UTF-16",
            Self::MarkedUtf32 => "UTF-32",
            Self::Utf32(Order::Little) => "UTF-32LE",
            Self::Utf32(Order::Big) => "UTF-32BE",
            Self::Ucs2(Order::Little) => "UCS-2LE",
            Self::Ucs2(Order::Big) => "UCS-2BE",
            Self::Utf7 => "UTF-7",
            Self::Utf7Imap => "UTF-7-IMAP",
        }
    }

    /// Returns the code page of a name that means another table in glibc or libiconv.
    ///
    /// Such a name is unknown to [`for_name`](Self::for_name), because no program that asks iconv for it should get another text.
    /// The code page has other names.
    ///
    /// ```
    /// use textcodec::oem::IBM278;
    /// use textcodec_iconv::Form;
    ///
    /// // glibc exchanges two bytes of this code page.
    /// assert_eq!((Form::for_name("CP278"), Form::other_table("CP278")), (None, Some(IBM278)));
    /// assert_eq!(Form::for_name("IBM-278"), Some(Form::Encoding(IBM278)));
    /// ```
    #[must_use]
    pub fn other_table(name: impl AsRef<[u8]>) -> Option<Encoding> {
        let name = Folded::new(name.as_ref())?;
        let is_name = |other: &&str| other.as_bytes() == name.bytes();
        OTHER.iter().find(|(_, names)| names.iter().any(&is_name)).map(|&(encoding, _)| encoding)
    }

    /// Returns all names, in lower case, with their forms. Some forms have many names.
    ///
    /// ```
    /// use textcodec_iconv::Form;
    ///
    /// assert!(Form::names().any(|(name, form)| name == "cp1252" && Form::for_name(name) == Some(form)));
    /// ```
    pub fn names() -> impl Iterator<Item = (&'static str, Self)> {
        TABLE.entries[..TABLE.len].iter().map(|&entry| {
            // All names are ASCII.
            (core::str::from_utf8(TABLE.bytes(entry)).unwrap_or_default(), entry.form)
        })
    }
}

/// A name in lower case, without the characters that names do not have.
struct Folded {
    bytes: [u8; Form::MAX_NAME_LEN],
    len: usize,
    hash: u32,
}

impl Folded {
    /// Returns `None` if the name is too long, so that it is unknown.
    fn new(name: &[u8]) -> Option<Self> {
        let mut folded = Self { bytes: [0; Form::MAX_NAME_LEN], len: 0, hash: HASH_START };
        for byte in name {
            if byte.is_ascii_alphanumeric() || b"-_.,:/".contains(byte) {
                let byte = byte.to_ascii_lowercase();
                *folded.bytes.get_mut(folded.len)? = byte;
                folded.len += 1;
                folded.hash = hash_with(folded.hash, byte);
            }
        }
        while let [.., b'/'] = folded.bytes() {
            folded.len -= 1;
            folded.hash = hash(folded.bytes());
        }
        Some(folded)
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

const HASH_START: u32 = 0x811C_9DC5;

/// Continues the hash FNV-1a.
const fn hash_with(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

const fn hash(name: &[u8]) -> u32 {
    let mut hash = HASH_START;
    let mut at = 0;
    while at < name.len() {
        hash = hash_with(hash, name[at]);
        at += 1;
    }
    hash
}

/// A name and its form.
#[derive(Clone, Copy)]
struct Entry {
    /// Where the name starts in the text of all names.
    start: u16,
    len: u8,
    form: Form,
}

/// A hash table with linear probing. It has no pointers, which would be relocated at every start of a program.
struct Table {
    /// All names.
    text: [u8; TOTALS.text],
    /// The names below, then labels and aliases that are not among them.
    entries: [Entry; TOTALS.names],
    len: usize,
    /// The number of an entry plus one, or 0.
    slots: [u16; SLOTS],
}

/// The sizes of the table, if no name were twice in it.
struct Totals {
    names: usize,
    text: usize,
}

const TOTALS: Totals = {
    let mut totals = Totals { names: 0, text: 0 };
    let mut at = 0;
    while at < NAMES.len() {
        totals.add(NAMES[at].1);
        at += 1;
    }
    totals.add_all(GLIBC);
    totals.add_all(PAGES);
    at = 0;
    while at < Encoding::ALL.len() {
        totals.add(Encoding::ALL[at].labels());
        at += 1;
    }
    at = 0;
    while at < Alias::ALL.len() {
        totals.add(&[Alias::ALL[at].name]);
        at += 1;
    }
    totals
};

impl Totals {
    const fn add_all(&mut self, lists: &[(Encoding, &[&str])]) {
        let mut at = 0;
        while at < lists.len() {
            self.add(lists[at].1);
            at += 1;
        }
    }

    const fn add(&mut self, names: &[&str]) {
        let mut at = 0;
        while at < names.len() {
            self.names += 1;
            self.text += names[at].len();
            at += 1;
        }
    }
}

/// A power of two, and at least twice the number of names.
const SLOTS: usize = 2 * TOTALS.names.next_power_of_two();

static TABLE: Table = Table::new();

impl Table {
    const fn new() -> Self {
        let entry = Entry { start: 0, len: 0, form: Form::Utf7 };
        let mut table = Self { text: [0; TOTALS.text], entries: [entry; TOTALS.names], len: 0, slots: [0; SLOTS] };
        let (mut at, mut end) = (0, 0);
        while at < NAMES.len() {
            let (form, names) = NAMES[at];
            end = table.insert_all(names, form, end);
            at += 1;
        }
        end = table.insert_lists(GLIBC, end);
        at = 0;
        while at < Encoding::ALL.len() {
            let encoding = Encoding::ALL[at];
            if !matches!(encoding, REPLACEMENT) {
                end = table.insert_all(encoding.labels(), Form::Encoding(encoding), end);
            }
            at += 1;
        }
        at = 0;
        while at < Alias::ALL.len() {
            let Alias { name, encoding, bom, .. } = Alias::ALL[at];
            let is_extra = matches!(encoding, LATIN1 | US_ASCII);
            let form = match (encoding, bom) {
                // UTF-8 with a byte order mark is not a form.
                (REPLACEMENT, _) | (UTF_8, true) => None,
                (_, true) => Some(Form::MarkedUtf16),
                (oem::UTF_7, _) => Some(Form::Utf7),
                (oem::UTF_7_IMAP, _) => Some(Form::Utf7Imap),
                (oem::UTF_32, _) => Some(Form::MarkedUtf32),
                (oem::UTF_32BE, _) => Some(Form::Utf32(Order::Big)),
                (oem::UTF_32LE, _) => Some(Form::Utf32(Order::Little)),
                (oem::CESU_8 | oem::GSM_03_38, _) => Some(Form::Encoding(encoding)),
                // JOHAB is another table in glibc and libiconv. The names of code pages follow.
                _ if encoding.labels().is_empty() && !is_extra => None,
                _ => Some(Form::Encoding(encoding)),
            };
            if let Some(form) = form {
                end = table.insert_all(&[name], form, end);
            }
            at += 1;
        }
        table.insert_lists(PAGES, end);
        table
    }

    /// Inserts the names of encodings.
    const fn insert_lists(&mut self, lists: &[(Encoding, &[&str])], mut end: usize) -> usize {
        let mut at = 0;
        while at < lists.len() {
            end = self.insert_all(lists[at].1, Form::Encoding(lists[at].0), end);
            at += 1;
        }
        end
    }

    /// Inserts names. `end` is that of the text, before and after.
    const fn insert_all(&mut self, names: &[&str], form: Form, mut end: usize) -> usize {
        let mut at = 0;
        while at < names.len() {
            end = self.insert(names[at].as_bytes(), form, end);
            at += 1;
        }
        end
    }

    /// Inserts a name that is not in the table yet.
    const fn insert(&mut self, name: &[u8], form: Form, end: usize) -> usize {
        let mut slot = hash(name) as usize % SLOTS;
        while self.slots[slot] != 0 {
            let Entry { start, len, .. } = self.entries[self.slots[slot] as usize - 1];
            let (_, from_start) = self.text.split_at(start as usize);
            if equal(from_start.split_at(len as usize).0, name) {
                return end;
            }
            slot = (slot + 1) % SLOTS;
        }
        let mut at = 0;
        while at < name.len() {
            self.text[end + at] = name[at];
            at += 1;
        }
        self.entries[self.len] = Entry { start: end as u16, len: name.len() as u8, form };
        self.len += 1;
        self.slots[slot] = self.len as u16;
        end + name.len()
    }

    fn find(&self, name: &Folded) -> Option<Form> {
        let mut slot = name.hash as usize % SLOTS;
        loop {
            let number = usize::from(self.slots[slot]).checked_sub(1)?;
            let entry = self.entries[number];
            if self.bytes(entry) == name.bytes() {
                return Some(entry.form);
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    fn bytes(&self, entry: Entry) -> &[u8] {
        &self.text[entry.start.into()..][..entry.len.into()]
    }
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    a.len() == b.len() && at == a.len()
}

/// Names that are not labels of the standard, or have another meaning in iconv.
const NAMES: &[(Form, &[&str])] = &[
    (Form::MarkedUtf16, &["utf-16", "utf16", "unicode", "csunicode", "csutf16", "iso-10646/utf16"]),
    (Form::MarkedUtf32, &["utf-32", "utf32", "csutf32"]),
    (Form::Utf32(Order::Little), &["utf-32le", "utf32le", "ucs-4le", "ucs4le", "csutf32le"]),
    (
        Form::Utf32(Order::Big),
        &[
            "utf-32be",
            "utf32be",
            "ucs-4be",
            "ucs4be",
            "ucs-4",
            "ucs4",
            "csucs4",
            "iso-10646",
            "iso-10646-ucs-4",
            "10646-1:1993",
            "10646-1:1993/ucs4",
            "iso-10646/ucs4",
            "csutf32be",
        ],
    ),
    (Form::Utf32(Order::NATIVE), &["wchar_t", "ucs-4-internal"]),
    (
        Form::Ucs2(Order::NATIVE),
        &["ucs-2", "ucs2", "iso-10646/ucs2", "ucs-2-internal", "osf00010100", "osf00010101", "osf00010102"],
    ),
    (Form::Ucs2(Order::Little), &["ucs-2le", "ucs2le", "unicodelittle"]),
    (Form::Ucs2(Order::Big), &["ucs-2be", "ucs2be", "unicodebig", "unicode-1-1", "csunicode11"]),
    (Form::Utf7Imap, &["utf-7-imap"]),
    (Form::Encoding(oem::TRUE_ISO_2022_KR), &["iso-2022-kr", "iso2022kr", "csiso2022kr"]),
    (Form::Encoding(oem::TRUE_HZ), &["hz", "hz-gb-2312"]),
    (Form::Encoding(oem::CESU_8), &["cesu-8"]),
    (Form::Encoding(oem::GSM_03_38), &["gsm-03.38"]),
    (Form::Utf7, &["utf-7", "utf7", "csutf7", "unicode-1-1-utf-7", "csunicode11utf7", "cp65000"]),
    (Form::Encoding(LATIN1), &["latin-1"]),
    (Form::Encoding(US_ASCII), &["646"]),
    (Form::Encoding(UTF_16LE), &["utf16le", "unicodelittleunmarked"]),
    (Form::Encoding(UTF_16BE), &["utf16be"]),
    (Form::Encoding(UTF_8), &["iso-10646/utf8", "iso-10646/utf-8"]),
    (Form::Encoding(ISO_8859_2), &["latin-2"]),
    (Form::Encoding(ISO_8859_13), &["iso_8859-13"]),
    (Form::Encoding(oem::TRUE_ISO_8859_11), &["iso_8859-11", "iso-8859-11-2001"]),
    (Form::Encoding(oem::TRUE_TIS_620), &["tis-620-0", "tis-620-2529-0", "tis-620-2529-1"]),
    (Form::Encoding(oem::TRUE_ISO_8859_9), &["iso-8859-9-1989", "cp28599"]),
    (Form::Encoding(WINDOWS_1250), &["ms-ee"]),
    (Form::Encoding(WINDOWS_1251), &["ms-cyrl"]),
    (Form::Encoding(WINDOWS_1252), &["ms-ansi"]),
    (Form::Encoding(WINDOWS_1253), &["ms-greek"]),
    (Form::Encoding(WINDOWS_1254), &["ms-turk"]),
    (Form::Encoding(WINDOWS_1255), &["ms-hebr"]),
    (Form::Encoding(WINDOWS_1257), &["winbaltrim"]),
    (
        Form::Encoding(X_MAC_CYRILLIC),
        &["mac-cyrillic", "macukrainian", "mac-uk", "macuk", "ms-mac-cyrillic", "msmaccyrillic"],
    ),
    (Form::Encoding(SHIFT_JIS), &["cswindows31j", "sjis-open"]),
    (Form::Encoding(EUC_JP), &["euc-jp-ms", "eucjp-ms", "eucjp-open", "extended_unix_code_packed_format_for_japanese"]),
    (Form::Encoding(EUC_KR), &["mscp949"]),
    (Form::Encoding(BIG5), &["big-5", "big-five", "bigfive", "big5-hkscs:2008"]),
    (Form::Encoding(GBK), &["cn-gb"]),
];

/// Names whose tables differ in glibc 2.36, one per line. `cargo xtask c conflicts` writes them.
const CONFLICTS: &str = include_str!("conflicts.txt");
