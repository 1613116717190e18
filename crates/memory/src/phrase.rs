//! The words of rules: facts about what was tried and what worked, in the past tense and in words of ours. A page's
//! words appear in quotes, as names of things.

use crate::facts::{ActionClass, Attempt, Came, Target};
use crate::sanitise;

/// `clicking the button "Save"`.
pub(crate) fn deed(attempt: &Attempt) -> String {
    let target = attempt.target.as_ref().map(thing);
    let at = |verb: &str| match &target {
        Some(target) => format!("{verb} {target}"),
        None => format!("{verb} there"),
    };
    match attempt.class {
        ActionClass::Click => at("clicking"),
        ActionClass::DoubleClick => at("double-clicking"),
        ActionClass::RightClick => at("right-clicking"),
        ActionClass::Drag => at("dragging"),
        ActionClass::Hover => at("moving the pointer over"),
        ActionClass::Type => target.map_or_else(|| "typing".into(), |target| format!("typing into {target}")),
        ActionClass::Clear => at("clearing"),
        ActionClass::Select => at("choosing in"),
        ActionClass::Press => match attempt.key.as_deref().and_then(sanitise::key) {
            Some(key) => format!("pressing {key}"),
            None => "pressing a key".into(),
        },
        ActionClass::Upload => "uploading a file".into(),
        ActionClass::Dialog => "answering the dialog".into(),
        ActionClass::Open => "opening a page by its address".into(),
        ActionClass::Tab => "going to another tab or back".into(),
        ActionClass::Window => "going to another window".into(),
        ActionClass::Scroll => "scrolling".into(),
        ActionClass::Wait => "waiting".into(),
        ActionClass::Look => "looking".into(),
        ActionClass::Done => "calling it done".into(),
    }
}

/// `the button "Save"`, or the kind of thing alone.
pub(crate) fn thing(target: &Target) -> String {
    let role = sanitise::role(&target.role);
    match sanitise::name(&target.name) {
        Some(name) => format!("the {role} \"{name}\""),
        None => format!("the {role}"),
    }
}

/// `had no effect`, `failed (target_changed)`.
pub(crate) fn failure(attempt: &Attempt) -> String {
    let covered = attempt.target.as_ref().is_some_and(|target| target.covered);
    match &attempt.came {
        Came::Failed { code, .. } => format!("failed ({code})"),
        _ if covered => "had no effect, as something lay over it".into(),
        _ => "had no effect".into(),
    }
}

pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
