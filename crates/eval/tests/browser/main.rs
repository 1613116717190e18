//! The built-in suites in a real Chromium. The modules are marked as tests so that their helpers, too, may unwrap.

#[cfg(test)]
mod done_suite;
#[cfg(test)]
mod fault_suite;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod place;
