//! Prints the query of a form, `application/x-www-form-urlencoded` in the encoding of its page, as browsers submit it. Characters
//! that the encoding cannot represent become references such as `&#26085;`, with a warning: the server cannot recognise them.
//!
//! ```sh
//! cargo run --package examples --example form_submission -- windows-1252 name=Zoë note=日本
//! ```

use std::{env, error::Error};

use form_urlencoded::byte_serialize;
use textcodec::{Encoding, Unmappable};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let label = arguments.next().ok_or("usage: form_submission ENCODING NAME=VALUE...")?;
    let page = Encoding::for_label(label).ok_or("unknown encoding")?;
    let mut query = Vec::new();
    for field in arguments {
        let (name, value) = field.split_once('=').ok_or("a field is NAME=VALUE")?;
        query.push(format!("{}={}", encode(page, name)?, encode(page, value)?));
    }
    println!("{}", query.join("&"));
    Ok(())
}

fn encode(page: Encoding, text: &str) -> Result<String, Box<dyn Error>> {
    let text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    let encoded = page.output_encoding().encode_with(&text, Unmappable::Html)?;
    if let Some(error) = encoded.errors.first() {
        eprintln!("{error}; {} in total", encoded.errors.count());
    }
    Ok(byte_serialize(&encoded.bytes).collect())
}
