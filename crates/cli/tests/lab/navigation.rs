//! Lab pages: navigation.
