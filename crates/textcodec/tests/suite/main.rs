//! What proves the library right. The oracle, `spec-model`, decides; see `docs/design/testing.md`.

mod exhaustive;
mod guard_pages;
mod index;
mod law;
mod mistakes;
mod policies;
mod sizes;
mod standard;
mod stream;
mod text;
