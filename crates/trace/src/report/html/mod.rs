//! The report as one self-contained web page: no request leaves it, it opens from a file, and it
//! can be read without scripts. Everything in it that came from outside is escaped.

mod frames;
mod lanes;
mod overlay;
mod pictures;
mod plan;
mod step;
mod summary;
mod verdict;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::changes;
use super::escape::{html, script_json};
use super::outcome::outcome_in_words;
use super::words::clip_to;
use crate::lanes::{LaneMarker, lanes_of};
use crate::sink::FrameLibrary;
use crate::timeline::Timeline;
use frames::Embedded;
use step::Around;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Ccircle cx='16' cy='16' r='9' fill='none' stroke='%230f766e' stroke-width='3'/%3E%3Cpath d='M16 2v9M16 21v9M2 16h9M21 16h9' stroke='%230f766e' stroke-width='3'/%3E%3C/svg%3E";

/// The page for a run. Frames that the library no longer has are shown as missing.
pub fn render(timeline: &Timeline, library: &(dyn FrameLibrary + Sync)) -> String {
    let frames = Embedded::collect(timeline, library);
    let changes = changes::collect(timeline, library);
    let markers = lanes_of(timeline);
    let mut page = String::with_capacity(frames.bytes() + 256 * 1024);
    head(&mut page, timeline, &frames);
    page.push_str("<body>\n<a class=\"skip\" href=\"#steps\">Skip to the steps</a>\n");
    summary::render(&mut page, timeline, &frames);
    plan::render(&mut page, timeline);
    lanes::render(&mut page, timeline, &markers);
    film_strip(&mut page, timeline, &frames);
    page.push_str("<main id=\"steps\">\n");
    if timeline.entries.is_empty() {
        page.push_str("<p class=\"empty\">No step was recorded.</p>\n");
    }
    for (entry, changes) in timeline.entries.iter().zip(&changes) {
        let own: Vec<LaneMarker> =
            markers.iter().filter(|marker| marker.step == Some(entry.record.step)).cloned().collect();
        step::render(&mut page, entry, &Around { frames: &frames, changes: changes.as_ref(), markers: &own });
    }
    summary::afterwards(&mut page, timeline);
    page.push_str("</main>\n");
    foot(&mut page, timeline);
    page.push_str("</body>\n</html>\n");
    page
}

fn head(page: &mut String, timeline: &Timeline, frames: &Embedded) {
    let title = html(&clip_to(timeline.task(), 80));
    // Only our own script may run, whatever gets past the escaping.
    let allowed = STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
    page.push_str(&format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; \
         style-src 'unsafe-inline'; script-src 'sha256-{allowed}'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} · Surehand</title>\n<link rel=\"icon\" href=\"{ICON}\">\n<style>\n{STYLE}</style>\n"
    ));
    frames.write_style(page);
    page.push_str("</head>\n");
}

fn film_strip(page: &mut String, timeline: &Timeline, frames: &Embedded) {
    if timeline.entries.is_empty() {
        return;
    }
    page.push_str("<nav class=\"film\" aria-label=\"All steps\">\n<ol>\n");
    for entry in &timeline.entries {
        step::thumbnail(page, entry, frames);
    }
    page.push_str("</ol>\n</nav>\n");
}

fn foot(page: &mut String, timeline: &Timeline) {
    let outcome = outcome_in_words(timeline);
    let facts = match &timeline.ended {
        Some(result) => {
            let mut value = serde_json::to_value(result).unwrap_or_default();
            if let Some(map) = value.as_object_mut() {
                // The steps are on the page already.
                map.remove("trajectory");
            }
            value
        }
        None => {
            serde_json::json!({"run_id": timeline.run.run_id, "interrupted": timeline.interrupted})
        }
    };
    page.push_str(&format!(
        "<footer>\n<p>Run <code>{}</code>: {}.</p>\n<p>Made by Surehand{} from the run's own trace. \
         What pages and the brain said is shown as it was recorded; secrets are replaced and masked.</p>\n</footer>\n\
         <script type=\"application/json\" id=\"surehand-result\">{}</script>\n<script>{SCRIPT}</script>\n",
        html(&timeline.run.run_id),
        html(&outcome.headline),
        timeline.run.started.as_ref().map_or(String::new(), |started| format!(" {}", html(&started.surehand_version))),
        script_json(&facts),
    ));
}
