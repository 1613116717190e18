//! Environments a brain can drive. `environment` is the trait, `browser` drives Chromium over the
//! DevTools protocol, `desktop` an X11 display, `input` holds the pointer and keyboard semantics that all backends share.

mod ask_server;
pub mod browser;
mod cdp;
pub mod desktop;
mod environment;
mod error;
mod input;
mod inspect;
mod local_http;
mod owner;

pub use ask_server::{Redirects, ServerAnswer, ServerQuestion, ask_server};
pub use environment::{
    EffectSource, Environment, Found, Happenings, Matching, Receipt, SettleKind, Settled, Sight, Table, Tables,
    WatcherBox,
};
pub use error::{ALLOWLIST_REFUSED, CallFailure, EnvError};
pub use local_http::local_client;
