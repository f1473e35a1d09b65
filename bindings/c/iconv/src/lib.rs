//! TODO.
#![no_std]

use textcodec_c_runtime as _;
