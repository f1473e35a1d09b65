//! The library for C.
#![no_std]

use textcodec_c_runtime as _;

/// Returns the version of the ABI.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_abi_version() -> u32 {
    let mut b = [0u8; 10];
    let p = textcodec::SHIFT_JIS.decoder().decode_to_utf8(&[0x82, 0xa0], &mut b, true);
    p.written as u32
}
