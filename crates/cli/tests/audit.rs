//! The audit log after real runs: what it says, what tampering does to it, and that several programs share it.

#[cfg(test)]
#[path = "cli/bench.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod bench;
#[cfg(test)]
#[path = "audit/log.rs"]
mod log;
#[cfg(test)]
#[path = "cli/pages.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod pages;
#[cfg(test)]
#[path = "cli/processes.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod processes;
