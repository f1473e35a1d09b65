//! The extension module `textcodec._native`. The Python files in `python/textcodec` import everything from here and document it.

use pyo3::prelude::*;

mod arrow;
mod encoding;
mod lines;

#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::arrow::{ArrowArray, ArrowChunkedArray, arrow_count_errors, arrow_decode, arrow_encode};
    #[pymodule_export]
    use super::encoding::{PyEncoding, encodings, for_bom, get_encoding};
    #[pymodule_export]
    use super::lines::{Line, LineReader};
}
