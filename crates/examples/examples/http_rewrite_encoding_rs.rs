//! `http_rewrite` with encoding_rs. It has no encoder for UTF-16, so UTF-16 becomes UTF-8.

use std::{
    env,
    error::Error,
    io::{self, Read as _, Write as _},
};

use encoding_rs::{CoderResult, Encoding};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, charset, word, replacement] = &arguments[..] else { return Err("CHARSET WORD REPLACEMENT < BODY".into()) };
    let charset = Encoding::for_label(charset.as_bytes()).ok_or("unknown charset")?;
    let (mut decoder, mut encoder) = (charset.new_decoder_without_bom_handling(), charset.new_encoder());
    let (mut chunk, mut text, mut body) = ([0; 1024], String::new(), Vec::new());
    loop {
        let len = io::stdin().read(&mut chunk)?;
        let last = len == 0;
        text.reserve(decoder.max_utf8_buffer_length(len).ok_or("the chunk is too long")?);
        let _ = decoder.decode_to_string(&chunk[..len], &mut text, last);
        let mut replaced = take_replaced(&mut text, word, replacement);
        if last {
            replaced.push_str(&text);
        }
        let mut rest = replaced.as_str();
        loop {
            let room = encoder.max_buffer_length_from_utf8_if_no_unmappables(rest.len());
            body.reserve(room.ok_or("the chunk is too long")?);
            let (result, read, _) = encoder.encode_from_utf8_to_vec(rest, &mut body, last);
            rest = &rest[read..];
            if result == CoderResult::InputEmpty {
                break;
            }
        }
        io::stdout().write_all(&body)?;
        body.clear();
        if last {
            return Ok(());
        }
    }
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
