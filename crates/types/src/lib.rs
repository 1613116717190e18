//! The vocabulary every other crate speaks. Nothing here does IO, reads a clock or knows an async
//! runtime, so a judgement made from these types can be repeated for ever with the same answer.

pub mod api;
pub mod call;
pub mod coords;
pub mod effect;
pub mod event;
pub mod frame;
pub mod keys;
pub mod observation;
pub mod person;
pub mod plan;
pub mod reason;
pub mod referee;
pub mod reply;
pub mod result;
pub mod routine;
pub mod secret;
pub mod settings;
pub mod settings_table;
pub mod surroundings;
pub mod three;
pub mod ui;
pub mod vision;

pub use call::{Call, CallProblem, ParsedCall};
pub use coords::{GridBox, GridPoint, ImagePoint, ViewBox, ViewPoint, ViewSize};
pub use effect::{Effect, EffectStatus, Evidence};
pub use frame::{Encoding, Frame, FrameSource, Pixels};
pub use observation::{Dialog, Focus, Hit, Interactable, Observation, Tab};
pub use reason::{ErrorCode, Termination};
pub use reply::{Problem, Reply, Turn};
pub use result::{RunResult, StepRecord, Verdict};
pub use secret::{Redactor, Secret};
pub use settings::Settings;
pub use surroundings::Surroundings;
pub use three::ThreeValued;
pub use ui::UiState;
