//! Judgements about a claimed end of the work. `gate` decides from facts alone, `verifier` reads a model's
//! second opinion, `budget` says what becomes of the done, and `forms` knows which declared values are
//! still to be entered.

pub mod asked;
pub mod budget;
pub mod doing;
pub mod forms;
pub mod gate;
mod last_deed;
pub mod reason;
pub mod verifier;
pub mod words;
