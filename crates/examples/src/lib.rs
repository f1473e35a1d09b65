//! Ten programs for common tasks, in `examples`. Each is next to the same program with encoding_rs, whose name ends in
//! `_encoding_rs`. The tests run both on the same inputs and compare what they print. Each program must have fewer lines than its
//! counterpart:
//!
//! ```sh
//! cargo test --package examples
//! cargo test --package examples --test lines -- --show-output # prints the numbers
//! ```
//!
//! | program | task |
//! |---|---|
//! | `html_page` | the text of an HTML page and its `Content-Type` |
//! | `csv_lines` | a CSV file of any size, with the line and column of bad bytes |
//! | `mime_charset` | the smallest charset for a mail |
//! | `http_rewrite` | a replaced word in the chunks of an HTTP body |
//! | `form_submission` | the form of a page in a legacy encoding |
//! | `fixed_buffer` | conversion without allocation, in buffers of 64 bytes |
//! | `log_offsets` | the offset, line and column of all malformed bytes in a log |
//! | `config_encoding` | a configuration with encodings, by serde |
//! | `zip_names` | the names in a ZIP archive |
//! | `wide_strings` | Windows' wide strings in WTF-8 and in a code page |
