//! The inspection governor: a brain that only looks is asked, once per look, to act. Pure: it is told what
//! is about to be called and what came of it, and answers with permissions, retries and the end. It knows
//! nothing of frames; whoever asks says whether there is anything new to see.

mod class;
mod failures;
mod ground;
#[cfg(test)]
mod tests;

use surehand_types::call::Direction;
use surehand_types::result::GovernorSummary;
use surehand_types::{EffectStatus, Settings};

pub use class::{CallClass, Classes};
pub use failures::{Hardness, Reflection};
pub use ground::{Ground, LastSeen};

use failures::Failures;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GovernorRules {
    /// `governor`
    pub enabled: bool,
    /// `governor_streak`
    pub streak: u32,
    /// `governor_classes`
    pub classes: Classes,
    /// How often the same step is tried again before it is spent.
    pub retries: u32,
    /// Spent steps in a row that end the run as `loop`; `None` never ends it.
    pub give_up_after: Option<u32>,
}

impl Default for GovernorRules {
    fn default() -> Self {
        GovernorRules { enabled: true, streak: 2, classes: Classes::Wide, retries: 2, give_up_after: Some(3) }
    }
}

impl GovernorRules {
    pub fn of(settings: &Settings) -> GovernorRules {
        let classes = Classes::named(settings.text("governor_classes"));
        GovernorRules {
            enabled: settings.is_on("governor"),
            streak: u32::try_from(settings.integer("governor_streak")).unwrap_or(2),
            classes,
            // The cases of the narrow classes go on until their steps are used up.
            give_up_after: (classes == Classes::Wide).then_some(3),
            ..GovernorRules::default()
        }
    }
}

/// What came of a call that was let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    pub ok: bool,
    /// `None` where no effect was judged.
    pub effect: Option<EffectStatus>,
    pub picture: Picture,
}

/// Whether the call made the screen look different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    Same,
    Changed,
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    Allow,
    /// Not to be executed; the brain is told `REFUSED`.
    Refuse,
}

/// What a refused brain is told, for every refusal the same.
pub const REFUSED: &str = "Not done: nothing has changed since you last looked. Act now: click, type, press a key, drag \
     or open a page; wait if something is under way; or say done if you have seen what you need.";

/// What becomes of the step number after a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepFate {
    /// The turn goes on as any other: its calls are its steps.
    Goes,
    /// The brain is asked again on the same step, at no cost.
    Again,
    /// Nothing useful came; a step is used up.
    Spent,
    /// Used up, and it was the last the brain gets: the run ends as `loop`.
    GiveUp,
}

/// All that the governor did in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GovernorCounts {
    pub inspections: u32,
    pub blocks: u32,
    pub retries: u32,
    pub invalid: u32,
    pub spent: u32,
    pub reflections: u32,
}

#[derive(Debug, Clone)]
pub struct Governor {
    rules: GovernorRules,
    streak: u32,
    last_scroll: Option<(Direction, Outcome)>,
    turn: TurnFacts,
    retries_in_row: u32,
    spent_in_row: u32,
    failures: Failures,
    counts: GovernorCounts,
}

#[derive(Debug, Clone, Copy, Default)]
struct TurnFacts {
    blocked: bool,
    invalid: bool,
    acted: bool,
}

impl Governor {
    pub fn new(rules: GovernorRules) -> Self {
        Governor {
            rules,
            streak: 0,
            last_scroll: None,
            turn: TurnFacts::default(),
            retries_in_row: 0,
            spent_in_row: 0,
            failures: Failures::default(),
            counts: GovernorCounts::default(),
        }
    }

    /// Another task begins in the same run: nothing was looked at for it yet. The counts go on.
    pub fn next_task(&mut self) {
        *self = Governor { counts: self.counts, ..Governor::new(self.rules) };
    }

    pub fn rules(&self) -> &GovernorRules {
        &self.rules
    }

    pub fn counts(&self) -> GovernorCounts {
        self.counts
    }

    /// What a result records.
    pub fn summary(&self) -> GovernorSummary {
        GovernorSummary { blocks: self.counts.blocks, retries: self.counts.retries }
    }

    /// Asked before every call. A refusal is counted at once.
    pub fn ask(&mut self, class: CallClass, ground: Ground) -> Permission {
        if !self.rules.enabled || !self.is_inspection(class, ground) || self.streak < self.rules.streak {
            return Permission::Allow;
        }
        self.counts.blocks += 1;
        self.turn.blocked = true;
        Permission::Refuse
    }

    /// Told after every call that was let through, with what was known when it was asked about.
    pub fn took(&mut self, class: CallClass, ground: Ground, outcome: Outcome) {
        let inspected = self.is_inspection(class, ground);
        if let CallClass::Scroll(direction) = class {
            self.last_scroll = Some((direction, outcome));
        }
        // Whoever acts has yielded, dead or not: dead actions are the loop detector's business.
        let acted = match class {
            CallClass::Decisive => true,
            CallClass::Reload => outcome.picture != Picture::Same,
            CallClass::Inspection | CallClass::Scroll(_) | CallClass::Neutral => false,
        };
        self.turn.acted |= acted && outcome.ok;
        match class {
            CallClass::Decisive if self.has_effect(outcome) => self.progress(),
            // The same page once more is nothing new to look at.
            CallClass::Reload if outcome.picture != Picture::Same && self.has_effect(outcome) => self.progress(),
            // Further down a page there is something else to see.
            CallClass::Scroll(_) if !inspected && self.has_effect(outcome) => self.streak = 0,
            CallClass::Inspection | CallClass::Scroll(_) if inspected && self.is_mere_look(class, outcome) => {
                self.counts.inspections += 1;
                self.streak = self.streak.saturating_add(1);
            }
            _ => {}
        }
    }

    /// A call that broke its schema. None of its reply was run.
    pub fn invalid(&mut self) {
        self.counts.invalid += 1;
        self.turn.invalid = true;
    }

    /// A failure of the brain's own call; `Some` where it has to reflect before the next one.
    pub fn failed(&mut self, fingerprint: &str, hardness: Hardness) -> Option<Reflection> {
        if !self.rules.enabled {
            return None;
        }
        let due = self.failures.note(fingerprint, hardness);
        self.counts.reflections += u32::from(due.is_some());
        due
    }

    /// Asked after the last call of a turn.
    pub fn turn_over(&mut self) -> StepFate {
        let turn = std::mem::take(&mut self.turn);
        if turn.acted || !(turn.blocked || turn.invalid) {
            // What was let through without being an act is no way out of a row of refusals: only acting is.
            if turn.acted {
                self.retries_in_row = 0;
                self.spent_in_row = 0;
            }
            return StepFate::Goes;
        }
        if self.retries_in_row < self.rules.retries {
            self.retries_in_row += 1;
            self.counts.retries += 1;
            return StepFate::Again;
        }
        self.retries_in_row = 0;
        self.spent_in_row += 1;
        self.counts.spent += 1;
        match self.rules.give_up_after {
            Some(limit) if self.spent_in_row >= limit => StepFate::GiveUp,
            _ => StepFate::Spent,
        }
    }

    fn progress(&mut self) {
        self.streak = 0;
        self.last_scroll = None;
        self.failures.forget();
    }

    // The narrow classes have no effects to go by: what did not fail counts.
    fn has_effect(&self, outcome: Outcome) -> bool {
        match self.rules.classes {
            Classes::Narrow => outcome.ok,
            Classes::Wide => outcome.ok && outcome.effect == Some(EffectStatus::Confirmed),
        }
    }

    // A pointer that opened a menu by hovering did something, though it was only moved. A scroll always does.
    fn is_mere_look(&self, class: CallClass, outcome: Outcome) -> bool {
        let moved_something = outcome.effect == Some(EffectStatus::Confirmed);
        outcome.ok && (self.rules.classes == Classes::Narrow || class != CallClass::Inspection || !moved_something)
    }

    fn is_inspection(&self, class: CallClass, ground: Ground) -> bool {
        match class {
            CallClass::Decisive | CallClass::Reload | CallClass::Neutral => false,
            CallClass::Inspection => self.rules.classes == Classes::Narrow || ground == Ground::Unchanged,
            CallClass::Scroll(direction) => match self.last_scroll {
                Some((last, _)) if last == opposite(direction) => true,
                Some((last, outcome)) => last == direction && outcome.effect == Some(EffectStatus::NoEffect),
                None => false,
            },
        }
    }
}

fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::Up => Direction::Down,
        Direction::Down => Direction::Up,
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
    }
}
