//! What follows from a loop: first a word to the brain, then another action, at last the end of the run.

use super::detector::{LoopDecision, LoopKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponseRules {
    /// `loop_nudges`
    pub nudges: bool,
    /// `loop_recovery`
    pub recovery: bool,
}

impl ResponseRules {
    pub const VECTORS: ResponseRules = ResponseRules { nudges: false, recovery: true };
}

impl Default for ResponseRules {
    fn default() -> Self {
        ResponseRules { nudges: true, recovery: true }
    }
}

/// Whether the brain has been told of the loop that it is in. Starts anew when no loop is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    NotYet,
    Already,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopResponse {
    None,
    /// Tell the brain in the feedback, and let it act.
    Nudge(LoopKind),
    /// Put another class of action in place of the brain's.
    Force(LoopKind),
    /// The run ends as `loop`.
    End(LoopKind),
}

pub fn respond(decision: LoopDecision, told: Told, rules: &ResponseRules) -> LoopResponse {
    match decision {
        LoopDecision::None => LoopResponse::None,
        LoopDecision::Hard(kind) => LoopResponse::End(kind),
        LoopDecision::Soft(kind) => match (rules.nudges, told, rules.recovery) {
            (true, Told::NotYet, _) | (true, Told::Already, false) => LoopResponse::Nudge(kind),
            (_, _, true) => LoopResponse::Force(kind),
            (false, _, false) => LoopResponse::None,
        },
    }
}

impl LoopKind {
    pub fn as_str(self) -> &'static str {
        match self {
            LoopKind::DeadTarget => "dead_target",
            LoopKind::DeadActions => "dead_actions",
            LoopKind::Repeat => "repeat",
            LoopKind::Drift => "drift",
            LoopKind::State => "state",
        }
    }

    /// What was found, for whoever reads the result.
    pub fn finding(self) -> &'static str {
        match self {
            LoopKind::DeadTarget => "actions on the same target had no effect, one after the other",
            LoopKind::DeadActions => "the last actions all had no effect",
            LoopKind::Repeat => "the same action was repeated over and over",
            LoopKind::Drift => "almost the same place was clicked over and over",
            LoopKind::State => "nothing changed over the last actions",
        }
    }

    /// For a brain that went on after the nudge.
    pub fn words_again(self) -> String {
        format!("This was said before: {} The run ends if this goes on.", self.words())
    }

    /// The nudge.
    pub fn words(self) -> &'static str {
        match self {
            LoopKind::DeadTarget => {
                "Two actions on the same target had no effect. A third will not help: try another target or another \
                 way."
            }
            LoopKind::DeadActions => "The last actions all had no effect. Look at the screen anew and try another way.",
            LoopKind::Repeat => "You have repeated the same action. Do something else.",
            LoopKind::Drift => "You keep clicking almost the same place. Use another target, or the keyboard.",
            LoopKind::State => "Nothing has changed over the last actions. Try another way.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nudge_comes_before_force_and_a_hard_loop_ends_the_run() {
        let kind = LoopKind::Repeat;
        let (soft, hard) = (LoopDecision::Soft(kind), LoopDecision::Hard(kind));
        let check = |decision, told, nudges, recovery, expected| {
            assert_eq!(respond(decision, told, &ResponseRules { nudges, recovery }), expected);
        };
        check(LoopDecision::None, Told::Already, true, true, LoopResponse::None);
        check(soft, Told::NotYet, true, true, LoopResponse::Nudge(kind));
        check(soft, Told::Already, true, true, LoopResponse::Force(kind));
        check(soft, Told::NotYet, true, false, LoopResponse::Nudge(kind));
        check(soft, Told::Already, true, false, LoopResponse::Nudge(kind));
        check(soft, Told::NotYet, false, true, LoopResponse::Force(kind));
        check(soft, Told::NotYet, false, false, LoopResponse::None);
        check(hard, Told::NotYet, true, true, LoopResponse::End(kind));
        assert_eq!(respond(soft, Told::NotYet, &ResponseRules::VECTORS), LoopResponse::Force(kind));
    }
}
