//! The one way into a trace. Every event and every frame passes here, so redaction, masking, the
//! contiguous sequence and the time stamp are applied in exactly one place.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use surehand_checks::picture;
use surehand_types::event::{Envelope, Event, FrameStored, NoteLevel, TRACE_VERSION};
use surehand_types::{Encoding, Observation, Pixels, Redactor, ViewBox};

use crate::error::TraceError;
use crate::read::MAX_LINE_BYTES;
use crate::sink::{EventSink, FrameSink};

/// Is told about each event after it is safely in the sink, in its redacted form.
pub type Listener = Box<dyn FnMut(&Envelope) + Send>;

/// Writes the trace of one run.
pub struct TraceWriter {
    run_id: String,
    events: Box<dyn EventSink>,
    frames: Arc<dyn FrameSink>,
    redactor: Redactor,
    listeners: Vec<Listener>,
    next_seq: u64,
    recorded: HashMap<u64, String>,
    last_frame: Option<LastFrame>,
}

/// The newest frame, so that an unchanged picture under a new id is not encoded again.
struct LastFrame {
    pixels: Arc<Pixels>,
    masks: Vec<ViewBox>,
    sha256: String,
}

impl TraceWriter {
    pub fn new(
        run_id: impl Into<String>,
        events: Box<dyn EventSink>,
        frames: Arc<dyn FrameSink>,
        redactor: Redactor,
        listeners: Vec<Listener>,
    ) -> Self {
        TraceWriter {
            run_id: run_id.into(),
            events,
            frames,
            redactor,
            listeners,
            next_seq: 1,
            recorded: HashMap::new(),
            last_frame: None,
        }
    }

    /// Goes on with a trace whose last event has this number.
    pub fn after(self, last_seq: u64) -> Self {
        TraceWriter { next_seq: last_seq + 1, ..self }
    }

    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// Appends one event and returns its sequence number. After an error the number is not used
    /// up, so the sequence in the file stays contiguous.
    pub fn record(&mut self, event: Event) -> Result<u64, TraceError> {
        let seq = self.next_seq;
        let (envelope, line) =
            self.finished_line(Envelope { v: TRACE_VERSION, seq, at: now(), run_id: self.run_id.clone(), event })?;
        self.events.append_line(&line).map_err(TraceError::Append)?;
        self.next_seq += 1;
        for listener in &mut self.listeners {
            listener(&envelope);
        }
        Ok(seq)
    }

    /// Stores the observation's frame with its masks filled, records it the first time its id is
    /// seen, and returns the content hash under which it is kept.
    pub fn frame(&mut self, observation: &Observation) -> Result<String, TraceError> {
        let frame = &observation.frame;
        if let Some(sha256) = self.recorded.get(&frame.id) {
            return Ok(sha256.clone());
        }
        let sha256 = match &self.last_frame {
            Some(last) if last.shows_the_same(observation) => last.sha256.clone(),
            _ => self.store(observation)?,
        };
        self.record(Event::Frame(FrameStored {
            frame_id: frame.id,
            sha256: sha256.clone(),
            width: frame.pixels.width,
            height: frame.pixels.height,
            format: Encoding::Png.extension().to_string(),
            captured_at_ms: frame.captured_at_ms,
            stale: frame.stale,
            view: Some(frame.view),
        }))?;
        self.recorded.insert(frame.id, sha256.clone());
        self.last_frame =
            Some(LastFrame { pixels: frame.pixels.clone(), masks: observation.masks.clone(), sha256: sha256.clone() });
        Ok(sha256)
    }

    /// The hash of a frame that was recorded through this writer, by its number.
    pub fn recorded_frame(&self, id: u64) -> Option<&str> {
        self.recorded.get(&id).map(String::as_str)
    }

    pub fn has_recorded(&self, sha256: &str) -> bool {
        self.recorded.values().any(|known| known == sha256)
    }

    fn store(&self, observation: &Observation) -> Result<String, TraceError> {
        let pixels = &observation.frame.pixels;
        let encoded = if observation.masks.is_empty() {
            picture::encode_png(pixels)
        } else {
            let mut masked = Pixels::clone(pixels);
            picture::fill_boxes(&mut masked, observation.frame.view, &observation.masks);
            picture::encode_png(&masked)
        };
        let bytes = encoded.map_err(TraceError::Encode)?;
        self.frames.put(&bytes, Encoding::Png).map_err(TraceError::StoreFrame)
    }

    /// The redacted envelope and its line. An event that would not survive being read back is
    /// replaced by a note that says so: a gap or an unreadable line would be worse.
    fn finished_line(&self, envelope: Envelope) -> Result<(Envelope, String), TraceError> {
        let (mut envelope, mut line) = self.redacted(envelope)?;
        if line.len() > MAX_LINE_BYTES
            && let Event::RunEnded { result } = &mut envelope.event
        {
            // The steps are in the trace already, one event each; readers take them from there.
            result.trajectory.clear();
            line = to_line(&envelope)?;
        }
        if line.len() > MAX_LINE_BYTES {
            envelope.event = Event::Note {
                level: NoteLevel::Warning,
                message: format!(
                    "an event of {} MiB was left out: it is over the size a trace line may have",
                    line.len() / (1024 * 1024)
                ),
            };
            line = to_line(&envelope)?;
        }
        Ok((envelope, line))
    }

    fn redacted(&self, envelope: Envelope) -> Result<(Envelope, String), TraceError> {
        if self.redactor.is_empty() {
            let line = to_line(&envelope)?;
            return Ok((envelope, line));
        }
        let redacted = match self.redactor.copy_of(&envelope) {
            Some(redacted) => redacted,
            None => Envelope {
                event: Event::Note {
                    level: NoteLevel::Warning,
                    message: "an event was left out: it cannot be told without a secret".into(),
                },
                ..envelope
            },
        };
        let line = to_line(&redacted)?;
        Ok((redacted, line))
    }
}

impl LastFrame {
    fn shows_the_same(&self, observation: &Observation) -> bool {
        self.masks == observation.masks
            && (Arc::ptr_eq(&self.pixels, &observation.frame.pixels) || self.pixels == observation.frame.pixels)
    }
}

impl fmt::Debug for TraceWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TraceWriter")
            .field("run_id", &self.run_id)
            .field("next_seq", &self.next_seq)
            .field("frames", &self.recorded.len())
            .finish_non_exhaustive()
    }
}

/// The current time as the trace writes it: RFC 3339, UTC, milliseconds.
pub fn now() -> String {
    format!("{:.3}", Timestamp::now())
}

fn to_line(envelope: &Envelope) -> Result<String, TraceError> {
    serde_json::to_string(envelope).map_err(TraceError::Serialise)
}
