//! Readers and writers that decode and encode on the way.
