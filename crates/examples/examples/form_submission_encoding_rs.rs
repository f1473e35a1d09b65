//! `form_submission` with encoding_rs.

use std::{env, error::Error};

use encoding_rs::Encoding;
use form_urlencoded::byte_serialize;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let label = arguments.next().ok_or("usage: form_submission ENCODING NAME=VALUE...")?;
    let page = Encoding::for_label(label.as_bytes()).ok_or("unknown encoding")?;
    let mut query = Vec::new();
    for field in arguments {
        let (name, value) = field.split_once('=').ok_or("a field is NAME=VALUE")?;
        query.push(format!("{}={}", encode(page, name), encode(page, value)));
    }
    println!("{}", query.join("&"));
    Ok(())
}

fn encode(page: &'static Encoding, text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    let (bytes, encoding, has_unmappable) = page.encode(&text);
    if has_unmappable {
        // The result does not say which ones.
        let is_unmappable = |character: char| encoding.encode(character.encode_utf8(&mut [0; 4])).2;
        let unmappable: Vec<_> = text.char_indices().filter(|(_, character)| is_unmappable(*character)).collect();
        if let Some((at, first)) = unmappable.first() {
            let (name, number, total) = (encoding.name(), u32::from(*first), unmappable.len());
            eprintln!(
                "{name} cannot represent U+{number:04X} {first:?} at byte {at} of the UTF-8 text; {total} in total"
            );
        }
    }
    byte_serialize(&bytes).collect()
}
