//! Writes the table of a code page outside the standard, in the form that `--table` reads.

use std::io::{self, Write};

use textcodec::Encoding;

use crate::{characters::hex, charset::Charset};

/// Writes a row for every 16 bytes, from byte 80 if those below it are ASCII.
pub(super) fn write_page(page: Encoding, mut out: impl Write) -> io::Result<()> {
    let charset = Charset::from(page);
    let table: [Option<char>; 256] = std::array::from_fn(|byte| {
        let character = charset.decode(&[byte as u8]).chars().next();
        character.filter(|&character| character != char::REPLACEMENT_CHARACTER)
    });
    writeln!(out, "# {page}, a code page that the Encoding Standard does not have")?;
    writeln!(out, "# This is a table for the option --table. The first byte of a row is hexadecimal.")?;
    let is_first = |byte: usize| !table[..byte].contains(&table[byte]);
    let unlike_table = (0..=255).filter(|&byte| {
        let character = table[usize::from(byte)].filter(|_| is_first(byte.into()));
        character.is_some_and(|character| charset.byte(character) != Some(byte))
    });
    let unlike_table: Vec<u8> = unlike_table.collect();
    if !unlike_table.is_empty() {
        writeln!(
            out,
            "# {page} writes other bytes for the characters of these, and --table writes these: {}",
            hex(&unlike_table)
        )?;
    }
    let first = if charset.is_ascii_compatible() { 0x80 } else { 0 };
    for (row, characters) in table.chunks(ROW).enumerate().skip(first / ROW) {
        write!(out, "{:02X}:", row * ROW)?;
        for character in characters {
            match character {
                Some(character) => write!(out, " {:04X}", u32::from(*character))?,
                None => write!(out, " ----")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The number of bytes in a row.
const ROW: usize = 16;
