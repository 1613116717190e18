//! Real X servers and real applications, driven through the public environment API. One file per concern.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the way to say that something is wrong")]

mod capture;
mod editor;
mod effects;
mod keyboard;
mod lmms;

mod painter;
mod pointer;
mod process;
mod support;
mod windows;
