//! Part of `cargo xtask lint`: checks that kernels make no aligned accesses through pointers to types wider than a byte.
//!
//! Kernels read and write at any address, so all their accesses must be unaligned ones. Clippy's `cast_ptr_alignment` checks
//! casts that name their type. This module checks the rest: intrinsics that need an aligned address, and casts with an inferred
//! type.

use std::fs;

use anyhow::{Result, ensure};
use project::root;

use crate::documents;

const KERNELS: &str = "crates/textcodec/src/kernel";

/// Parts of the names of intrinsics that take an address.
const TAKES_ADDRESS: [&str; 9] = ["load", "store", "stream", "gather", "scatter", "lddqu", "maskmov", "vld1", "vst1"];

/// Intrinsics that accept any address, in addition to those of x86 with `loadu` or `storeu` in their names.
const UNALIGNED: [&str; 9] = [
    "_mm_loadl_epi64",
    "_mm_storel_epi64",
    "vld1q_u8",
    "vld1q_u8_x4",
    "vst1q_u8",
    "vst3q_u8",
    "v128_load",
    "v128_store",
    "vld1q_u16",
];

/// Checks all kernels.
pub(crate) fn check() -> Result<()> {
    let mut problems = Vec::new();
    let files = documents::files(&root().join(KERNELS), "rs")?;
    ensure!(files.len() > 40, "only {} files in {KERNELS}", files.len());
    for file in &files {
        for (line, problem) in find(&fs::read_to_string(file)?) {
            problems.push(format!("{}:{line}: {problem}", file.display()));
        }
    }
    ensure!(problems.is_empty(), "unsafe use of pointers in kernels:\n{}", problems.join("\n"));
    Ok(())
}

/// Returns the problems in a file, each with its line number.
fn find(source: &str) -> Vec<(usize, String)> {
    // Removes comments, but keeps the lines and their numbers.
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    let source = source.lines().map(code).collect::<Vec<String>>().join("\n");
    let mut problems = Vec::new();
    let line = |at: usize| source[..at].matches('\n').count() + 1;
    for (at, name) in names(&source) {
        if takes_address(name) && !is_unaligned(name) {
            problems.push((line(at), format!("{name} needs an aligned address; use an unaligned intrinsic")));
        }
    }
    for (at, _) in source.match_indices(".cast()") {
        if !enclosing_call(&source[..at]).is_some_and(is_unaligned) {
            let problem =
                "outside an intrinsic's arguments, write `.cast::<T>()`, which clippy's cast_ptr_alignment checks";
            problems.push((line(at), problem.to_owned()));
        }
    }
    problems
}

/// Returns the identifiers in `source` with their offsets.
fn names(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    source.split(move |c| !is_part(c)).filter(|name| !name.is_empty()).map(move |name| {
        let at = name.as_ptr().addr() - source.as_ptr().addr();
        (at, name)
    })
}

/// Returns whether an identifier is an intrinsic that takes an address.
fn takes_address(name: &str) -> bool {
    let is_intrinsic = ["_mm", "vld", "vst", "v128_", "i8x16_", "i16x8_", "u8x16_", "u16x8_", "u32x4_"];
    is_intrinsic.iter().any(|prefix| name.starts_with(prefix)) && TAKES_ADDRESS.iter().any(|part| name.contains(part))
}

fn is_unaligned(name: &str) -> bool {
    let is_x86 = name.starts_with("_mm") && (name.contains("loadu") || name.contains("storeu"));
    is_x86 || UNALIGNED.contains(&name)
}

/// Returns the function in whose arguments `before` ends.
fn enclosing_call(before: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in before.char_indices().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth > 0 => depth -= 1,
            '(' => {
                return names(&before[..at])
                    .last()
                    .filter(|(start, name)| start + name.len() == at)
                    .map(|(_, name)| name);
            }
            '[' | '{' | ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_have_no_problems() -> Result<()> {
        check()
    }

    #[test]
    fn aligned_intrinsics_are_found() {
        for name in [
            "_mm_storeh_pd",
            "_mm_storel_pd",
            "_mm_store_si128",
            "_mm_load_si128",
            "_mm_loadl_pd",
            "_mm256_store_si256",
            "_mm256_stream_si256",
            "_mm256_i32gather_epi32",
            "_mm512_mask_store_epi32",
            "vst1q_u16",
        ] {
            assert_eq!(find(&format!("fn f() {{\n    {name}(p, a);\n}}"))[0].0, 2, "{name}");
        }
        for name in ["_mm_storeu_si64", "_mm512_maskz_loadu_epi16", "_mm_storel_epi64", "vst1q_u8", "v128_store"] {
            assert_eq!(find(&format!("{name}(to.add(at).cast(), a)")), [], "{name}");
        }
    }

    #[test]
    fn inferred_casts_are_found() {
        for source in [
            "let wide: *mut u64 = to.cast();",
            "*to.cast() = 1_u64;",
            "unsafe { to.add(8).cast().write(1_u64) }",
            "put(to.cast(), _mm_loadu_si128(from.cast()))",
            "_mm_storeu_si128(to, [from.cast()])",
        ] {
            assert_eq!(find(source).len(), 1, "{source}");
        }
        for source in [
            "_mm_storeu_si128(to.add(f(x)[0]).cast(), a)",
            "// to.cast() in a comment, as _mm_storeh_pd",
            "to.cast::<u64>().write_unaligned(1)",
        ] {
            assert_eq!(find(source), [], "{source}");
        }
    }
}
