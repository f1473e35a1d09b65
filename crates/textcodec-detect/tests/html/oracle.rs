//! A literal transcription of the prescan of the HTML Standard, section 13.2.3.2, with its step numbers.
//!
//! It shares nothing with the library but "get an encoding".

use textcodec::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// The user agent ran out of bytes.
struct OutOfBytes;

/// Prescans all of these bytes.
pub(crate) fn prescan(bytes: &[u8]) -> Option<Encoding> {
    match prescan_steps(bytes) {
        Ok(encoding) => Some(encoding),
        Err(OutOfBytes) => xml_encoding(bytes),
    }
}

fn byte_at(bytes: &[u8], position: usize) -> Result<u8, OutOfBytes> {
    bytes.get(position).copied().ok_or(OutOfBytes)
}

fn is_white(byte: u8) -> bool {
    [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(&byte)
}

fn prescan_steps(bytes: &[u8]) -> Result<Encoding, OutOfBytes> {
    let mut position = 0; // 1
    // 2
    if bytes.starts_with(&[0x3C, 0x0, 0x3F, 0x0, 0x78, 0x0]) {
        return Ok(UTF_16LE);
    }
    if bytes.starts_with(&[0x0, 0x3C, 0x0, 0x3F, 0x0, 0x78]) {
        return Ok(UTF_16BE);
    }
    loop {
        // 3
        byte_at(bytes, position)?;
        let lower: Vec<u8> = bytes[position..].iter().take(6).map(u8::to_ascii_lowercase).collect();
        let second = bytes.get(position + 1).copied();
        let letter = |at: usize| bytes.get(at).is_some_and(|byte| matches!(byte, 0x41..=0x5A | 0x61..=0x7A));
        if bytes[position..].starts_with(&[0x3C, 0x21, 0x2D, 0x2D]) {
            let start = position;
            loop {
                position += 1;
                if byte_at(bytes, position)? == 0x3E
                    && position >= start + 4
                    && bytes[position - 1] == 0x2D
                    && bytes[position - 2] == 0x2D
                {
                    break;
                }
            }
        } else if lower.len() == 6 && lower.starts_with(b"<meta") && (is_white(lower[5]) || lower[5] == 0x2F) {
            position += 5; // 1
            if let Some(charset) = meta_steps(bytes, &mut position)? {
                return Ok(charset);
            }
        } else if lower[0] == 0x3C && (letter(position + 1) || second == Some(0x2F) && letter(position + 2)) {
            // 1
            loop {
                let byte = byte_at(bytes, position)?;
                if is_white(byte) || byte == 0x3E {
                    break;
                }
                position += 1;
            }
            while get_an_attribute(bytes, &mut position)?.is_some() {} // 2
        } else if lower[0] == 0x3C && matches!(second, Some(0x21 | 0x2F | 0x3F)) {
            while byte_at(bytes, position)? != 0x3E {
                position += 1;
            }
        }
        position += 1; // 4
    }
}

fn meta_steps(bytes: &[u8], position: &mut usize) -> Result<Option<Encoding>, OutOfBytes> {
    /// The variable "charset".
    enum Charset {
        Null,
        Failure,
        Is(Encoding),
    }

    let mut attribute_list: Vec<Vec<u8>> = vec![]; // 2
    let mut got_pragma = false; // 3
    let mut need_pragma = None; // 4
    let mut charset = Charset::Null; // 5
    // 6
    while let Some((name, value)) = get_an_attribute(bytes, position)? {
        if attribute_list.contains(&name) {
            continue; // 7
        }
        attribute_list.push(name.clone()); // 8
        // 9
        if name == b"http-equiv" {
            if value == b"content-type" {
                got_pragma = true;
            }
        } else if name == b"content" {
            if let (Some(encoding), Charset::Null) = (extract(&value), &charset) {
                charset = Charset::Is(encoding);
                need_pragma = Some(true);
            }
        } else if name == b"charset" {
            charset = Encoding::for_label(&value).map_or(Charset::Failure, Charset::Is);
            need_pragma = Some(false);
        }
    }
    // 11, 12
    if need_pragma.is_none() || need_pragma == Some(true) && !got_pragma {
        return Ok(None);
    }
    Ok(match charset {
        Charset::Null | Charset::Failure => None,          // 13
        Charset::Is(UTF_16BE | UTF_16LE) => Some(UTF_8),   // 14
        Charset::Is(X_USER_DEFINED) => Some(WINDOWS_1252), // 15
        Charset::Is(encoding) => Some(encoding),           // 16
    })
}

type Attribute = (Vec<u8>, Vec<u8>);

fn get_an_attribute(bytes: &[u8], position: &mut usize) -> Result<Option<Attribute>, OutOfBytes> {
    // 1
    loop {
        let byte = byte_at(bytes, *position)?;
        if !is_white(byte) && byte != 0x2F {
            break;
        }
        *position += 1;
    }
    if byte_at(bytes, *position)? == 0x3E {
        return Ok(None); // 2
    }
    let (mut name, mut value) = (vec![], vec![]); // 3
    // 4
    let has_spaces = loop {
        match byte_at(bytes, *position)? {
            0x3D if !name.is_empty() => break false,
            byte if is_white(byte) => break true,
            0x2F | 0x3E => return Ok(Some((name, value))),
            byte @ 0x41..=0x5A => name.push(byte + 0x20),
            byte => name.push(byte),
        }
        *position += 1; // 5
    };
    if has_spaces {
        while is_white(byte_at(bytes, *position)?) {
            *position += 1; // 6
        }
        if byte_at(bytes, *position)? != 0x3D {
            return Ok(Some((name, value))); // 7
        }
    }
    *position += 1; // 4 or 8
    while is_white(byte_at(bytes, *position)?) {
        *position += 1; // 9
    }
    // 10
    match byte_at(bytes, *position)? {
        quote @ (0x22 | 0x27) => loop {
            *position += 1;
            match byte_at(bytes, *position)? {
                byte if byte == quote => {
                    *position += 1;
                    return Ok(Some((name, value)));
                }
                byte @ 0x41..=0x5A => value.push(byte + 0x20),
                byte => value.push(byte),
            }
        },
        0x3E => return Ok(Some((name, value))),
        byte @ 0x41..=0x5A => value.push(byte + 0x20),
        byte => value.push(byte),
    }
    *position += 1;
    loop {
        // 11
        match byte_at(bytes, *position)? {
            0x3E => return Ok(Some((name, value))),
            byte if is_white(byte) => return Ok(Some((name, value))),
            byte @ 0x41..=0x5A => value.push(byte + 0x20),
            byte => value.push(byte),
        }
        *position += 1; // 12
    }
}

/// The algorithm for extracting a character encoding from a meta element, section 2.5.3. `s` is in lower case.
pub(crate) fn extract(s: &[u8]) -> Option<Encoding> {
    let mut position = 0; // 1
    loop {
        // 2
        while !s[position..].starts_with(b"charset") {
            position += 1;
            if position > s.len() {
                return None;
            }
        }
        position += 7;
        while s.get(position).copied().is_some_and(is_white) {
            position += 1; // 3
        }
        if s.get(position) == Some(&b'=') {
            break; // 4
        }
    }
    position += 1;
    while s.get(position).copied().is_some_and(is_white) {
        position += 1; // 5
    }
    // 6
    match s.get(position)? {
        quote @ (0x22 | 0x27) => {
            let rest = &s[position + 1..];
            Encoding::for_label(&rest[..rest.iter().position(|byte| byte == quote)?])
        }
        _ => {
            let end = (position..s.len()).find(|&at| is_white(s[at]) || s[at] == b';').unwrap_or(s.len());
            Encoding::for_label(&s[position..end])
        }
    }
}

/// Get an XML encoding.
fn xml_encoding(bytes: &[u8]) -> Option<Encoding> {
    let mut position = 0; // 1
    if !bytes.starts_with(&[0x3C, 0x3F, 0x78, 0x6D, 0x6C]) {
        return None; // 2
    }
    let xml_declaration_end = bytes.iter().position(|&byte| byte == 0x3E)?; // 3
    // 4
    while !bytes[position..].starts_with(b"encoding") {
        position += 1;
        if position >= xml_declaration_end {
            return None;
        }
    }
    position += 8; // 5
    while *bytes.get(position)? <= 0x20 {
        position += 1; // 6
    }
    if *bytes.get(position)? != 0x3D {
        return None; // 7
    }
    position += 1; // 8
    while *bytes.get(position)? <= 0x20 {
        position += 1; // 9
    }
    let quote_mark = *bytes.get(position)?; // 10
    if quote_mark != 0x22 && quote_mark != 0x27 {
        return None; // 11
    }
    position += 1; // 12
    let len = bytes[position..].iter().position(|&byte| byte == quote_mark)?; // 13
    let potential = &bytes[position..position + len]; // 14
    if potential.iter().any(|&byte| byte <= 0x20) {
        return None; // 15
    }
    // 16, 17
    match Encoding::for_label(potential)? {
        UTF_16BE | UTF_16LE => Some(UTF_8),
        encoding => Some(encoding),
    }
}
