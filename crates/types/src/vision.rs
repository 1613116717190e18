//! The seam between the referee and whatever model looks at pictures: brains implement it, the
//! loop injects it, and the referee never has to know a brain.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use crate::frame::{Encoding, Frame};

/// One question about pictures. Carries no conversation on purpose.
#[derive(Debug, Clone)]
pub struct VisionRequest {
    pub system: String,
    pub prompt: String,
    pub images: Vec<VisionImage>,
    pub deadline: Duration,
}

#[derive(Debug, Clone)]
pub struct VisionImage {
    pub label: String,
    pub encoding: Encoding,
    pub bytes: Vec<u8>,
    pub frame: Option<Frame>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct VisionReply {
    pub text: String,
    pub model: String,
    pub cost: f64,
}

/// Why no answer came. Whoever asked treats all of these as "unavailable", never as consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VisionFailure {
    Deadline,
    Refused(String),
    Transport(String),
}

pub type VisionFuture<'a> = Pin<Box<dyn Future<Output = Result<VisionReply, VisionFailure>> + Send + 'a>>;

pub trait VisionModel: Send + Sync {
    fn name(&self) -> &str;
    fn ask<'a>(&'a self, request: &'a VisionRequest) -> VisionFuture<'a>;
}
