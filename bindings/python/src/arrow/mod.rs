//! Columns: the Arrow PyCapsule interface.
