//! Reads a configuration in JSON that names encodings, and prints it with the standard's names. An unknown name is an error
//! with its position and the name that was probably meant.
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
