//! Lab pages: dialogs.
