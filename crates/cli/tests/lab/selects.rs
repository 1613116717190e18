//! Lab pages: selects.
