//! Lab pages: watcher.
