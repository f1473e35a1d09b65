//! Asks the compiler for its version.

use std::{env, process::Command};

fn main() {
    let output =
        Command::new(env::var_os("RUSTC").expect("cargo sets RUSTC")).arg("--version").output().expect("rustc runs");
    let version = String::from_utf8(output.stdout).expect("the version is UTF-8");
    println!("cargo:rustc-env=RUSTC_VERSION={}", version.split(' ').nth(1).unwrap_or("unknown"));
}
