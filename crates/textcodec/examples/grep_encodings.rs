//! Finds text in files of different encodings, and prints file, number and line.
//!
//! ```sh
//! cargo run --example grep_encodings [TEXT FILE...]
//! ```
//!
//! A file is in the encoding of its byte order mark, else in one that its name says (`weather.koi8-r.txt`), else in UTF-8.

use std::{env, error::Error, fs::File, path::Path};

use textcodec::{Encoding, UTF_8, io::DecodeReader};

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
const NAMES: [&str; 4] = ["weather.koi8-r.txt", "weather.ibm866.txt", "stars.utf-16le.txt", "stars.utf-8.txt"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let text = arguments.next().unwrap_or_else(|| "до".into());
    let text = text.to_str().ok_or("the text is not UTF-8")?;
    let mut paths: Vec<_> = arguments.collect();
    if paths.is_empty() {
        paths = NAMES.iter().map(|name| Path::new(SAMPLES).join(name).into()).collect();
    }

    for path in paths {
        let path = Path::new(&path);
        // Malformed bytes become U+FFFD, which is not looked for: the rest of a damaged file is found.
        let decoder = named(path).unwrap_or(UTF_8).decoder();
        for (number, line) in (1..).zip(DecodeReader::new(File::open(path)?, decoder).lines()) {
            let line = line?;
            if line.contains(text) {
                println!("{}:{number}:{line}", path.display());
            }
        }
    }
    Ok(())
}

/// The encoding that the last but one part of a file's name is a label of.
fn named(path: &Path) -> Option<Encoding> {
    Path::new(path.file_stem()?).extension().and_then(|label| Encoding::for_label(label.as_encoded_bytes()))
}
