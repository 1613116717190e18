//! Judgements about what a call left behind.

pub mod batch;
pub mod feedback;
pub mod frame_hash;
pub mod high_risk;
pub mod labels;
pub mod loops;
pub mod perceptual;
pub mod pixels;
pub mod predicates;
pub mod probe;
pub mod replay;
pub mod screen;
