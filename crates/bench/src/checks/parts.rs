//! The checks of one step, each as the run loop calls it, on the frames and facts of a real click.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::json;
use surehand_checks::action::Action;
use surehand_checks::after::feedback::{EffectFacts, PageState, product_feedback, sentence};
use surehand_checks::after::frame_hash::{FrameHash, phash_64, region_hash};
use surehand_checks::after::loops::detector::{self, DetectorRules, Sample, Seen as SeenEffect};
use surehand_checks::after::perceptual::{Deed, PerceptualCheck, PerceptualRules, Shown, verify};
use surehand_checks::after::pixels::{changed_beyond, changed_tiles};
use surehand_checks::after::predicates::{FrameFacts, Predicate, PredicateRules, Seen, evaluate_all, parse};
use surehand_checks::after::probe::Manner;
use surehand_checks::done::gate::{self, GateInput, GateRules, GateStep};
use surehand_checks::picture;
use surehand_types::{EffectStatus, Observation, Pixels};

use super::capture::Pair;
use crate::statistics::Times;

const ROUNDS: usize = 300;
/// Steps that the loop detector looks back on: a long run.
const SAMPLES: usize = 64;
const PREDICTION: &str =
    "Predicted: url_contains:/saved, title_changed, title_contains:after, field_focused:email, frame_changed";

#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    pub(super) name: &'static str,
    #[serde(flatten)]
    pub(super) times: Times,
}

/// What the checks of the step are given.
pub(super) struct Step<'a> {
    before: &'a Observation,
    after: &'a Observation,
    pair: &'a Pair,
    action: Action,
    hash_before: Option<FrameHash>,
    samples: Vec<Sample>,
    predicates: Vec<Predicate>,
}

impl<'a> Step<'a> {
    pub(super) fn of(pair: &'a Pair) -> Result<Step<'a>> {
        let dispatched = pair.acted.dispatched.as_ref().context("the click has no place")?;
        let place = json!({ "x": dispatched.x, "y": dispatched.y });
        let action = Action { reasoning: "save the form".into(), ..Action::new("click", place) };
        let after = &pair.acted.observation;
        let hash_before = phash_64(&pair.before.frame.pixels);
        let samples = (0..SAMPLES).map(|step| sample(step, &action, after, hash_before)).collect();
        let predicates = parse(PREDICTION, &PredicateRules::default());
        Ok(Step { before: &pair.before, after, pair, action, hash_before, samples, predicates })
    }

    /// Each check for itself.
    pub(super) fn parts(&self) -> Vec<Row> {
        let check = self.perceptual(self.frame_hash());
        let copy = self.after_pixels().clone();
        [
            row("frame hash", || self.frame_hash()),
            row("crop hash, 200x200", || self.crop_hash()),
            // Of equal frames: different ones are told apart at the first byte that differs.
            row("all pixels compared", || black_box(&copy.rgb) == &self.after_pixels().rgb),
            row("tile diff", || changed_tiles(&self.before.frame, &self.after.frame)),
            row("change beyond the ambient", || self.changed()),
            row("perceptual verify, two crops", || self.perceptual(self.hash_before)),
            row("feedback", || self.feedback(&check)),
            row("loop detector, 64 steps", || self.loops()),
            row("predicates, 5 of them", || self.predictions(FrameFacts::Pixels { changed: true })),
            row("done gate", || self.gate()),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// All that the loop does after a step, one after the other. The hash of the frame before is known
    /// from the step before; the change beyond the ambient is asked for twice, by prediction and memory.
    pub(super) fn whole(&self) -> Option<Times> {
        measured(|| {
            let check = self.perceptual(self.frame_hash());
            let feedback = self.feedback(&check);
            let scored = self.predictions(FrameFacts::of_pixels(self.changed()));
            let changed = self.changed();
            (feedback, scored, changed, self.loops(), self.gate())
        })
    }

    /// The frame's decoding, for comparison: it happens once, and before any check.
    pub(super) fn decoding(&self) -> Result<Times> {
        // Our own encoder's bytes: those of the browser are gone once a frame is decoded.
        let bytes = picture::encode_png(self.after_pixels())?;
        measured(|| picture::decode(black_box(&bytes)).is_ok()).context("no round was timed")
    }

    pub(super) fn hash_times(&self) -> Vec<f64> {
        samples_of(|| self.frame_hash())
    }

    pub(super) fn after_pixels(&self) -> &Pixels {
        &self.after.frame.pixels
    }

    fn frame_hash(&self) -> Option<FrameHash> {
        phash_64(black_box(self.after_pixels()))
    }

    fn crop_hash(&self) -> Option<FrameHash> {
        let place = |name: &str| self.action.number(name).unwrap_or_default() as i64;
        region_hash(black_box(self.after_pixels()), place("x"), place("y"))
    }

    fn perceptual(&self, hash_after: Option<FrameHash>) -> PerceptualCheck {
        let deed = Deed { action: &self.action, thought: "", task: "" };
        let before = Shown::of(&self.before.frame, self.hash_before);
        let after = Shown::of(&self.after.frame, hash_after);
        verify(Some(before), Some(after), black_box(deed), PerceptualRules::default())
    }

    fn changed(&self) -> Option<bool> {
        changed_beyond(black_box(self.before), black_box(self.after))
    }

    fn feedback(&self, check: &PerceptualCheck) -> String {
        let page =
            |at: &'a Observation| PageState { url: at.url.as_deref(), title: at.title.as_deref(), focus: &at.focus };
        let acted = &self.pair.acted;
        let facts = EffectFacts {
            message: &acted.message,
            manner: Some(Manner::Pointer),
            effect: acted.effect.as_ref(),
            hit: acted.hit.as_ref(),
            before: page(self.before),
            after: page(self.after),
            check: Some(check),
        };
        sentence(&acted.message, &product_feedback(black_box(&facts)))
    }

    fn loops(&self) -> detector::LoopDecision {
        detector::judge(black_box(&self.samples), &DetectorRules::default())
    }

    fn predictions(&self, frame: FrameFacts<'_>) -> usize {
        let seen = Seen {
            url: self.after.url.as_deref(),
            previous_url: self.before.url.as_deref(),
            title: self.after.title.as_deref(),
            previous_title: self.before.title.as_deref(),
            focus: &self.after.focus,
            frame,
            ..Seen::default()
        };
        evaluate_all(black_box(&self.predicates), &seen, &PredicateRules::default()).len()
    }

    fn gate(&self) -> gate::GateVerdict {
        let steps: Vec<GateStep<'_>> = self.samples.iter().map(gate_step).collect();
        let fields = ["number".to_string(), "saved".to_string()];
        let input = GateInput {
            summary: "The form was saved and its number is 4711.",
            required_fields: &fields,
            steps: &steps,
            ..GateInput::default()
        };
        gate::judge(black_box(&input), &GateRules::default())
    }
}

/// Different places in turn, so that no window ends the search early.
fn sample(step: usize, action: &Action, after: &Observation, hash: Option<FrameHash>) -> Sample {
    let mut action = action.clone();
    action.params.insert("x".into(), json!(40 + step * 37 % 1200));
    Sample {
        action,
        url: after.url.clone().unwrap_or_default(),
        frame_hash: hash.map(|hash| hash.to_string()).unwrap_or_default(),
        seen: SeenEffect::Changed,
        target: Some(format!("button \"Save {step}\"")),
    }
}

fn gate_step(sample: &Sample) -> GateStep<'_> {
    GateStep {
        action: &sample.action.r#type,
        url: Some(&sample.url),
        frame_hash: &sample.frame_hash,
        effect: Some(EffectStatus::Confirmed),
        url_changed: Some(false),
        tiles_changed: Some(true),
        ..GateStep::default()
    }
}

pub(super) fn row<T>(name: &'static str, work: impl Fn() -> T) -> Option<Row> {
    Some(Row { name, times: measured(work)? })
}

fn measured<T>(work: impl Fn() -> T) -> Option<Times> {
    Times::of(&samples_of(work))
}

fn samples_of<T>(work: impl Fn() -> T) -> Vec<f64> {
    // Once without the clock: cold caches are not what is asked about.
    black_box(work());
    let once = |_| {
        let begun = Instant::now();
        black_box(work());
        begun.elapsed().as_secs_f64() * 1000.0
    };
    (0..ROUNDS).map(once).collect()
}
