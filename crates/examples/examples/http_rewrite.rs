//! Replaces a word in an HTTP body that arrives in chunks, and keeps its charset.
//!
//! ```sh
//! cargo run --package examples --example http_rewrite -- euc-kr WORD REPLACEMENT < BODY
//! ```

use std::{
    env,
    error::Error,
    io::{self, Read as _, Write as _},
};

use textcodec::{Bom, Encoding, Unmappable};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, charset, word, replacement] = &arguments[..] else { return Err("CHARSET WORD REPLACEMENT < BODY".into()) };
    let charset = Encoding::for_label(charset).ok_or("unknown charset")?;
    let mut decoder = charset.decoder_with(Bom::Keep);
    let mut encoder = charset.encoder_with(Unmappable::Html);
    let (mut chunk, mut text, mut body) = ([0; 1024], String::new(), Vec::new());
    loop {
        let len = io::stdin().read(&mut chunk)?;
        if len == 0 {
            break;
        }
        decoder.push(&chunk[..len], &mut text)?;
        encoder.push(&take_replaced(&mut text, word, replacement), &mut body)?;
        io::stdout().write_all(&body)?;
        body.clear();
    }
    decoder.finish(&mut text)?;
    encoder.push(&text, &mut body)?;
    encoder.finish(&mut body)?;
    Ok(io::stdout().write_all(&body)?)
}

/// Takes the text that cannot be the start of the word, and replaces the word in it.
fn take_replaced(text: &mut String, word: &str, replacement: &str) -> String {
    let mut done = String::new();
    while let Some(at) = text.find(word).filter(|_| !word.is_empty()) {
        done.push_str(&text[..at]);
        done.push_str(replacement);
        text.drain(..at + word.len());
    }
    let held = word.char_indices().map(|(len, _)| len).filter(|&len| text.ends_with(&word[..len])).max();
    done.extend(text.drain(..text.len() - held.unwrap_or(0)));
    done
}
