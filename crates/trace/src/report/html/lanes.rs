//! The lanes at the top of the page: one column for each step, one row for each lane. Every cell that holds
//! something is a link to its step; a script makes the whole of it one stop of the Tab key.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::step::{headline, mark, tone_class};
use crate::lanes::{Lane, LaneMarker, MarkerKind};
use crate::report::escape::html;
use crate::report::outcome::Tone;
use crate::report::spent::capital;
use crate::timeline::{StepView, Timeline};

/// Signs in one cell; the words of all are in its title, which is also what is read out.
const SIGNS: usize = 4;

pub(super) fn render(page: &mut String, timeline: &Timeline, markers: &[LaneMarker]) {
    if timeline.entries.is_empty() && markers.is_empty() {
        return;
    }
    let mut cells: BTreeMap<(Lane, Option<u32>), Vec<&LaneMarker>> = BTreeMap::new();
    for marker in markers {
        cells.entry((marker.lane, marker.step)).or_default().push(marker);
    }
    let has_end = markers.iter().any(|marker| marker.step.is_none());
    page.push_str(
        "<section class=\"lanes\" aria-labelledby=\"lanes-title\">\n<h2 id=\"lanes-title\">Timeline</h2>\n\
         <div class=\"scroll\" role=\"region\" aria-labelledby=\"lanes-title\" tabindex=\"0\">\n\
         <table>\n<thead><tr><th scope=\"col\"><span class=\"sr\">Lane</span></th>",
    );
    for entry in &timeline.entries {
        let step = entry.record.step;
        let _ = write!(
            page,
            "<th scope=\"col\"><a href=\"#step-{step}\" title=\"{}\">{step}</a></th>",
            html(&headline(entry))
        );
    }
    if has_end {
        page.push_str("<th scope=\"col\"><a href=\"#verdict\">End</a></th>");
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for lane in Lane::ALL {
        let _ = write!(page, "<tr><th scope=\"row\">{}</th>", capital(lane.as_str()));
        for entry in &timeline.entries {
            let step = entry.record.step;
            cell(page, cells.get(&(lane, Some(step))), &format!("#step-{step}"), Some(entry));
        }
        if has_end {
            cell(page, cells.get(&(lane, None)), "#verdict", None);
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table>\n</div>\n");
    legend(page);
    page.push_str("</section>\n");
}

fn cell(page: &mut String, markers: Option<&Vec<&LaneMarker>>, target: &str, entry: Option<&StepView>) {
    let Some(markers) = markers else {
        page.push_str("<td></td>");
        return;
    };
    // Each is bounded where it is made, so the whole is, too.
    let words: Vec<&str> = markers.iter().map(|marker| marker.words.as_str()).collect();
    let label = html(&words.join("\n"));
    let _ = write!(page, "<td><a href=\"{target}\" title=\"{label}\">");
    let (shown, hidden) = in_sight(markers);
    for marker in shown {
        let sign = match (marker.kind, entry) {
            (MarkerKind::Action, Some(entry)) => action_sign(entry),
            _ => sign(marker),
        };
        let _ = write!(page, "<i class=\"{}\" aria-hidden=\"true\">{sign}</i>", tone_class(marker.tone));
    }
    if hidden > 0 {
        let _ = write!(page, "<i class=\"more\" aria-hidden=\"true\">+{hidden}</i>");
    }
    page.push_str("</a></td>");
}

/// All in their order where they fit; else the weightiest, what went wrong before all, and how many are left.
fn in_sight<'a>(markers: &[&'a LaneMarker]) -> (Vec<&'a LaneMarker>, usize) {
    if markers.len() <= SIGNS {
        return (markers.to_vec(), 0);
    }
    let weight = |marker: &LaneMarker| match (marker.tone, marker.kind) {
        (Tone::Bad, _) => 0,
        (_, MarkerKind::Action | MarkerKind::Effect | MarkerKind::FinalVerdict) => 1,
        (Tone::Unsure, _) => 2,
        (Tone::Good, _) => 3,
        (Tone::Neutral, _) => 4,
    };
    let mut order = markers.to_vec();
    order.sort_by_key(|marker| weight(marker));
    // The count takes the place of one sign.
    order.truncate(SIGNS - 1);
    let hidden = markers.len() - order.len();
    (order, hidden)
}

/// A character that says what a marker is about, or for judgements how they fell.
pub(super) fn sign(marker: &LaneMarker) -> &'static str {
    match marker.kind {
        MarkerKind::Action => "●",
        MarkerKind::UnusableReply | MarkerKind::PolicyDecision | MarkerKind::Guard => "!",
        MarkerKind::MissingTarget => "∅",
        MarkerKind::DoneRefused | MarkerKind::Governor => "✕",
        MarkerKind::BrainFailed => "†",
        MarkerKind::Preview => "◐",
        MarkerKind::Loop => "↻",
        MarkerKind::Substituted => "⇄",
        MarkerKind::NotRun => "…",
        MarkerKind::Effect | MarkerKind::Check | MarkerKind::Contract | MarkerKind::Judge => mark(marker.tone),
        MarkerKind::FinalVerdict => mark(marker.tone),
        MarkerKind::Prediction => "≈",
        MarkerKind::Address => "→",
        MarkerKind::Title | MarkerKind::Focus => "·",
        MarkerKind::Inspected => "○",
        MarkerKind::Happening => "!",
        MarkerKind::Hint => "◇",
        MarkerKind::Lessons => "◆",
        MarkerKind::Disagreement => "≠",
        MarkerKind::PlanStep => "§",
    }
}

/// What kind of call it was, at a glance.
fn action_sign(entry: &StepView) -> &'static str {
    let field = |name| entry.record.call.as_ref().and_then(|call| call.get(name)).and_then(Value::as_str);
    match (field("tool"), field("action")) {
        (Some("mouse"), Some("click" | "drag" | "confirm")) => "●",
        (Some("mouse"), Some("scroll")) => "↕",
        (Some("keyboard"), _) => "■",
        (Some("wait" | "zoom" | "inspect" | "mouse"), _) | (_, Some("view" | "list")) => "○",
        (Some("done"), _) => "◆",
        _ => "▲",
    }
}

fn legend(page: &mut String) {
    page.push_str("<details class=\"legend\"><summary>What the signs mean</summary><dl>");
    for (lane, words) in [
        (
            "Policy",
            "● click or drag, ↕ scroll, ■ keyboard, ○ only looked, ▲ other call, ◆ done, ! denied or refused, ∅ target not found, ◐ shown first, ✕ done not accepted or governor, ↻ going in circles, ⇄ done by the runtime, … calls left out, † the brain failed",
        ),
        (
            "State",
            "✓ effect confirmed, ✕ no effect, ? not verified, – nothing to measure, ≈ a prediction (green held, red did not), → another address, · title or focus changed, ○ read by inspect, ! a dialog, tab or download",
        ),
        ("Memory", "◇ a hint was shown, ◆ lessons were made or changed"),
        ("Referee", "✓ passed, ✕ failed, ? uncertain, ≠ contract and judge do not agree"),
    ] {
        let _ = write!(page, "<div><dt>{lane}</dt><dd>{words}</dd></div>");
    }
    page.push_str("</dl></details>\n");
}
