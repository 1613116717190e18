//! Environments a brain can drive. `environment` is the trait, `browser` drives Chromium over the
//! DevTools protocol, `input` holds the pointer and keyboard semantics that all backends share.

pub mod browser;
mod cdp;
mod environment;
mod error;
mod input;
mod local_http;

pub use environment::{EffectSource, Environment, Happenings, Receipt, SettleKind, Settled, Sight, WatcherBox};
pub use error::{CallFailure, EnvError};
pub use local_http::local_client;
