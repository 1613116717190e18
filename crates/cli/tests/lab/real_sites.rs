//! Lab pages: real_sites.
