//! Characters that only the decoder of an encoding has.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use textcodec::Encoding;

/// Returns the table of an encoding, in the form that `crates/iconv/src/write_back.rs` describes. `prefix` comes before the pair.
pub(super) fn table(encoding: Encoding, prefix: &[u8]) -> Result<Vec<u8>> {
    let mut pairs = BTreeMap::new();
    for pair in (0x8000..=u16::MAX).map(u16::to_be_bytes) {
        let Ok(text) = encoding.decode_strict(&[prefix, &pair].concat()).map(std::borrow::Cow::into_owned) else {
            continue;
        };
        let mut characters = text.chars();
        if let (Some(character), None) = (characters.next(), characters.next())
            && !encoding.can_encode(character)
        {
            pairs.entry(u32::from(character)).or_insert(pair);
        }
    }
    let plane0 = pairs.range(..0x1_0000).count();
    ensure!(plane0 + pairs.range(0x2_0000..0x3_0000).count() == pairs.len(), "{encoding}: characters of other planes");
    let mut table = (plane0 as u32).to_le_bytes().to_vec();
    for (code_point, [lead, trail]) in pairs {
        let [low, high] = (code_point as u16).to_le_bytes();
        table.extend([low, high, lead, trail]);
    }
    println!("{encoding}: {} characters that only the decoder has", table.len() / 4 - 1);
    Ok(table)
}
