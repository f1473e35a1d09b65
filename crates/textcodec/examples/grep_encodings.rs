//! Searches files in different encodings for a string. Prints the file, the line number and the line of each match.
//!
//! ```sh
//! cargo run --example grep_encodings [TEXT FILE...]
//! ```
//!
//! The encoding of a file is that of its byte order mark, or that in its name (`weather.koi8-r.txt`), or UTF-8.

use std::{env, error::Error, fs::File, path::Path};

use textcodec::{Encoding, UTF_8, io::DecodeReader};

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
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
        // Malformed bytes become U+FFFD, so matches in the rest of a damaged file are found.
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

/// Returns the encoding whose label is the second-to-last part of a file name.
fn named(path: &Path) -> Option<Encoding> {
    Path::new(path.file_stem()?).extension().and_then(|label| Encoding::for_label(label.as_encoded_bytes()))
}
