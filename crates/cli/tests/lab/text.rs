//! Lab pages: text.
