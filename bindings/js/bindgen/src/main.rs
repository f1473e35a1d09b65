//! `bindgen MODULE FOLDER`: runs wasm-bindgen for `--target web` on a module and writes the results to a folder.

use std::env;

use anyhow::{Context as _, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let module = arguments.next().context("missing argument: the module")?;
    let folder = arguments.next().context("missing argument: the folder")?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name("module").web(true)?.typescript(false).omit_default_module_path(true);
    bindgen.remove_name_section(true).remove_producers_section(true).generate(folder)
}
