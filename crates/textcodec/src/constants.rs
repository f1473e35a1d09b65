//! The encodings, by name.

use crate::{Encoding, encoding::Id};

/// [UTF-8](https://encoding.spec.whatwg.org/#utf-8): the encoding of the web.
#[doc(alias("cp65001", "utf8"))]
pub const UTF_8: Encoding = Encoding(Id::Utf8);
/// [IBM866](https://encoding.spec.whatwg.org/#ibm866): Cyrillic, MS-DOS.
#[doc(alias("cp866"))]
pub const IBM866: Encoding = Encoding(Id::Ibm866);
/// [ISO-8859-2](https://encoding.spec.whatwg.org/#iso-8859-2): Central European.
#[doc(alias("latin2"))]
pub const ISO_8859_2: Encoding = Encoding(Id::Iso8859_2);
/// [ISO-8859-3](https://encoding.spec.whatwg.org/#iso-8859-3): South European.
pub const ISO_8859_3: Encoding = Encoding(Id::Iso8859_3);
/// [ISO-8859-4](https://encoding.spec.whatwg.org/#iso-8859-4): North European.
pub const ISO_8859_4: Encoding = Encoding(Id::Iso8859_4);
/// [ISO-8859-5](https://encoding.spec.whatwg.org/#iso-8859-5): Cyrillic.
pub const ISO_8859_5: Encoding = Encoding(Id::Iso8859_5);
/// [ISO-8859-6](https://encoding.spec.whatwg.org/#iso-8859-6): Arabic.
pub const ISO_8859_6: Encoding = Encoding(Id::Iso8859_6);
/// [ISO-8859-7](https://encoding.spec.whatwg.org/#iso-8859-7): Greek.
pub const ISO_8859_7: Encoding = Encoding(Id::Iso8859_7);
/// [ISO-8859-8](https://encoding.spec.whatwg.org/#iso-8859-8): Hebrew in visual order.
pub const ISO_8859_8: Encoding = Encoding(Id::Iso8859_8);
/// [ISO-8859-8-I](https://encoding.spec.whatwg.org/#iso-8859-8-i): Hebrew in logical order.
pub const ISO_8859_8_I: Encoding = Encoding(Id::Iso8859_8I);
/// [ISO-8859-10](https://encoding.spec.whatwg.org/#iso-8859-10): Nordic.
pub const ISO_8859_10: Encoding = Encoding(Id::Iso8859_10);
/// [ISO-8859-13](https://encoding.spec.whatwg.org/#iso-8859-13): Baltic.
pub const ISO_8859_13: Encoding = Encoding(Id::Iso8859_13);
/// [ISO-8859-14](https://encoding.spec.whatwg.org/#iso-8859-14): Celtic.
pub const ISO_8859_14: Encoding = Encoding(Id::Iso8859_14);
/// [ISO-8859-15](https://encoding.spec.whatwg.org/#iso-8859-15): Western European with the euro sign.
#[doc(alias("latin9", "latin-9"))]
pub const ISO_8859_15: Encoding = Encoding(Id::Iso8859_15);
/// [ISO-8859-16](https://encoding.spec.whatwg.org/#iso-8859-16): South-Eastern European.
pub const ISO_8859_16: Encoding = Encoding(Id::Iso8859_16);
/// [KOI8-R](https://encoding.spec.whatwg.org/#koi8-r): Russian.
#[doc(alias("cp20866"))]
pub const KOI8_R: Encoding = Encoding(Id::Koi8R);
/// [KOI8-U](https://encoding.spec.whatwg.org/#koi8-u): Ukrainian.
#[doc(alias("cp21866"))]
pub const KOI8_U: Encoding = Encoding(Id::Koi8U);
/// [macintosh](https://encoding.spec.whatwg.org/#macintosh): Western European, classic Mac OS.
#[doc(alias("mac-roman", "cp10000"))]
pub const MACINTOSH: Encoding = Encoding(Id::Macintosh);
/// [windows-874](https://encoding.spec.whatwg.org/#windows-874): Thai.
#[doc(alias("cp874", "tis-620", "iso-8859-11"))]
pub const WINDOWS_874: Encoding = Encoding(Id::Windows874);
/// [windows-1250](https://encoding.spec.whatwg.org/#windows-1250): Central European.
#[doc(alias("cp1250"))]
pub const WINDOWS_1250: Encoding = Encoding(Id::Windows1250);
/// [windows-1251](https://encoding.spec.whatwg.org/#windows-1251): Cyrillic.
#[doc(alias("cp1251"))]
pub const WINDOWS_1251: Encoding = Encoding(Id::Windows1251);
/// [windows-1252](https://encoding.spec.whatwg.org/#windows-1252): Western European. The labels "iso-8859-1" and "us-ascii"
/// mean this encoding.
#[doc(alias("cp1252", "latin1", "iso-8859-1", "ascii", "ansi"))]
pub const WINDOWS_1252: Encoding = Encoding(Id::Windows1252);
/// [windows-1253](https://encoding.spec.whatwg.org/#windows-1253): Greek.
#[doc(alias("cp1253"))]
pub const WINDOWS_1253: Encoding = Encoding(Id::Windows1253);
/// [windows-1254](https://encoding.spec.whatwg.org/#windows-1254): Turkish. The label "iso-8859-9" means this encoding.
#[doc(alias("cp1254", "iso-8859-9", "latin5"))]
pub const WINDOWS_1254: Encoding = Encoding(Id::Windows1254);
/// [windows-1255](https://encoding.spec.whatwg.org/#windows-1255): Hebrew.
#[doc(alias("cp1255"))]
pub const WINDOWS_1255: Encoding = Encoding(Id::Windows1255);
/// [windows-1256](https://encoding.spec.whatwg.org/#windows-1256): Arabic.
#[doc(alias("cp1256"))]
pub const WINDOWS_1256: Encoding = Encoding(Id::Windows1256);
/// [windows-1257](https://encoding.spec.whatwg.org/#windows-1257): Baltic.
#[doc(alias("cp1257"))]
pub const WINDOWS_1257: Encoding = Encoding(Id::Windows1257);
/// [windows-1258](https://encoding.spec.whatwg.org/#windows-1258): Vietnamese.
#[doc(alias("cp1258"))]
pub const WINDOWS_1258: Encoding = Encoding(Id::Windows1258);
/// [x-mac-cyrillic](https://encoding.spec.whatwg.org/#x-mac-cyrillic): Cyrillic, classic Mac OS.
#[doc(alias("x-mac-ukrainian"))]
pub const X_MAC_CYRILLIC: Encoding = Encoding(Id::XMacCyrillic);
/// [GBK](https://encoding.spec.whatwg.org/#gbk): simplified Chinese.
#[doc(alias("cp936", "gb2312"))]
pub const GBK: Encoding = Encoding(Id::Gbk);
/// [gb18030](https://encoding.spec.whatwg.org/#gb18030): Chinese, all of Unicode.
#[doc(alias("cp54936", "GB18030-2022"))]
pub const GB18030: Encoding = Encoding(Id::Gb18030);
/// [Big5](https://encoding.spec.whatwg.org/#big5): traditional Chinese, with the Hong Kong set when decoding.
#[doc(alias("cp950", "big5-hkscs"))]
pub const BIG5: Encoding = Encoding(Id::Big5);
/// [EUC-JP](https://encoding.spec.whatwg.org/#euc-jp): Japanese, Unix.
#[doc(alias("cp51932", "ujis"))]
pub const EUC_JP: Encoding = Encoding(Id::EucJp);
/// [ISO-2022-JP](https://encoding.spec.whatwg.org/#iso-2022-jp): Japanese, mail.
#[doc(alias("cp50220", "jis"))]
pub const ISO_2022_JP: Encoding = Encoding(Id::Iso2022Jp);
/// [Shift_JIS](https://encoding.spec.whatwg.org/#shift_jis): Japanese, like Windows code page 932.
#[doc(alias("cp932", "sjis", "windows-31j", "ms_kanji"))]
pub const SHIFT_JIS: Encoding = Encoding(Id::ShiftJis);
/// [EUC-KR](https://encoding.spec.whatwg.org/#euc-kr): Korean, like Windows code page 949.
#[doc(alias("cp949", "uhc", "ks_c_5601-1987", "windows-949"))]
pub const EUC_KR: Encoding = Encoding(Id::EucKr);
/// [replacement](https://encoding.spec.whatwg.org/#replacement): the encoding of labels that must not be decoded.
pub const REPLACEMENT: Encoding = Encoding(Id::Replacement);
/// [UTF-16BE](https://encoding.spec.whatwg.org/#utf-16be): UTF-16, big-endian.
#[doc(alias("cp1201"))]
pub const UTF_16BE: Encoding = Encoding(Id::Utf16Be);
/// [UTF-16LE](https://encoding.spec.whatwg.org/#utf-16le): UTF-16, little-endian. The label "utf-16" means this encoding.
#[doc(alias("cp1200", "utf-16", "ucs-2", "unicode"))]
pub const UTF_16LE: Encoding = Encoding(Id::Utf16Le);
/// [x-user-defined](https://encoding.spec.whatwg.org/#x-user-defined): ASCII, and bytes from 0x80 on as private-use
/// characters.
pub const X_USER_DEFINED: Encoding = Encoding(Id::XUserDefined);
/// True ISO-8859-1, the Infra Standard's "isomorphic": byte n is U+0000 plus n.
///
/// It is not an encoding of the standard and has no label: its name, "ISO-8859-1", is a label of [`WINDOWS_1252`].
#[doc(alias("iso-8859-1", "latin-1", "isomorphic", "cp28591"))]
pub const LATIN1: Encoding = Encoding(Id::Latin1);
/// US-ASCII and nothing else: bytes from 0x80 on are malformed.
///
/// It is not an encoding of the standard and has no label: its name, "US-ASCII", is a label of [`WINDOWS_1252`].
#[doc(alias("us-ascii", "ascii", "strict-ascii", "cp20127"))]
pub const US_ASCII: Encoding = Encoding(Id::UsAscii);
