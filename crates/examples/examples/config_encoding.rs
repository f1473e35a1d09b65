//! Reads a configuration in JSON that names encodings, and prints it with the standard's names. An unknown name is an error
//! with its position and the name that was probably meant.
//!
//! What `Display` and serde write is read back, so `ISO-8859-1` and `US-ASCII`, in exactly this spelling, are `LATIN1` and
//! `US_ASCII`. As labels, which are read with `Encoding::for_label`, they are windows-1252.
//!
//! ```sh
//! echo '{"input": "latin1", "output": "utf8"}' | cargo run --package examples --example config_encoding
//! ```

use std::{error::Error, io};

use serde::{Deserialize, Serialize};
use textcodec::Encoding;

#[derive(Deserialize, Serialize)]
struct Config {
    input: Encoding,
    output: Encoding,
}

fn main() -> Result<(), Box<dyn Error>> {
    match serde_json::from_reader::<_, Config>(io::stdin()) {
        Ok(config) => println!("{}", serde_json::to_string(&config)?),
        Err(error) => println!("error in the configuration: {error}"),
    }
    Ok(())
}
