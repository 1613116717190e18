//! Lab pages: drags.
