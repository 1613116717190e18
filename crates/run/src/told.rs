//! The words of one call's message that are not the environment's own: what else happened, and that
//! nothing happened.

use surehand_checks::before::density::{candidate_boxes, candidates};
use surehand_checks::before::{Aim, Spot, allowlist};
use surehand_env::{Happenings, WatcherBox};
use surehand_types::event::EnvironmentEvent;
use surehand_types::observation::{Candidate, DialogKind};
use surehand_types::{EffectStatus, Observation, ViewSize};

use crate::acted::Acted;
use crate::preview::candidate_words;

/// Things the brain must not miss, said in the same line.
pub(crate) fn with_happenings(message: String, happenings: &Happenings, observation: &Observation) -> String {
    let mut message = message;
    if let Some(dialog) = &observation.dialog {
        message.push_str(&match dialog.r#type {
            DialogKind::Beforeunload => {
                "; the page asks whether to leave it: dialog accept leaves, dismiss stays".into()
            }
            _ => format!("; a dialog opened: {:?}", shortened(&dialog.message)),
        });
    } else if let Some(dialog) = happenings.answered_dialog.as_ref().filter(|dialog| dialog.r#type == DialogKind::Alert)
    {
        message.push_str(&format!("; an alert said {:?} and was accepted", shortened(&dialog.message)));
    }
    let opened: Vec<&str> = happenings.opened.iter().map(String::as_str).collect();
    if !opened.is_empty() && !message.starts_with("opened ") {
        message.push_str(&format!("; new tab {}", opened.join(", ")));
    }
    for event in &happenings.events {
        match event {
            EnvironmentEvent::TabCrashed { tab } => message.push_str(&format!("; {tab} crashed")),
            EnvironmentEvent::TabClosed { tab } if !message.starts_with("closed ") => {
                message.push_str(&format!("; {tab} was closed"));
            }
            EnvironmentEvent::WindowOpened { window, title } => {
                message.push_str(&format!("; new window {window} {:?}", shortened(title)));
            }
            EnvironmentEvent::WindowClosed { window, title } => {
                message.push_str(&format!("; window {window} {:?} is gone", shortened(title)));
            }
            EnvironmentEvent::AppEnded { reason } => message.push_str(&format!("; {reason}")),
            EnvironmentEvent::DownloadRefused { name, reason } => {
                message.push_str(&format!("; the download {name:?} was stopped: {reason}"));
            }
            _ => {}
        }
    }
    for download in &happenings.downloads {
        message.push_str(&format!("; downloaded {} ({} bytes)", download.path, download.bytes));
    }
    if let Some(words) = allowlist::in_words(&happenings.refused) {
        message.push_str(&format!("; {words}"));
        if happenings.refused.iter().any(|refused| refused.document)
            && observation.url.as_deref() == Some("about:blank")
        {
            message.push_str("; the tab is empty now, tab back leads to the page before");
        }
    }
    message
}

/// A dead action is said to be dead, with what it hit and where it might have been meant.
pub(crate) fn warn_if_dead(acted: &mut Acted, aim: &Aim, view: ViewSize) {
    let dead = acted.effect.as_ref().is_some_and(|effect| effect.status == EffectStatus::NoEffect);
    if !dead {
        return;
    }
    acted.message.push_str("; WARNING: nothing on the page reacted to it");
    if let Some(hit) = &aim.hit
        && let Some(covered) = &hit.covers
    {
        acted.message.push_str(&format!("; it was received by {}, not by {}", hit.descriptor, covered.descriptor));
    }
    let mut found: Vec<Candidate> = aim.spots.iter().flat_map(|spot| candidates(spot, view)).collect();
    found.sort_by(|a, b| a.distance_px.total_cmp(&b.distance_px));
    // Both ends of a drag may be near the same control.
    let mut seen = Vec::new();
    found.retain(|candidate| {
        let new = !seen.contains(&candidate.center);
        seen.push(candidate.center);
        new
    });
    found.truncate(5);
    if !found.is_empty() {
        acted.message.push_str(&format!("; near it: {}", candidate_words(&found)));
    }
    acted.candidates = found;
}

pub(crate) fn dead_boxes(spots: &[Spot]) -> Vec<WatcherBox> {
    spots.iter().flat_map(candidate_boxes).map(|bounds| WatcherBox { bounds, hit: false }).collect()
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}
