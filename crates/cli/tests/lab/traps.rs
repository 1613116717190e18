//! Lab pages: traps.
