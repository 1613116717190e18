//! Local web sites that the demo, the tests and the eval suites drive.
//!
//! Every site is plain HTML, CSS and JavaScript embedded in the binary, served on a local
//! address, and tells its whole server-side state as JSON, so an outcome can be checked
//! without looking at pixels.
//!
//! To add a site: a folder of assets `sites/<name>/`, a module `sites/src/<name>/` that gives
//! its routes and its state as `SiteParts`, and one variant of [`Site`].

mod board;
mod calendar;
mod control;
mod crm;
mod error;
pub mod fault;
mod hostile;
mod lab;
mod mail;
mod page;
mod parts;
mod player;
mod random;
mod reply;
mod request;
mod request_log;
mod server;
mod shop;
mod site;
mod studio;
mod traps;
mod upload;

pub use error::SiteError;
pub use server::SiteServer;
pub use site::Site;
