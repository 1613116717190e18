//! Lab pages: shapes.
