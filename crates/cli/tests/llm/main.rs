//! Surehand with a real model behind a real server: llama.cpp with a model far too small for any task. What is checked
//! is that nothing breaks and everything is told. `cargo xtask test --with-llm` installs the server and names this
//! target; it is not among the usual tests.

#[cfg(test)]
#[path = "../cli/bench.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod bench;
#[cfg(test)]
#[path = "../cli/crm.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod crm;
#[cfg(test)]
mod facts;
#[cfg(test)]
#[path = "../cli/processes.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod processes;
#[cfg(test)]
mod relay;
#[cfg(test)]
mod runs;
#[cfg(test)]
mod server;
