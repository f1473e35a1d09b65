//! The packages that are published: their files, their public API, their examples, and the programs of others that use them.

use anyhow::Result;
use clap::Parser;

mod api;
mod dropin;
mod examples;
mod msrv;
mod publish;
mod release;

/// The commands.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// Build each published package from its package file, run its examples, and build its docs like docs.rs.
    Package,
    /// Write the public API to `docs/api/`, and compare the drop-in's API with that of `encoding_rs`.
    Api {
        /// Change nothing; fail if a file would change.
        #[arg(long)]
        check: bool,
    },
    /// Run the library's examples on samples and compare their output.
    Examples,
    /// Check the packages that promise a minimum Rust version with that version.
    Msrv,
    /// Run the tests of real clients of `encoding_rs` with `crates/encoding_rs` in its place.
    Dropin(dropin::Arguments),
    /// Check that everything is ready for a release, and print what a person must do. Publishes nothing.
    Release(release::Arguments),
}

fn main() -> Result<()> {
    match Command::parse() {
        Command::Package => publish::run(),
        Command::Api { check } => api::run(check),
        Command::Examples => examples::run(),
        Command::Msrv => msrv::run(),
        Command::Dropin(arguments) => dropin::run(&arguments),
        Command::Release(arguments) => release::run(&arguments),
    }
}
