//! The loop detector: from the last executed actions and what each left behind, whether the brain goes round
//! in circles.

use surehand_types::{Effect, EffectStatus};

use super::same;
use crate::action::Action;

/// Of the viewport's diagonal, what two clicks on one thing may lie apart.
const TOLERANCE_OF_DIAGONAL: f64 = 0.004;
const SMALLEST_TOLERANCE: i64 = 8;
/// Side of the squares into which the source sorts clicks.
const BUCKET: f64 = 8.0;
/// From this diversity on the window grows: many different actions are a search, not a loop.
const DIVERSE: f64 = 0.6;
/// Up to this diversity the window shrinks: there is little to wait for.
const MONOTONOUS: f64 = 0.3;
const GROWTH: usize = 2;
const SMALLEST_WINDOW: usize = 3;

/// How the detector judges. The default is the product's profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DetectorRules {
    /// From `click_tolerance`.
    pub click_tolerance: i64,
    pub soft_window: usize,
    pub hard_window: usize,
    /// `loop_adaptive`: the window follows diversity and progress.
    pub adaptive: bool,
    /// `effect_fed_loops`
    pub effect_fed: bool,
    pub reading: Reading,
}

/// How actions and states are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Clicks are grouped by their distance, drags drift as well, scroll keys are matched as keys, and states
    /// are equal only where they share a signal.
    Careful,
    /// As the source does it: clicks are sorted into squares, drags never drift, scroll keys are matched by
    /// parts of their names, and a missing signal agrees with everything.
    Source,
}

impl DetectorRules {
    pub const VECTORS: DetectorRules = DetectorRules {
        click_tolerance: SMALLEST_TOLERANCE,
        soft_window: 3,
        hard_window: 8,
        adaptive: true,
        effect_fed: false,
        reading: Reading::Source,
    };
}

impl Default for DetectorRules {
    fn default() -> Self {
        DetectorRules { effect_fed: true, reading: Reading::Careful, ..DetectorRules::VECTORS }
    }
}

/// One executed action and what was there after it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sample {
    pub action: Action,
    /// Empty when it is not known.
    pub url: String,
    /// Empty when there is none.
    pub frame_hash: String,
    pub seen: Seen,
    /// What the action hit, by a name that stays the same from step to step.
    pub target: Option<String>,
}

/// What an action was seen to do, in the words that loops need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Seen {
    #[default]
    Unmeasured,
    NoEffect,
    /// Only the focus or the caret moved, or was there already: the typical loop on one field.
    FocusOnly,
    Changed,
}

impl Seen {
    pub fn of(effect: &Effect) -> Seen {
        match effect.status {
            EffectStatus::NoEffect => Seen::NoEffect,
            EffectStatus::Confirmed => {
                let only_focus = effect.evidence.iter().all(|fact| matches!(fact.kind.as_str(), "focus" | "caret"));
                if only_focus && !effect.evidence.is_empty() { Seen::FocusOnly } else { Seen::Changed }
            }
            EffectStatus::Unverifiable | EffectStatus::Refused => Seen::Unmeasured,
        }
    }
}

/// What one window shows.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LoopSigns {
    /// The same action again and again.
    pub repeat: bool,
    /// The same pointer action on almost the same place.
    pub drift: bool,
    /// Nothing in the world changed.
    pub state: bool,
    /// Every action was measured and did nothing.
    pub dead: bool,
    /// Different actions as a share of all.
    pub diversity: f64,
    pub progressed: bool,
}

impl LoopSigns {
    pub fn any(&self) -> bool {
        self.repeat || self.drift || self.state || self.dead
    }

    fn kind(&self) -> Option<LoopKind> {
        match self {
            LoopSigns { dead: true, .. } => Some(LoopKind::DeadActions),
            LoopSigns { repeat: true, .. } => Some(LoopKind::Repeat),
            LoopSigns { drift: true, .. } => Some(LoopKind::Drift),
            LoopSigns { state: true, .. } => Some(LoopKind::State),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopKind {
    /// Two actions on one target, both without effect.
    DeadTarget,
    DeadActions,
    Repeat,
    Drift,
    State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopDecision {
    None,
    Soft(LoopKind),
    Hard(LoopKind),
}

/// How far apart two clicks on one thing may lie in a viewport of this size.
pub fn click_tolerance(width: f64, height: f64) -> i64 {
    let tolerance = (width.hypot(height) * TOLERANCE_OF_DIAGONAL).round_ties_even();
    // A cast saturates, and makes zero of what is not a number.
    (tolerance as i64).max(SMALLEST_TOLERANCE)
}

/// The decision about all samples so far, oldest first.
pub fn judge(samples: &[Sample], rules: &DetectorRules) -> LoopDecision {
    if let Some(kind) = loop_in(samples, rules.hard_window, rules) {
        return LoopDecision::Hard(kind);
    }
    match dead_target(samples, rules)
        .then_some(LoopKind::DeadTarget)
        .or_else(|| loop_in(samples, rules.soft_window, rules))
    {
        Some(kind) => LoopDecision::Soft(kind),
        None => LoopDecision::None,
    }
}

/// The loop that shows with a base window, if any.
pub fn loop_in(samples: &[Sample], base: usize, rules: &DetectorRules) -> Option<LoopKind> {
    let signs = signs(samples, base, rules);
    if !rules.adaptive {
        return signs.kind();
    }
    if signs.progressed {
        return None;
    }
    self::signs(samples, adaptive_window(base, &signs, samples.len()), rules).kind()
}

/// What the last `window` samples show; nothing when there are not that many.
pub fn signs(samples: &[Sample], window: usize, rules: &DetectorRules) -> LoopSigns {
    let Some(tail) = samples.len().checked_sub(window).and_then(|start| samples.get(start..)) else {
        return LoopSigns::default();
    };
    if window < 2 {
        return LoopSigns::default();
    }
    LoopSigns {
        repeat: repeats(tail, rules),
        drift: drifts(tail, rules),
        state: state_stays(tail, rules),
        dead: all_dead(tail, rules),
        diversity: diversity(tail, rules),
        progressed: progressed(tail, rules),
    }
}

/// The window that diversity and progress ask for.
pub fn adaptive_window(base: usize, signs: &LoopSigns, samples: usize) -> usize {
    if samples < base || base < 2 {
        base
    } else if signs.progressed || signs.diversity >= DIVERSE {
        base.saturating_add(GROWTH)
    } else if signs.diversity <= MONOTONOUS {
        base.saturating_sub(1).max(SMALLEST_WINDOW.min(base))
    } else {
        base
    }
}

/// Two actions without effect on one target, and nothing between them that could have helped: there is nothing
/// to be learned from a third.
fn dead_target(samples: &[Sample], rules: &DetectorRules) -> bool {
    let quiet = samples.iter().rev().take_while(|sample| is_quiet(sample));
    let mut dead = quiet.filter(|sample| is_dead(sample));
    let Some(last) = dead.next().filter(|_| rules.effect_fed && samples.last().is_some_and(is_dead)) else {
        return false;
    };
    dead.any(|before| same_target(before, last, rules))
}

/// Every action of the window did nothing; waits between them may be quiet.
fn all_dead(tail: &[Sample], rules: &DetectorRules) -> bool {
    rules.effect_fed && tail.iter().all(is_quiet) && tail.iter().filter(|sample| is_dead(sample)).count() >= 2
}

/// A wait does nothing by itself, which is not a failure.
fn is_dead(sample: &Sample) -> bool {
    sample.seen == Seen::NoEffect && !is_wait(sample)
}

fn is_quiet(sample: &Sample) -> bool {
    sample.seen == Seen::NoEffect || (is_wait(sample) && sample.seen == Seen::Unmeasured)
}

fn is_wait(sample: &Sample) -> bool {
    sample.action.r#type == "wait"
}

fn same_target(one: &Sample, other: &Sample, rules: &DetectorRules) -> bool {
    match (same::places(&one.action), same::places(&other.action)) {
        (Some(here), Some(there)) => match (&one.target, &other.target) {
            (Some(this), Some(that)) => this == that,
            _ => same::near(&here, &there, same::tolerance_for(&one.action.reasoning, rules.click_tolerance)),
        },
        (None, None) => one.target == other.target && same_action(&one.action, &other.action),
        _ => false,
    }
}

fn same_action(one: &Action, other: &Action) -> bool {
    one.r#type == other.r#type && same::same_params(&one.params, &other.params)
}

fn repeats(tail: &[Sample], rules: &DetectorRules) -> bool {
    let Some((first, rest)) = tail.split_first() else { return false };
    if !rest.iter().all(|sample| same_action(&first.action, &sample.action)) {
        return false;
    }
    let scrolls = match rules.reading {
        Reading::Careful => same::is_scroll_like(&first.action),
        Reading::Source => same::is_scroll_like_by_parts(&first.action),
    };
    let moved = differ(tail.iter().map(|sample| sample.frame_hash.as_str())) || changed(tail, rules);
    !(scrolls && moved)
}

fn drifts(tail: &[Sample], rules: &DetectorRules) -> bool {
    let Some((first, rest)) = tail.split_first() else { return false };
    if first.action.r#type == "drag" && rules.reading == Reading::Source {
        return false;
    }
    let Some(start) = same::places(&first.action) else { return false };
    let tolerance = same::tolerance_for(&first.action.reasoning, rules.click_tolerance);
    rest.iter().all(|sample| {
        let places = same::places(&sample.action);
        sample.action.r#type == first.action.r#type
            && places.is_some_and(|places| same::near(&start, &places, tolerance))
    })
}

fn state_stays(tail: &[Sample], rules: &DetectorRules) -> bool {
    let Some((first, rest)) = tail.split_first() else { return false };
    if first.url.is_empty() && first.frame_hash.is_empty() {
        return false;
    }
    // The hash is coarse: an effect that was seen is a change, whatever the hash says.
    if changed(tail, rules) {
        return false;
    }
    let stays = |one: &str, other: &str| (!one.is_empty() && !other.is_empty()).then_some(one == other);
    rest.iter().all(|sample| {
        let signals = [stays(&first.url, &sample.url), stays(&first.frame_hash, &sample.frame_hash)];
        let comparable = rules.reading == Reading::Source || signals.iter().any(Option::is_some);
        comparable && !signals.contains(&Some(false))
    })
}

fn progressed(tail: &[Sample], rules: &DetectorRules) -> bool {
    // Where every action was seen to do nothing, another hash is the page's own doing: a clock, a banner.
    let hash_tells = !all_dead(tail, rules);
    differ(tail.iter().map(|sample| sample.url.as_str()))
        || (hash_tells && differ(tail.iter().map(|sample| sample.frame_hash.as_str())))
        || changed(tail, rules)
}

fn changed(tail: &[Sample], rules: &DetectorRules) -> bool {
    rules.effect_fed && tail.iter().any(|sample| sample.seen == Seen::Changed)
}

/// Whether the signals that are there are not all the same.
fn differ<'a>(signals: impl Iterator<Item = &'a str>) -> bool {
    let mut known = signals.filter(|signal| !signal.is_empty());
    let first = known.next();
    known.any(|signal| Some(signal) != first)
}

fn diversity(tail: &[Sample], rules: &DetectorRules) -> f64 {
    let mut different: Vec<&Action> = Vec::new();
    for sample in tail {
        if !different.iter().any(|known| alike(known, &sample.action, rules)) {
            different.push(&sample.action);
        }
    }
    different.len() as f64 / tail.len().max(1) as f64
}

/// Whether two actions count as one when different ones are counted.
fn alike(one: &Action, other: &Action, rules: &DetectorRules) -> bool {
    if one.r#type != other.r#type {
        return false;
    }
    let drag = one.r#type == "drag" && rules.reading == Reading::Source;
    let (Some(here), Some(there), false) = (same::places(one), same::places(other), drag) else {
        return same::same_params(&one.params, &other.params);
    };
    match rules.reading {
        Reading::Careful => same::near(&here, &there, same::tolerance_for(&one.reasoning, rules.click_tolerance)),
        Reading::Source => {
            let square = |point: &(f64, f64)| ((point.0 / BUCKET).floor(), (point.1 / BUCKET).floor());
            here.iter().map(square).eq(there.iter().map(square))
        }
    }
}

#[cfg(test)]
mod tests;
