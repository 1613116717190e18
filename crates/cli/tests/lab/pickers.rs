//! Lab pages: pickers.
