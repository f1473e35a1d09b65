//! ASCII: the kernels of `x86/ascii.rs`.

use super::vector::Avx512;

super::super::ascii::kernels!(Avx512, "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt");
