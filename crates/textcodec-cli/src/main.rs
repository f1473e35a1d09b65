//! textcodec
fn main() {}
