//! Pointer and keyboard semantics that all backends share: how a cursor travels and how text
//! becomes keys. Pure; the backends only translate the results into raw events.

pub(crate) mod path;
pub(crate) mod typing;
