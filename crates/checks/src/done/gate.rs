//! The done gate: whether a claimed success fits the facts that the run has. Deterministic, asks no model;
//! the first reason against the claim wins.

use surehand_types::EffectStatus;

use super::asked::Asked;
use super::doing::Doing;
use super::last_deed;
use super::reason::{RejectReason, Rejection};
use super::words::mentions;

/// Labels that are named before the rest is only counted.
const LABELS_NAMED: usize = 3;

/// How the gate judges. The default is the product's profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateRules {
    pub plan_completion: PlanCompletion,
    pub required_fields_match: FieldMatch,
    pub progress_windows: ProgressWindows,
    pub substituted_waits_count: bool,
    /// Whether a claim is held against what was last done.
    pub last_deed: bool,
    /// Waits in a row without a change that make a done doubtful. Zero switches the check off.
    pub wait_window: usize,
    /// Steps in a row without progress that make a done doubtful. Zero switches the check off.
    pub progress_window: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanCompletion {
    /// Steps that were completed count.
    Evidence,
    /// The position counts, and being at the last step counts as complete.
    Index,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldMatch {
    Words,
    Substring,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressWindows {
    /// A confirmed effect, another url or changed tiles. Read-only tasks need none.
    Effect,
    /// Another url or frame hash.
    Hash,
}

impl GateRules {
    pub const VECTORS: GateRules = GateRules {
        plan_completion: PlanCompletion::Index,
        required_fields_match: FieldMatch::Substring,
        progress_windows: ProgressWindows::Hash,
        substituted_waits_count: true,
        last_deed: false,
        wait_window: 3,
        progress_window: 5,
    };
}

impl Default for GateRules {
    fn default() -> Self {
        GateRules {
            plan_completion: PlanCompletion::Evidence,
            required_fields_match: FieldMatch::Words,
            progress_windows: ProgressWindows::Effect,
            substituted_waits_count: false,
            last_deed: true,
            wait_window: 3,
            progress_window: 5,
        }
    }
}

/// Everything the gate looks at.
#[derive(Debug, Clone, Default)]
pub struct GateInput<'a> {
    pub summary: &'a str,
    pub plan: Option<PlanProgress>,
    /// Labels of declared values that this run has not entered yet.
    pub pending_form_labels: &'a [String],
    /// The same from an outer plan runner, which knows better when it says something, also when it says none.
    pub outer_pending_form_labels: Option<&'a [String]>,
    /// Fields that the answer must have.
    pub required_fields: &'a [String],
    /// Fields that the done's structured output gives a value for: these need no mention in the summary.
    pub output_fields: &'a [String],
    /// What is wrong with the output, where the task says what it has to look like.
    pub output_mismatch: Option<&'a str>,
    /// Oldest first; only the tail matters.
    pub steps: &'a [GateStep<'a>],
    /// Earlier steps of the run are not in `steps`.
    pub steps_cut: bool,
    /// An answer is in `output`, and no change of state was asked for.
    pub read_only: bool,
    /// What the task asks for, where it is known.
    pub asked: Option<Asked>,
    /// What the page says against the last input, where it did not say so from the beginning.
    pub complaint: Option<&'a str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanProgress {
    pub steps: usize,
    /// The current step, from zero.
    pub position: usize,
    /// Steps with evidence of their completion.
    pub completed: usize,
}

/// One past step, with the facts that either profile needs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GateStep<'a> {
    /// The type of the executed action; empty when it is not known.
    pub action: &'a str,
    pub deed: Doing,
    /// The runtime put the action in place of what the brain chose.
    pub substituted: bool,
    pub url: Option<&'a str>,
    /// Empty means no signal.
    pub frame_hash: &'a str,
    pub effect: Option<EffectStatus>,
    /// What was said when policy, allowlist, guard or a person did not allow it.
    pub denied: Option<&'a str>,
    pub url_changed: Option<bool>,
    /// Pixels outside the ambient regions changed.
    pub tiles_changed: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateVerdict {
    Accept,
    Reject(Rejection),
}

/// Judges a `done(success=true)`.
pub fn judge(input: &GateInput<'_>, rules: &GateRules) -> GateVerdict {
    let rejection = empty_summary(input)
        .or_else(|| plan_steps_incomplete(input, rules))
        .or_else(|| pending_form_values(input))
        .or_else(|| summary_missing_required_fields(input, rules))
        .or_else(|| output_mismatch(input))
        .or_else(|| no_observed_delta_after_waits(input, rules))
        .or_else(|| no_progress_in_window(input, rules))
        .or_else(|| rules.last_deed.then(|| last_deed::judge(input)).flatten());
    rejection.map_or(GateVerdict::Accept, GateVerdict::Reject)
}

fn empty_summary(input: &GateInput<'_>) -> Option<Rejection> {
    // Information separators, zero-width and other format characters show nothing either.
    let formats = ['\u{00ad}', '\u{180e}', '\u{feff}', '\u{2800}', '\u{3164}'];
    let unseen = |c: char| {
        formats.contains(&c) || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
    };
    let blank = |c: char| c.is_whitespace() || c.is_control() || unseen(c);
    input
        .summary
        .chars()
        .all(blank)
        .then(|| Rejection::new(RejectReason::EmptySummary, "done(success=true) emitted with empty summary"))
}

fn plan_steps_incomplete(input: &GateInput<'_>, rules: &GateRules) -> Option<Rejection> {
    let plan = input.plan.filter(|plan| plan.steps > 0)?;
    let PlanProgress { steps, position, completed } = plan;
    let detail = match rules.plan_completion {
        PlanCompletion::Index => {
            let remaining = steps.saturating_sub(position.saturating_add(1));
            (remaining > 0).then(|| format!("plan has {remaining} step(s) remaining (at idx {position} of {steps})"))
        }
        PlanCompletion::Evidence => {
            let remaining = steps.saturating_sub(completed);
            (remaining > 0)
                .then(|| format!("plan has {remaining} step(s) remaining ({completed} of {steps} completed)"))
        }
    };
    detail.map(|detail| Rejection::new(RejectReason::PlanStepsIncomplete, detail))
}

fn pending_form_values(input: &GateInput<'_>) -> Option<Rejection> {
    let labels = input.outer_pending_form_labels.unwrap_or(input.pending_form_labels);
    let pending: Vec<&str> = labels.iter().map(String::as_str).filter(|label| !label.is_empty()).collect();
    if pending.is_empty() {
        return None;
    }
    let named = pending.iter().take(LABELS_NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = match pending.len().saturating_sub(LABELS_NAMED) {
        0 => String::new(),
        more => format!(" (+{more} more)"),
    };
    Some(Rejection::new(RejectReason::PendingFormValues, format!("unconsumed form values: {named}{more}")))
}

fn summary_missing_required_fields(input: &GateInput<'_>, rules: &GateRules) -> Option<Rejection> {
    let lowered = input.summary.to_lowercase();
    let given = |field: &String| match rules.required_fields_match {
        FieldMatch::Substring => lowered.contains(&field.to_lowercase()),
        FieldMatch::Words => input.output_fields.contains(field) || mentions(input.summary, field),
    };
    let missing: Vec<&str> =
        input.required_fields.iter().filter(|field| !field.is_empty() && !given(field)).map(String::as_str).collect();
    (!missing.is_empty()).then(|| {
        let detail = format!("summary missing fields: {}", missing.join(", "));
        Rejection::new(RejectReason::SummaryMissingRequiredFields, detail)
    })
}

fn output_mismatch(input: &GateInput<'_>) -> Option<Rejection> {
    let wrong = input.output_mismatch?;
    let detail = format!("the output does not follow its schema: {wrong}");
    Some(Rejection::new(RejectReason::OutputNotAsAsked, detail))
}

fn no_observed_delta_after_waits(input: &GateInput<'_>, rules: &GateRules) -> Option<Rejection> {
    if reads_a_static_page(input, rules) {
        return None;
    }
    let window = Window::last(input.steps, rules.wait_window, rules)?;
    let only_waits = window.counted.iter().all(|step| step.action == "wait");
    let still = match rules.progress_windows {
        ProgressWindows::Hash => same_frame(&window.counted),
        ProgressWindows::Effect => window.progress() == Progress::None,
    };
    (only_waits && still).then(|| {
        let detail = format!("last {} actions are WAIT with stable frame", rules.wait_window);
        Rejection::new(RejectReason::NoObservedDeltaAfterWaits, detail)
    })
}

fn no_progress_in_window(input: &GateInput<'_>, rules: &GateRules) -> Option<Rejection> {
    if reads_a_static_page(input, rules) {
        return None;
    }
    let window = Window::last(input.steps, rules.progress_window, rules)?;
    let still = match rules.progress_windows {
        ProgressWindows::Hash => same_frame(&window.counted) && same_url(&window.counted),
        ProgressWindows::Effect => window.progress() == Progress::None,
    };
    still.then(|| {
        let detail = match rules.progress_windows {
            ProgressWindows::Hash => format!("no URL or frame change in last {} steps", rules.progress_window),
            ProgressWindows::Effect => format!("no action had an effect in the last {} steps", rules.progress_window),
        };
        Rejection::new(RejectReason::NoProgressInWindow, detail)
    })
}

/// Reading leaves no trace on a page, so stillness says nothing about it.
fn reads_a_static_page(input: &GateInput<'_>, rules: &GateRules) -> bool {
    input.read_only && rules.progress_windows == ProgressWindows::Effect
}

/// The tail of the steps in which a check looks.
struct Window<'a> {
    /// As many steps as the window is long.
    counted: Vec<&'a GateStep<'a>>,
    /// The counted steps and what lies between and after them. A wait that the gate put in does not count
    /// against the brain, but a page that moved during it has moved.
    span: &'a [GateStep<'a>],
}

impl<'a> Window<'a> {
    /// `None` when there are not enough steps, or when one of them is not known.
    fn last(steps: &'a [GateStep<'a>], length: usize, rules: &GateRules) -> Option<Window<'a>> {
        if length == 0 {
            return None;
        }
        let counts =
            |step: &GateStep<'_>| rules.substituted_waits_count || !(step.substituted && step.action == "wait");
        let tail = steps.iter().enumerate().rev().filter(|(_, step)| counts(step)).take(length);
        let (places, counted): (Vec<usize>, Vec<&GateStep<'a>>) = tail.unzip();
        let first = *places.last()?;
        let known = counted.len() == length && counted.iter().all(|step| !step.action.is_empty());
        known.then(|| Window { counted, span: steps.get(first..).unwrap_or_default() })
    }

    fn progress(&self) -> Progress {
        if self.span.iter().any(|step| step_progress(step) == Progress::Made) {
            Progress::Made
        } else if self.counted.iter().all(|step| step_progress(step) == Progress::None) {
            Progress::None
        } else {
            Progress::Unknown
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Made,
    None,
    Unknown,
}

fn step_progress(step: &GateStep<'_>) -> Progress {
    let confirmed = step.effect == Some(EffectStatus::Confirmed);
    if confirmed || step.url_changed == Some(true) || step.tiles_changed == Some(true) {
        Progress::Made
    } else if matches!(step.effect, Some(EffectStatus::NoEffect | EffectStatus::Refused))
        || step.tiles_changed == Some(false)
    {
        Progress::None
    } else {
        Progress::Unknown
    }
}

/// No signal is no proof of stillness.
fn same_frame(steps: &[&GateStep<'_>]) -> bool {
    let first = steps.first().map_or("", |step| step.frame_hash);
    !first.is_empty() && steps.iter().all(|step| step.frame_hash == first)
}

fn same_url(steps: &[&GateStep<'_>]) -> bool {
    let first = steps.first().and_then(|step| step.url);
    first.is_some() && steps.iter().all(|step| step.url == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &GateInput<'_>, rules: &GateRules, expected: Option<RejectReason>) {
        let reason = match judge(input, rules) {
            GateVerdict::Accept => None,
            GateVerdict::Reject(rejection) => Some(rejection.reason),
        };
        assert_eq!(reason, expected, "{input:?}");
    }

    fn product(input: &GateInput<'_>, expected: Option<RejectReason>) {
        check(input, &GateRules::default(), expected);
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| text.to_string()).collect()
    }

    fn dead(action: &str) -> GateStep<'_> {
        GateStep {
            action,
            url: Some("u"),
            frame_hash: "a",
            effect: Some(EffectStatus::NoEffect),
            url_changed: Some(false),
            tiles_changed: Some(false),
            ..GateStep::default()
        }
    }

    fn with_steps<'a>(steps: &'a [GateStep<'a>]) -> GateInput<'a> {
        GateInput { summary: "Order placed", steps, ..GateInput::default() }
    }

    #[test]
    fn dev_19_a_field_is_mentioned_as_a_word() {
        let required = strings(&["id"]);
        let input = GateInput { summary: "identity confirmed", required_fields: &required, ..GateInput::default() };
        product(&input, Some(RejectReason::SummaryMissingRequiredFields));
        check(&input, &GateRules::VECTORS, None);
        product(&GateInput { summary: "the id is 5", ..input.clone() }, None);
        product(&GateInput { output_fields: &required, ..input }, None);
    }

    #[test]
    fn dev_20_reading_a_static_page_is_no_reason_to_refuse() {
        let steps = [dead("scroll"); 5];
        let reading = GateInput { summary: "The price shown is 49 EUR", read_only: true, ..with_steps(&steps) };
        product(&reading, None);
        check(&reading, &GateRules::VECTORS, Some(RejectReason::NoProgressInWindow));
        product(&GateInput { read_only: false, ..reading.clone() }, Some(RejectReason::NoProgressInWindow));
        let waits = [dead("wait"); 3];
        product(&GateInput { steps: &waits, ..reading }, None);
    }

    #[test]
    fn dev_21_a_plan_is_complete_when_its_steps_are() {
        let plan = |completed| GateInput {
            summary: "All done",
            plan: Some(PlanProgress { steps: 2, position: 1, completed }),
            ..GateInput::default()
        };
        product(&plan(1), Some(RejectReason::PlanStepsIncomplete));
        product(&plan(2), None);
        check(&plan(1), &GateRules::VECTORS, None);
    }

    #[test]
    fn the_first_reason_wins() {
        let (labels, fields, steps) = (strings(&["otp"]), strings(&["total"]), [dead("wait"); 5]);
        let mut input = GateInput {
            summary: " ",
            plan: Some(PlanProgress { steps: 2, position: 0, completed: 0 }),
            pending_form_labels: &labels,
            required_fields: &fields,
            ..with_steps(&steps)
        };
        product(&input, Some(RejectReason::EmptySummary));
        input.summary = "did it";
        product(&input, Some(RejectReason::PlanStepsIncomplete));
        input.plan = None;
        product(&input, Some(RejectReason::PendingFormValues));
        input.outer_pending_form_labels = Some(&[]);
        product(&input, Some(RejectReason::SummaryMissingRequiredFields));
        input.summary = "did it, total 5";
        product(&input, Some(RejectReason::NoObservedDeltaAfterWaits));
        let other = [dead("click"), dead("click"), dead("wait"), dead("scroll"), dead("wait")];
        input.steps = &other;
        product(&input, Some(RejectReason::NoProgressInWindow));
        input.steps = &other[1..];
        product(&input, None);
    }

    #[test]
    fn labels_from_outside_replace_the_inner_ones() {
        let (inner, outer) = (strings(&["password"]), strings(&["captcha"]));
        let input = GateInput { summary: "did it", outer_pending_form_labels: Some(&outer), ..GateInput::default() };
        product(&input, Some(RejectReason::PendingFormValues));
        let none: &[String] = &[];
        let emptied = GateInput {
            summary: "did it",
            pending_form_labels: &inner,
            outer_pending_form_labels: Some(none),
            ..GateInput::default()
        };
        product(&emptied, None);
        check(&emptied, &GateRules::VECTORS, None);
    }

    #[test]
    fn waits_that_the_gate_put_in_do_not_feed_its_windows() {
        let put_in = GateStep { substituted: true, ..dead("wait") };
        let steps = [dead("wait"), dead("wait"), put_in];
        product(&with_steps(&steps), None);
        let counted = GateRules { substituted_waits_count: true, ..GateRules::default() };
        check(&with_steps(&steps), &counted, Some(RejectReason::NoObservedDeltaAfterWaits));
        let waited = [dead("wait"), dead("wait"), dead("wait"), put_in];
        product(&with_steps(&waited), Some(RejectReason::NoObservedDeltaAfterWaits));
        // The page came while the gate made the brain wait.
        let came = [dead("wait"), dead("wait"), dead("wait"), GateStep { tiles_changed: Some(true), ..put_in }];
        product(&with_steps(&came), None);
    }

    #[test]
    fn progress_is_an_effect_and_not_the_coarse_hash() {
        let mut steps = [dead("click"); 5];
        steps[2].effect = Some(EffectStatus::Confirmed);
        product(&with_steps(&steps), None);
        check(&with_steps(&steps), &GateRules::VECTORS, Some(RejectReason::NoProgressInWindow));
        let mut ticking = [dead("click"); 5];
        for (step, hash) in ticking.iter_mut().zip(["a", "b", "c", "d", "e"]) {
            step.frame_hash = hash;
        }
        product(&with_steps(&ticking), Some(RejectReason::NoProgressInWindow));
        check(&with_steps(&ticking), &GateRules::VECTORS, None);
    }

    #[test]
    fn what_was_not_measured_is_no_reason_to_refuse() {
        let unknown = GateStep { action: "click", ..GateStep::default() };
        product(&with_steps(&[unknown; 5]), None);
        check(&with_steps(&[unknown; 5]), &GateRules::VECTORS, None);
        let mut steps = [dead("wait"); 5];
        steps[4] = GateStep { action: "wait", effect: Some(EffectStatus::Unverifiable), ..GateStep::default() };
        product(&with_steps(&steps), None);
    }

    #[test]
    fn windows_of_no_length_are_off() {
        let steps = [dead("wait"); 9];
        let rules = GateRules { wait_window: 0, progress_window: 0, ..GateRules::default() };
        check(&with_steps(&steps), &rules, None);
    }
}
