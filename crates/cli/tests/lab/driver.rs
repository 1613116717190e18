//! Lab pages: driver.
