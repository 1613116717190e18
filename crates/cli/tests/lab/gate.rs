//! Lab pages: gate.
