//! The binary as a user meets it: real arguments, a real Chromium, exit codes and what is printed.
//! The modules are marked as tests so that their helpers, too, may unwrap.

#[cfg(test)]
mod ablate;
#[cfg(test)]
mod attacks;
#[cfg(test)]
mod bench;
#[cfg(test)]
mod brains;
#[cfg(test)]
mod commands;
#[cfg(test)]
mod crm;
#[cfg(test)]
mod demo;
#[cfg(test)]
mod dialogs;
#[cfg(test)]
mod downloads;
#[cfg(test)]
mod endings;
#[cfg(test)]
mod exec_brains;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod following;
#[cfg(test)]
mod governor;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod interrupts;
#[cfg(test)]
mod kills;
#[cfg(test)]
mod lessons;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod processes;
#[cfg(test)]
mod session_state;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod targets;
#[cfg(test)]
mod toggles;
#[cfg(test)]
mod tools;
#[cfg(test)]
mod tools_client;
#[cfg(test)]
mod tools_lines;
#[cfg(test)]
mod trajectories;
#[cfg(test)]
mod turns;
#[cfg(test)]
mod usage;
mod verification;
