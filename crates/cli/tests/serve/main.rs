//! `surehand serve` as its users meet it: a real server process, real Chromium, plain HTTP.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the way to say that something is wrong")]

mod aftermath;
#[path = "../cli/bench.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod bench;
mod client;
mod crowd;
mod crowded;
mod demo;
mod doors;
mod ends;
mod glance;
mod handbook;
mod hostile;
mod in_hand;
mod itself;
mod lessons;
mod limits;
mod operator;
#[path = "../cli/pages.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod pages;
mod people;
mod plan_pages;
mod plan_people;
mod plans;
#[path = "../cli/processes.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod processes;
mod receiver;
mod remote;
mod runs;
mod service;
mod starts;
mod stops;
mod taken_back;
mod tokens;
mod web_pages;
mod webhooks;
