//! Real Chromium, driven through the public environment API.
