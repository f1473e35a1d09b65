//! Tests of the library against the oracle, `spec-model`. See `docs/design/testing.md`.

mod exhaustive;
mod guard_pages;
mod index;
mod kernel_contract;
mod mistakes;
#[cfg(feature = "oem")]
mod outside;
mod pending;
mod policies;
mod sizes;
mod split;
mod standard;
mod state;
mod stream;
mod surrogates;
mod text;
mod transcoder;
