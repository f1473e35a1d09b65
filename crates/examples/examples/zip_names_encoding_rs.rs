//! `zip_names` with encoding_rs and `codepage`.

use std::{
    env,
    error::Error,
    io::{self, Read as _},
};

use encoding_rs::{DecoderResult, UTF_8};

fn main() -> Result<(), Box<dyn Error>> {
    let page: u16 = env::args().nth(1).as_deref().unwrap_or("437").parse()?;
    let mut archive = Vec::new();
    io::stdin().read_to_end(&mut archive)?;
    for (is_utf8, name) in names(&archive).ok_or("not a ZIP archive")? {
        if page == 437 && !is_utf8 {
            println!("{}", name.iter().map(|byte| cp437(*byte)).collect::<String>());
            continue;
        }
        let encoding = if is_utf8 { Some(UTF_8) } else { codepage::to_encoding(page) };
        let encoding = encoding.ok_or("unknown code page")?;
        let (text, has_errors) = encoding.decode_without_bom_handling(name);
        println!("{text}");
        if has_errors {
            // The result does not say where, so decode again up to the first error.
            let mut decoder = encoding.new_decoder_without_bom_handling();
            let mut text = vec![0; decoder.max_utf8_buffer_length(name.len()).ok_or("the name is too long")?];
            let (result, read, _) = decoder.decode_to_utf8_without_replacement(name, &mut text, true);
            if let DecoderResult::Malformed(len, after) = result {
                let end = read - usize::from(after);
                let start = end - usize::from(len);
                println!("  not {}: {:02X?} at byte {start}", encoding.name(), &name[start..end]);
            }
        }
    }
    Ok(())
}

/// Returns the names in the central directory, and whether each is in UTF-8.
fn names(archive: &[u8]) -> Option<Vec<(bool, &[u8])>> {
    let number = |at: usize| Some(usize::from(u16::from_le_bytes(*archive.get(at..)?.first_chunk()?)));
    let end = archive.windows(4).rposition(|bytes| bytes == b"PK\x05\x06")?;
    let mut at = number(end + 16)? | number(end + 18)? << 16;
    let mut entries = Vec::new();
    for _ in 0..number(end + 10)? {
        let name = archive.get(at + 46..)?.get(..number(at + 28)?)?;
        entries.push((number(at + 8)? & 0x800 != 0, name));
        at += 46 + name.len() + number(at + 30)? + number(at + 32)?;
    }
    Some(entries)
}

/// Decodes a byte of code page 437, which is not in the standard.
fn cp437(byte: u8) -> char {
    let high = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
        └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}";
    byte.checked_sub(0x80).and_then(|at| high.chars().nth(at.into())).unwrap_or(byte.into())
}
