//! Prints the kernel level that a build without `std` uses.

fn main() {
    println!("{}", textcodec::testing::level_in_use());
}

#[cfg(test)]
mod tests {
    /// Returns the level that this machine should use, from the standard library's feature detection.
    #[cfg(target_arch = "x86_64")]
    fn expected() -> &'static str {
        use std::arch::is_x86_feature_detected as has;
        let sse41 = has!("sse4.1") && has!("popcnt");
        let avx2 = sse41 && has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt");
        let avx512 = avx2
            && has!("avx512f")
            && has!("avx512bw")
            && has!("avx512cd")
            && has!("avx512dq")
            && has!("avx512vl")
            && has!("avx512vbmi")
            && has!("avx512vbmi2");
        match (avx512, avx2, sse41) {
            (true, ..) => "avx512",
            (_, true, _) => "avx2",
            (_, _, true) => "sse4.1",
            _ => "scalar",
        }
    }

    /// Returns the level that this build should use.
    #[cfg(not(target_arch = "x86_64"))]
    fn expected() -> &'static str {
        if cfg!(all(target_arch = "aarch64", target_endian = "little")) {
            "neon"
        } else if cfg!(target_feature = "simd128") {
            "simd128"
        } else {
            "scalar"
        }
    }

    #[test]
    fn the_best_level_is_in_use() {
        assert_eq!(textcodec::SHIFT_JIS.decode(b"\x93\xFA").text, "日");
        assert_eq!(textcodec::testing::level_in_use(), expected());
    }
}
