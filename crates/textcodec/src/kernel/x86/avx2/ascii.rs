//! ASCII: the kernels of `x86/ascii.rs`.

use super::vector::Avx2;

super::super::ascii::kernels!(Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt");
