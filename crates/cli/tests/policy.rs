//! The policy and its confirmations as a user meets them: real pages in a real Chromium, a real terminal for
//! the question, and the page's own server to say whether anything was done.

#[cfg(test)]
#[path = "cli/bench.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod bench;
#[cfg(test)]
#[path = "policy/carried.rs"]
mod carried;
#[cfg(test)]
#[path = "policy/composers.rs"]
mod composers;
#[cfg(test)]
#[path = "cli/pages.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod pages;
#[cfg(test)]
#[path = "policy/patterns.rs"]
mod patterns;
#[cfg(test)]
#[path = "policy/person.rs"]
mod person;
#[cfg(test)]
#[path = "policy/commands.rs"]
mod policy_commands;
#[cfg(test)]
#[path = "cli/processes.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod processes;
#[cfg(test)]
#[path = "policy/refused.rs"]
mod refused;
#[cfg(test)]
#[path = "policy/seen.rs"]
mod seen;
#[cfg(test)]
#[path = "policy/terminal.rs"]
mod terminal;
#[cfg(test)]
#[path = "cli/tools_client.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod tools_client;
