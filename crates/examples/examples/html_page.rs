//! Prints the text of an HTML page, in the encoding that browsers find: by its byte order mark, its `Content-Type` header, or its
//! `<meta>` elements; windows-1252 if there are none.
//!
//! ```sh
//! cargo run --package examples --example html_page -- 'text/html; charset=gbk' < FILE
//! ```

use std::{
    env,
    io::{self, Read as _},
};

use textcodec_detect::{Hints, html};

fn main() -> io::Result<()> {
    let mut page = Vec::new();
    io::stdin().read_to_end(&mut page)?;
    let hints = Hints::new().content_type(env::args().nth(1).unwrap_or_default());
    let decoded = html::sniff(&page, &hints).encoding.decode(&page);
    eprintln!("{}", decoded.encoding);
    print!("{}", decoded.text);
    Ok(())
}
