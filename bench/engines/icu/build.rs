//! Finds ICU and its version, which is part of the names of its symbols.

fn main() {
    let icu = pkg_config::probe_library("icu-uc").expect("libicu-dev is installed");
    println!("cargo:rustc-env=ICU_VERSION={}", icu.version);
    println!("cargo:rustc-env=ICU_SUFFIX=_{}", icu.version.split('.').next().unwrap_or_default());
}
