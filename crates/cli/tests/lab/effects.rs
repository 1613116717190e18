//! Lab pages: effects.
