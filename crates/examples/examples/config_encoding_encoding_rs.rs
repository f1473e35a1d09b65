//! `config_encoding` with encoding_rs.

use std::{error::Error, io};

use encoding_rs::Encoding;
use serde::{Deserialize, Deserializer, Serialize, de};

#[derive(Deserialize, Serialize)]
struct Config {
    #[serde(deserialize_with = "label")]
    input: &'static Encoding,
    #[serde(deserialize_with = "label")]
    output: &'static Encoding,
}

/// Names to suggest. There is no list of all encodings.
const NAMES: &str = "utf-8 ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i \
    iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 \
    windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 \
    x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr utf-16be utf-16le x-user-defined";

fn label<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static Encoding, D::Error> {
    let label = String::deserialize(deserializer)?;
    Encoding::for_label(label.as_bytes()).ok_or_else(|| {
        let distance = |name: &str| strsim::levenshtein(&label.to_ascii_lowercase(), name);
        let nearest =
            NAMES.split(' ').min_by_key(|name| distance(name)).filter(|name| distance(name) * 3 <= name.len());
        let suggestion = nearest.map_or(String::new(), |name| format!("; did you mean {name:?}?"));
        de::Error::custom(format!("{label:?} is not a label in the Encoding Standard{suggestion}"))
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    match serde_json::from_reader::<_, Config>(io::stdin()) {
        Ok(config) => println!("{}", serde_json::to_string(&config)?),
        Err(error) => println!("error in the configuration: {error}"),
    }
    Ok(())
}
