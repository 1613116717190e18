//! Who decides the next call. A brain is given a `Turn` and answers with a `Reply`; what it looks
//! like inside (a file, an outside program, later a model) is nobody else's business.
//! Start reading at `Brain`; `open` makes one from a spec like `script:replies.json`.

mod attentive;
mod brain;
mod error;
mod exec;
mod fill;
#[doc(hidden)]
pub mod fuzzing;
mod lines;
mod model;
mod obey;
pub mod prompt;
mod routine;
mod script;
mod spec;
mod stubborn;
mod wire;

pub use attentive::{AttentiveBrain, Goal, Heeds};
pub use brain::{Answer, Brain, DoneOpinion, Reflection, Thought};
pub use error::{BrainError, BrainErrorClass};
pub use exec::ExecBrain;
pub use fill::FillBrain;
pub use lines::{Line, LineSplitter};
pub use model::{ModelOptions, ModelSpec, Probe, eyes, key_variables, models_page, probe};
pub use obey::ObedientBrain;
pub use routine::{RoutineBrain, RoutineSpec, read_routine};
pub use script::ScriptBrain;
pub use spec::{BrainOptions, BrainSpec, open};
pub use stubborn::StubbornBrain;
pub use wire::{PROTOCOL, turn_line};
