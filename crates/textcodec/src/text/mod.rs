//! Text without a decoder or an encoder: Unicode to Unicode, and positions in encoded text.

#[cfg(feature = "alloc")]
mod line_index;
mod split;
pub mod utf;
#[cfg(feature = "alloc")]
pub mod wtf8;

#[cfg(feature = "alloc")]
pub use line_index::{LineIndex, Location};
