//! Real Chromium, driven through the public environment API. One file per concern.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the way to say that something is wrong")]

mod dialogs;
mod frames;
mod framesets;
mod keyboard;
mod odd_pages;
mod off_limits;
mod pointer;
mod process;
mod structure;
mod support;
mod tabs;
mod watcher;
