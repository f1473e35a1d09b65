//! Prints the level of the kernels that a build without `std` uses.

fn main() {
    println!("{}", textcodec::testing::level_in_use());
}

#[cfg(test)]
mod tests {
    /// What this machine should use, by the standard library's own detection.
    fn expected() -> &'static str {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let avx2 = has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
            let avx512 = has!("avx512f")
                && has!("avx512bw")
                && has!("avx512cd")
                && has!("avx512dq")
                && has!("avx512vl")
                && has!("avx512vbmi")
                && has!("avx512vbmi2");
            match (avx2, avx512) {
                (true, true) => "avx512",
                (true, false) => "avx2",
                _ => "scalar",
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        "scalar"
    }

    #[test]
    fn the_best_level_is_in_use() {
        assert_eq!(textcodec::SHIFT_JIS.decode(b"\x93\xFA").text, "日");
        assert_eq!(textcodec::testing::level_in_use(), expected());
    }
}
