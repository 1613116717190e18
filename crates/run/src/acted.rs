//! What became of one call, and how long its parts took.

use std::time::Instant;

use surehand_env::Happenings;
use surehand_types::event::Confirmation;
use surehand_types::observation::{Candidate, Dialog, Dispatched, ImageKind, Pending};
use surehand_types::result::{GuardRecord, PolicyRecord};
use surehand_types::{CallProblem, Effect, Hit, Observation, Pixels, Surroundings, UiState};

/// What became of a call.
#[derive(Debug)]
pub struct Acted {
    pub ok: bool,
    /// The call came as far as aiming: whatever was waiting before it may be dropped.
    pub(crate) reached: bool,
    pub message: String,
    pub error: Option<CallProblem>,
    pub effect: Option<Effect>,
    pub dispatched: Option<Dispatched>,
    pub hit: Option<Hit>,
    /// What stood around each place that it acted on, before it did.
    pub(crate) around: Vec<Surroundings>,
    pub pending: Option<Pending>,
    pub candidates: Vec<Candidate>,
    /// Pictures beside the frame: what a zoom asked for, or a preview with its crop.
    pub pictures: Vec<(ImageKind, Pixels)>,
    /// The screen as structure, where that was asked for.
    pub ui: Vec<UiState>,
    pub observation: Observation,
    pub happenings: Happenings,
    pub guard: Option<GuardRecord>,
    /// What the policy decided; `None` where there is none.
    pub policy: Option<PolicyRecord>,
    /// What a person was asked, and answered.
    pub confirmation: Option<Confirmation>,
    pub timing: ActTiming,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct ActTiming {
    pub act_ms: f64,
    pub settle_ms: f64,
    pub verify_ms: f64,
}

impl Acted {
    /// Nothing said yet about the call, but how the world looks after it.
    pub(crate) fn of(observation: Observation) -> Acted {
        Acted {
            ok: false,
            reached: true,
            message: String::new(),
            error: None,
            effect: None,
            dispatched: None,
            hit: None,
            around: Vec::new(),
            pending: None,
            candidates: Vec::new(),
            pictures: Vec::new(),
            ui: Vec::new(),
            observation,
            happenings: Happenings::default(),
            guard: None,
            policy: None,
            confirmation: None,
            timing: ActTiming::default(),
        }
    }

    /// A person was asked, and the question was withdrawn before anybody answered.
    pub(crate) fn was_withdrawn(&self) -> bool {
        self.policy.as_ref().is_some_and(PolicyRecord::was_withdrawn)
    }

    /// The dialog that is open now, else the last one that was answered by itself.
    pub fn dialog(&self) -> Option<&Dialog> {
        self.observation.dialog.as_ref().or(self.happenings.answered_dialog.as_ref())
    }
}

pub(crate) struct Clock {
    last: Instant,
    pub(crate) timing: ActTiming,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Clock { last: Instant::now(), timing: ActTiming::default() }
    }

    pub(crate) fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let lap = now.duration_since(self.last).as_secs_f64() * 1000.0;
        self.last = now;
        lap
    }
}
