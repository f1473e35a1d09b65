//! The extension module `textcodec._native`. The Python files in `python/textcodec` import everything from here and document it.

use pyo3::prelude::*;

mod arrow;
mod buffer;
mod bytes;
mod codec;
mod decode;
mod detect;
mod encode;
mod encoding;
mod handler;
mod lines;
mod mixed;
mod objects;
mod report;
mod shared;
mod table;
mod text;
mod transcode;

#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::arrow::{ArrowArray, ArrowChunkedArray, arrow_count_errors, arrow_decode, arrow_encode};
    #[pymodule_export]
    use super::codec::{Codec, IncrementalDecoder, IncrementalEncoder};
    #[pymodule_export]
    use super::detect::PyDetector;
    #[pymodule_export]
    use super::encoding::{PyEncoding, encodings, for_bom, get_encoding};
    #[pymodule_export]
    use super::lines::{Line, LineReader};
    #[pymodule_export]
    use super::mixed::PyMixed;
    #[pymodule_export]
    use super::report::{decode, decode_report, encode, prescan, sniff_html};
    #[pymodule_export]
    use super::table::SingleByte;
    #[pymodule_export]
    use super::transcode::{Transcoder, transcode};
}
