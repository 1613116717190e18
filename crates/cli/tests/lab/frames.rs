//! Lab pages: frames.
