//! What is made at first use.

#[cfg(feature = "oem")]
mod heap;
#[cfg(feature = "std")]
mod place;
pub(crate) mod table;

#[cfg(feature = "oem")]
pub(crate) use heap::{OnceRef, leak};
#[cfg(feature = "std")]
pub(crate) use place::Place;
