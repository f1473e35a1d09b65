//! Converts a stream from one encoding to another with tokio, in constant memory.
//!
//! ```sh
//! cargo run --features tokio --example transcode_tokio [FROM TO FILE]
//! ```

use std::{env, error::Error, ffi::OsStr};

use textcodec::{
    Encoding,
    io::{AsyncEncodeWriter, DecodeReader},
};
use tokio::{
    fs::File,
    io::{AsyncWriteExt as _, copy_buf, stdout},
};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/tea.shift_jis.txt");

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let (from, to, path) = match arguments.as_slice() {
        [] => ("shift_jis".as_ref(), "utf-8".as_ref(), SAMPLE.as_ref()),
        [from, to, path] => (from.as_os_str(), to.as_os_str(), path.as_os_str()),
        _ => return Err("usage: transcode_tokio [FROM TO FILE]".into()),
    };

    // Malformed bytes become U+FFFD. A character that is unmappable in `to` is an error.
    let mut text = DecodeReader::new(File::open(path).await?, encoding(from)?.decoder());
    let mut output = AsyncEncodeWriter::new(stdout(), encoding(to)?.encoder());
    copy_buf(&mut text, &mut output).await?;
    // Writes the remaining output, such as the escape sequence with which ISO-2022-JP returns to ASCII.
    Ok(output.shutdown().await?)
}

fn encoding(label: &OsStr) -> Result<Encoding, String> {
    Encoding::for_label(label.as_encoded_bytes()).ok_or_else(|| format!("unknown encoding {}", label.display()))
}
