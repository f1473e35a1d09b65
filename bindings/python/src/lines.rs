//! Parts of files that are split at line ends.
