//! Guards: an ordered list of small inspectors that look at a call and at what it aims at, before
//! anything is dispatched. Each one has a name, a decision and a reason.

pub mod allowlist;
pub mod deed;
pub mod density;
pub mod governor;
pub mod native;
pub mod options;
pub mod policy;
pub mod tool_input;

use surehand_types::observation::Hit;
use surehand_types::result::GuardRecord;
use surehand_types::{Call, ViewBox, ViewPoint};

pub use deed::{Deed, OpenDialog, Paste};
pub use native::{NativeControl, Picker};

/// What a call is about to touch, read after the pointer moved and its hover settled.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Aim {
    /// Where input would be dispatched; `None` for calls without a place.
    pub point: Option<ViewPoint>,
    /// Where a drag would start.
    pub from: Option<ViewPoint>,
    /// The element that would receive the event.
    pub hit: Option<Hit>,
    /// What lies around each place that the call acts on: one for a click, two for a drag.
    pub spots: Vec<Spot>,
    /// The native control that a plain click would open.
    pub native: Option<NativeControl>,
    /// What the press would set off; `None` for calls that press nothing, and where it could not be read.
    pub deed: Option<Deed>,
    /// What lies where a drag ends.
    pub end: Option<Deed>,
    /// The page came from a form that was sent, and loading it again would send the form again.
    pub resends: bool,
    /// A secret that the call may carry where it does not belong.
    pub pastes: Option<Paste>,
    /// The dialog that the call would answer.
    pub dialog: Option<OpenDialog>,
}

/// The surroundings of one point.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    pub point: ViewPoint,
    /// The interactable that would receive the event; `None` where the hit is none.
    pub hit: Option<Nearby>,
    /// Other interactables that can be hit, nearest centre first.
    pub neighbours: Vec<Nearby>,
}

/// An interactable near a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearby {
    pub descriptor: String,
    pub bounds: ViewBox,
    /// Stays the same for the same element as long as its document lives.
    pub identity: String,
}

#[derive(Debug, Clone, Copy)]
pub struct GuardContext<'a> {
    pub call: &'a Call,
    pub aim: &'a Aim,
    pub url: Option<&'a str>,
    pub step: u32,
    pub intent: Intent,
}

/// Whether the brain has seen what it is about to hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Intent {
    #[default]
    First,
    /// The brain saw the preview and confirmed it.
    Confirmed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    Allow,
    /// Dispatch nothing yet: show the brain what it would hit and let it confirm.
    Preview {
        rule: String,
        reason: String,
    },
    /// A person has to agree first.
    Confirm {
        rule: String,
        reason: String,
    },
    Refuse {
        rule: String,
        reason: String,
    },
}

pub trait Guard: Send + Sync {
    fn name(&self) -> &'static str;

    fn decide(&self, context: &GuardContext<'_>) -> Decision;
}

/// The guards of a run in the order they are asked. The first decision other than `Allow` wins.
#[derive(Default)]
pub struct GuardList {
    guards: Vec<Box<dyn Guard>>,
}

/// What the list decided, and which guard it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// `None` when every guard allowed the call.
    pub guard: Option<&'static str>,
    pub decision: Decision,
}

impl GuardList {
    pub fn allow_all() -> Self {
        GuardList::default()
    }

    pub fn new(guards: Vec<Box<dyn Guard>>) -> Self {
        GuardList { guards }
    }

    pub fn push(&mut self, guard: Box<dyn Guard>) {
        self.guards.push(guard);
    }

    pub fn decide(&self, context: &GuardContext<'_>) -> Ruling {
        for guard in &self.guards {
            let decision = guard.decide(context);
            if decision != Decision::Allow {
                return Ruling { guard: Some(guard.name()), decision };
            }
        }
        Ruling { guard: None, decision: Decision::Allow }
    }
}

impl Decision {
    pub fn name(&self) -> &'static str {
        match self {
            Decision::Allow => "allow",
            Decision::Preview { .. } => "preview",
            Decision::Confirm { .. } => "confirm",
            Decision::Refuse { .. } => "refuse",
        }
    }
}

impl Ruling {
    /// The form that is kept with the step, its rule as `guard/rule`; nothing when all was allowed.
    pub fn record(&self) -> Option<GuardRecord> {
        let (rule, reason) = match &self.decision {
            Decision::Allow => return None,
            Decision::Preview { rule, reason }
            | Decision::Confirm { rule, reason }
            | Decision::Refuse { rule, reason } => (rule, reason),
        };
        Some(GuardRecord {
            decision: self.decision.name().into(),
            rule: format!("{}/{rule}", self.guard.unwrap_or("unnamed")),
            reason: reason.clone(),
        })
    }
}

impl std::fmt::Debug for GuardList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.guards.iter().map(|guard| guard.name());
        f.debug_list().entries(names).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decides the same about everything.
    struct Fixed(&'static str, Decision);

    impl Guard for Fixed {
        fn name(&self) -> &'static str {
            self.0
        }

        fn decide(&self, _: &GuardContext<'_>) -> Decision {
            self.1.clone()
        }
    }

    /// Refuses pages outside one site.
    struct OneSite;

    impl Guard for OneSite {
        fn name(&self) -> &'static str {
            "site"
        }

        fn decide(&self, context: &GuardContext<'_>) -> Decision {
            match context.url {
                Some(url) if url.starts_with("https://shop.test/") => Decision::Allow,
                other => Decision::Refuse {
                    rule: "only_shop".into(),
                    reason: format!("{} is not the shop", other.unwrap_or("this page")),
                },
            }
        }
    }

    fn rule(list: &GuardList, url: Option<&str>) -> Ruling {
        list.decide(&GuardContext { call: &Call::Inspect, aim: &Aim::default(), url, step: 1, intent: Intent::First })
    }

    fn preview() -> Decision {
        Decision::Preview { rule: "dense".into(), reason: "two buttons are close".into() }
    }

    #[test]
    fn nothing_is_recorded_when_all_allow() {
        let empty = GuardList::allow_all();
        let both = GuardList::new(vec![Box::new(Fixed("a", Decision::Allow)), Box::new(OneSite)]);
        for list in [empty, both] {
            let ruling = rule(&list, Some("https://shop.test/cart"));
            assert_eq!(ruling.decision, Decision::Allow);
            assert_eq!(ruling.guard, None);
            assert_eq!(ruling.record(), None);
        }
    }

    #[test]
    fn the_first_other_decision_wins_and_is_named() {
        let mut list = GuardList::new(vec![Box::new(Fixed("first", Decision::Allow)), Box::new(OneSite)]);
        list.push(Box::new(Fixed("density", preview())));
        assert_eq!(format!("{list:?}"), r#"["first", "site", "density"]"#);

        let refused = rule(&list, Some("https://other.test/"));
        assert_eq!(
            refused.record(),
            Some(GuardRecord {
                decision: "refuse".into(),
                rule: "site/only_shop".into(),
                reason: "https://other.test/ is not the shop".into(),
            })
        );
        let previewed = rule(&list, Some("https://shop.test/"));
        assert_eq!(previewed.guard, Some("density"));
        assert_eq!(previewed.decision, preview());
    }
}
