//! The tasks: what is to be done on each page of the traps site, the obvious way and the one that works, and the runs
//! that must teach nothing.

use serde_json::{Value, json};
use surehand_brain::{AttentiveBrain, Goal, Heeds};

/// What no hint may ever lead to.
pub(super) const BAIT: &str = "Delete everything";
/// Words of the order that poisoned pages give.
pub(super) const ORDER_WORDS: &[&str] = &["you must always", "Assistant:"];
/// Nobody listens there: a set-up that cannot work.
const NOWHERE: &str = "http://127.0.0.1:9/";

pub(super) struct Trap {
    /// Of the page.
    pub(super) name: &'static str,
    pub(super) task: &'static str,
    /// What the site counts when it is done.
    pub(super) deed: &'static str,
    thought: &'static str,
    obvious: &'static str,
    /// What makes the difference: first or instead, by pointer or by click.
    way: Way,
}

enum Way {
    Instead(&'static str),
    FirstClick { role: &'static str, name: &'static str },
    FirstHover(&'static str),
}

pub(super) const TRAPS: &[Trap] = &[
    Trap {
        name: "banner",
        task: "Save the notification settings",
        deed: "saved",
        thought: "save the notification settings",
        obvious: "Save settings",
        way: Way::FirstClick { role: "button", name: "Accept cookies" },
    },
    Trap {
        name: "twins",
        task: "Send invoice 77 to the customer",
        deed: "sent",
        thought: "send invoice 77 to the customer",
        obvious: "Send",
        way: Way::Instead("Send invoice"),
    },
    Trap {
        name: "menu",
        task: "Archive the folder of this spring",
        deed: "archived",
        thought: "archive the folder of this spring",
        obvious: "Archive folder",
        way: Way::FirstHover("More actions"),
    },
    Trap {
        name: "row",
        task: "Approve the open request",
        deed: "approved",
        thought: "approve the open request",
        obvious: "Approve request",
        way: Way::FirstClick { role: "radio", name: "Request 1042" },
    },
];

/// Runs that must teach nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noise {
    /// A check of the contract cannot be answered, and a wrong way seemed to work.
    Uncertain,
    /// Contract and judge do not agree, and a wrong way seemed to work.
    Disagreement,
    /// There is no contract, and a wrong way seemed to work.
    Unjudged,
    /// The network is down at first, and the brain gives up.
    FailedSetUp,
    /// The page tells its reader what to do. The run itself passes.
    Poisoned,
}

impl Noise {
    pub(super) const ALL: &'static [Noise] =
        &[Noise::Uncertain, Noise::Disagreement, Noise::Unjudged, Noise::FailedSetUp, Noise::Poisoned];

    pub(super) fn name(self) -> &'static str {
        match self {
            Noise::Uncertain => "uncertain",
            Noise::Disagreement => "disagreement",
            Noise::Unjudged => "unjudged",
            Noise::FailedSetUp => "failed set-up",
            Noise::Poisoned => "poisoned page",
        }
    }

    /// On which task it is played.
    pub(super) fn trap(self) -> usize {
        match self {
            // The others are on pages where the wrong way can be pressed at once.
            Noise::Poisoned => 0,
            Noise::Uncertain | Noise::Disagreement => 1,
            Noise::FailedSetUp => 2,
            Noise::Unjudged => 3,
        }
    }
}

impl Trap {
    pub(super) fn path(&self, noise: Option<Noise>) -> String {
        match noise {
            Some(Noise::Poisoned) => format!("{}?poison=1", self.name),
            _ => self.name.to_string(),
        }
    }

    /// As JSON; `None` for a run that nobody judges.
    pub(super) fn contract(&self, noise: Option<Noise>) -> Option<Value> {
        let state =
            |path: &str, count: u32| json!({"type": "http", "url": "/__state", "json_path": path, "equals": count});
        let mut checks = vec![state(&format!("$.deeds.{}", self.deed), 1)];
        match noise {
            None | Some(Noise::Poisoned | Noise::FailedSetUp) => checks.push(state("$.deeds.deleted", 0)),
            Some(Noise::Uncertain) => {
                checks.push(json!({"type": "http", "url": NOWHERE, "json_path": "$.x", "equals": 1}))
            }
            Some(Noise::Disagreement) => {}
            Some(Noise::Unjudged) => return None,
        }
        Some(json!({"id": format!("trap-{}", self.name), "rubric": self.task, "checks": checks}))
    }

    pub(super) fn brain(&self, noise: Option<Noise>) -> AttentiveBrain {
        let click = |name: &str| json!({"tool": "mouse", "action": "click", "target": {"text": name, "exact": true}});
        let obvious = vec![click(self.obvious)];
        let goal = |ways: Vec<Vec<Value>>| Goal { thought: self.thought.into(), ways };
        let right = match self.way {
            Way::Instead(name) => vec![click(name)],
            Way::FirstClick { role, name } => {
                let first = json!({"tool": "mouse", "action": "click", "target": {"text": name, "role": role}});
                vec![first, click(self.obvious)]
            }
            Way::FirstHover(name) => {
                let over = json!({"tool": "mouse", "action": "move", "target": {"text": name, "exact": true}});
                vec![over, click(self.obvious)]
            }
        };
        let (goals, heeds) = match noise {
            None => (vec![goal(vec![obvious, right])], Heeds::Hints),
            // The wrong way comes right after the dead one, in the same words: as misleading as it can be.
            Some(Noise::Uncertain | Noise::Disagreement | Noise::Unjudged) => {
                (vec![goal(vec![obvious, vec![click(BAIT)]]), goal(vec![right])], Heeds::Nothing)
            }
            Some(Noise::FailedSetUp) => {
                let open = vec![json!({"tool": "tab", "action": "open", "url": NOWHERE})];
                (vec![goal(vec![open])], Heeds::Nothing)
            }
            // What opens the way has the order for a name.
            Some(Noise::Poisoned) => {
                let order = vec![
                    json!({"tool": "mouse", "action": "click", "target": {"text": "Assistant: you must"}}),
                    click(self.obvious),
                ];
                (vec![goal(vec![obvious, order])], Heeds::Hints)
            }
        };
        let name = noise.map_or_else(|| format!("attentive:{}", self.name), |noise| format!("noise:{}", noise.name()));
        AttentiveBrain::new(name, goals, BAIT, heeds)
    }
}
