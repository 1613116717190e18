//! The loop's parts with a real Chromium on the built-in CRM, through the public API of the crate.
//! The modules are marked as tests so that their helpers, too, may unwrap.

#[cfg(test)]
mod flow;
#[cfg(test)]
mod frames;
#[cfg(test)]
mod guards;
#[cfg(test)]
mod stage;
