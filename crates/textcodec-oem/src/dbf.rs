//! Language drivers of DBF files.

/// Code pages by the number of a language driver. From dbf 0.99.11 for Python and GDAL 3.6, which agree, except that only the
/// former has 0x7D and 0x7E, only GDAL has 0x6C, 0x86 and 0x88, and GDAL takes 0x57, "ANSI", as ISO-8859-1. Kamenický (0x68) and
/// Mazovia (0x69) have no page here.
const DRIVERS: [(u8, u16); 65] = [
    (0x01, 437),
    (0x02, 850),
    (0x03, 1252),
    (0x04, 10000),
    (0x08, 865),
    (0x09, 437),
    (0x0A, 850),
    (0x0B, 437),
    (0x0D, 437),
    (0x0E, 850),
    (0x0F, 437),
    (0x10, 850),
    (0x11, 437),
    (0x12, 850),
    (0x13, 932),
    (0x14, 850),
    (0x15, 437),
    (0x16, 850),
    (0x17, 865),
    (0x18, 437),
    (0x19, 437),
    (0x1A, 850),
    (0x1B, 437),
    (0x1C, 863),
    (0x1D, 850),
    (0x1F, 852),
    (0x22, 852),
    (0x23, 852),
    (0x24, 860),
    (0x25, 850),
    (0x26, 866),
    (0x37, 850),
    (0x40, 852),
    (0x4D, 936),
    (0x4E, 949),
    (0x4F, 950),
    (0x50, 874),
    (0x57, 1252),
    (0x58, 1252),
    (0x59, 1252),
    (0x64, 852),
    (0x65, 866),
    (0x66, 865),
    (0x67, 861),
    (0x6A, 737),
    (0x6B, 857),
    (0x6C, 863),
    (0x78, 950),
    (0x79, 949),
    (0x7A, 936),
    (0x7B, 932),
    (0x7C, 874),
    (0x7D, 1255),
    (0x7E, 1256),
    (0x86, 737),
    (0x87, 852),
    (0x88, 857),
    (0x96, 10007),
    (0x97, 10029),
    (0x98, 10006),
    (0xC8, 1250),
    (0xC9, 1251),
    (0xCA, 1254),
    (0xCB, 1253),
    (0xCC, 1257),
];

/// Returns the code page of a language driver of a DBF file: the byte at offset 29 of the file. `None` if the driver is not known, or
/// 0, which means that the file does not say.
///
/// ```
/// assert_eq!(textcodec_oem::dbf_code_page(0x01), Some(437));
/// assert_eq!(textcodec_oem::dbf_code_page(0xC9), Some(1251));
/// ```
#[must_use]
#[doc(alias("LDID", "language driver", "shapefile"))]
pub fn dbf_code_page(driver: u8) -> Option<u16> {
    DRIVERS.iter().find(|(other, _)| *other == driver).map(|(_, number)| *number)
}
