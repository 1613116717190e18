//! Lab pages: keys.
