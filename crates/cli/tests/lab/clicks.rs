//! Lab pages: clicks.
