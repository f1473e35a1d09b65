//! The WHATWG Encoding Standard, transcribed step by step: the oracle that the library is compared with.
//!
//! <https://encoding.spec.whatwg.org/>
//!
//! Contains every algorithm of sections 3 to 14, in the standard's order and with its names. The numbers in comments
//! at the ends of lines are the standard's step numbers. The code is not optimised. The tables are read once from the
//! files in `indexes/`, by a parser that is used nowhere else.
//!
//! | section | module |
//! |---|---|
//! | 3 Terminology: I/O queues | [`io_queue`] |
//! | 4.1 Encoders and decoders | [`handler`] |
//! | 4.2 Names and labels, 4.3 Output encodings | [`encoding`] |
//! | 5 Indexes | [`indexes`] |
//! | 6 Hooks for standards | [`hooks`] |
//! | 7 API | [`web`] |
//! | 8 to 14 The encodings | [`codec`] |
//!
//! Three modules are not part of the standard: [`run`] adds error positions to "process a queue", [`spelling`] has strings that
//! may be labels, and [`outside`] has encodings that are not in the standard. The crate's root re-exports them for tests:
//!
//! ```
//! use spec_model::{Bom, Encoding, Mode, decode};
//!
//! let decoded = decode(Encoding::GB18030, b"\x81\x30!", Bom::Keep, Mode::Replacement);
//! assert_eq!(decoded.text, "\u{FFFD}0!");
//! assert_eq!(decoded.errors, [0..1]);
//! ```

pub mod codec;
pub mod encoding;
pub mod handler;
pub mod hooks;
pub mod indexes;
pub mod io_queue;
pub mod outside;
pub mod run;
pub mod spelling;
pub mod web;

pub use encoding::{Encoding, get_an_encoding, get_an_output_encoding};
pub use handler::{EncodeMode, Mode};
pub use run::{Bom, Decoded, Encoded, decode, decode_into, encode, encode_into};
pub use spelling::{Spelling, spellings};
pub use web::scalar_values;
