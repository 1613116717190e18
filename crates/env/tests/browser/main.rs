//! Real Chromium, driven through the public environment API. One file per concern.

mod dialogs;
mod frames;
mod framesets;
mod keyboard;
mod pointer;
mod process;
mod support;
mod tabs;
