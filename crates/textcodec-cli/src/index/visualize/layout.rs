//! The arrangement of pointers in a table: rows are lead bytes, and columns are trail bytes.

/// The layout of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    SingleByte,
    Big5,
    EucKr,
    Gb18030,
    /// Index jis0208 by rows and cells, as in JIS X 0208, EUC-JP and ISO-2022-JP.
    Jis0208,
    /// Index jis0208 by the bytes of `Shift_JIS`.
    ShiftJis,
    /// Index jis0212 by the three-byte sequences of EUC-JP.
    Jis0212,
}

impl Layout {
    /// Returns the first layout of an index.
    pub(super) fn of(index: &str) -> Self {
        match index {
            "big5" => Self::Big5,
            "euc-kr" => Self::EucKr,
            "gb18030" => Self::Gb18030,
            "jis0208" => Self::Jis0208,
            "jis0212" => Self::Jis0212,
            _ => Self::SingleByte,
        }
    }

    pub(super) fn rows(self) -> u32 {
        match self {
            Self::SingleByte => 8,
            Self::Big5 | Self::EucKr | Self::Gb18030 => 126,
            Self::Jis0208 => 120,
            Self::ShiftJis => 60,
            Self::Jis0212 => 94,
        }
    }

    /// Returns the number of pointers in a row. The first pointer of a row is a multiple of it.
    pub(super) fn columns(self) -> u32 {
        match self {
            Self::SingleByte => 16,
            Self::Big5 => 157,
            Self::EucKr | Self::Gb18030 => 190,
            Self::Jis0208 | Self::Jis0212 => 94,
            Self::ShiftJis => 188,
        }
    }

    /// Returns the header of a row: the lead byte, or the high half of a single byte.
    pub(super) fn row(self, row: u32) -> String {
        match self {
            Self::SingleByte => format!("{:X}_", 8 + row),
            Self::Jis0208 if row < 94 => format!("{:02X}", 0xA1 + row),
            // EUC-JP has no lead byte for these rows.
            Self::Jis0208 => "none".to_owned(),
            Self::Jis0212 => format!("8F {:02X}", 0xA1 + row),
            Self::ShiftJis => format!("{:02X}", shift_jis_lead(row)),
            Self::Big5 | Self::EucKr | Self::Gb18030 => format!("{:02X}", 0x81 + row),
        }
    }

    /// Returns the header of a column: the trail byte, or the low half of a single byte.
    pub(super) fn column(self, column: u32) -> String {
        match self {
            Self::SingleByte => format!("_{column:X}"),
            _ => format!("{:02X}", self.trail_byte(column)),
        }
    }

    /// Returns the bytes of a pointer, by encoding if they differ.
    pub(super) fn bytes(self, pointer: u32) -> String {
        let (row, column) = (pointer / self.columns(), pointer % self.columns());
        match self {
            Self::SingleByte => format!("{:02X}", 0x80 + pointer),
            Self::Jis0208 => {
                let shift_jis = Self::ShiftJis.bytes(pointer);
                if row < 94 {
                    format!("EUC-JP {} {}, Shift_JIS {shift_jis}", self.row(row), self.column(column))
                } else {
                    format!("Shift_JIS {shift_jis}")
                }
            }
            _ => format!("{} {}", self.row(row), self.column(column)),
        }
    }

    fn trail_byte(self, column: u32) -> u32 {
        match self {
            Self::SingleByte => column,
            Self::EucKr => 0x41 + column,
            Self::Jis0208 | Self::Jis0212 => 0xA1 + column,
            // The other layouts have two ranges of trail bytes, of which the first is 40 to 7E.
            _ if column < 63 => 0x40 + column,
            Self::Big5 => 0xA1 + column - 63,
            Self::Gb18030 | Self::ShiftJis => 0x80 + column - 63,
        }
    }
}

fn shift_jis_lead(row: u32) -> u32 {
    if row < 31 { 0x81 + row } else { 0xE0 + row - 31 }
}
