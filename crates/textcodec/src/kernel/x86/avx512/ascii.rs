//! ASCII: the kernels of `x86/ascii.rs`. Long inputs are copied in vectors of 32 bytes. On Zen 4, each load of 64 bytes takes two
//! cycles if source and destination are not aligned alike, and each store always does, so wider vectors are slower, most
//! of all in the first-level cache.

use super::{super::avx2::ascii::copy_long, vector::Avx512};

super::super::ascii::kernels!(Avx512, "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt");
