//! The trace of a run: raw facts appended as they happen, behind the one redaction layer, and
//! every view made from them afterwards. Start reading at `writer`, then `timeline`.

pub mod build;
mod cores;
pub mod error;
pub mod film;
pub mod lanes;
pub mod read;
pub mod report;
pub mod routine;
pub mod sink;
pub mod tail;
pub mod timeline;
pub mod training;
pub mod writer;

pub use build::{CUT_OFF, TimelineBuilder};
pub use error::TraceError;
pub use lanes::{Lane, LaneMarker, MarkerKind, lanes_of};
pub use read::{TraceProblem, TraceRead, read_trace};
pub use sink::{EventSink, FrameLibrary, FrameSink, MemoryEvents, MemoryFrames, content_hash};
pub use tail::TraceTail;
pub use timeline::{Completion, StepView, Timeline};
pub use writer::{Listener, TraceWriter};
