//! Tests of the library against the oracle, `spec-model`. See ARCHITECTURE.md, "Tests".

mod exhaustive;
mod guard_pages;
mod index;
mod kernel_contract;
mod mistakes;
mod policies;
mod sizes;
mod standard;
mod stream;
mod text;
