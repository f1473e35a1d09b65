//! Functions for text in memory: UTF-8, UTF-16 and Latin-1.
