//! Finds ICU, whose symbols carry its version.

fn main() {
    let icu = pkg_config::probe_library("icu-uc").expect("libicu-dev is installed");
    println!("cargo:rustc-env=ICU_VERSION={}", icu.version);
    println!("cargo:rustc-env=ICU_SUFFIX=_{}", icu.version.split('.').next().unwrap_or_default());
}
