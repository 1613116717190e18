//! Lab pages: files.
