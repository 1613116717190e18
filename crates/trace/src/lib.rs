//! The trace of a run: raw facts appended as they happen, behind the one redaction layer, and
//! every view made from them afterwards. Start reading at `writer`, then `timeline`.

pub mod error;
pub mod read;
pub mod report;
pub mod sink;
pub mod timeline;
pub mod writer;

pub use error::TraceError;
pub use read::{TraceProblem, TraceRead, read_trace};
pub use sink::{EventSink, FrameLibrary, FrameSink, MemoryEvents, MemoryFrames, content_hash};
pub use timeline::{StepView, Timeline};
pub use writer::{Listener, TraceWriter};
