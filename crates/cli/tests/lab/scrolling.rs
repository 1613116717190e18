//! Lab pages: scrolling.
