//! Lab pages: windows.
