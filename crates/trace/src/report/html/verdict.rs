//! The verdict panel: who said what, side by side, and the evidence of every check with the part of the frame
//! that it was read off.

use std::fmt::Write as _;

use surehand_types::RunResult;
use surehand_types::referee::RefereeRecord;
use surehand_types::ui::PixelBox;

use super::frames::{Embedded, Shown};
use super::step::{mark, tone_class};
use crate::report::escape::html;
use crate::report::judged::{check_title, check_tone, check_words, judge_words, parties};
use crate::report::words::clip_to;
use crate::timeline::Timeline;

/// A crop is shown at most this wide, on the reader's screen.
const CROP_WIDTH: f64 = 620.0;
const CROP_HEIGHT: f64 = 240.0;
/// Pixels around what was looked at, so that it can be recognised.
const MARGIN: u32 = 12;

pub(super) fn render(page: &mut String, timeline: &Timeline, result: &RunResult, frames: &Embedded) {
    page.push_str(
        "<section class=\"verdicts\" id=\"verdict\" tabindex=\"-1\">\n<h2>Who judged the outcome</h2>\n<dl>\n",
    );
    for (name, tone, words) in parties(result) {
        let _ = writeln!(
            page,
            "<div><dt>{name}</dt><dd class=\"{}\"><i aria-hidden=\"true\">{}</i> {words}</dd></div>",
            tone_class(tone),
            mark(tone)
        );
    }
    page.push_str("</dl>\n");
    if let Some(record) = &result.referee {
        evidence(page, timeline, record, frames);
    }
    page.push_str("</section>\n");
}

fn evidence(page: &mut String, timeline: &Timeline, record: &RefereeRecord, frames: &Embedded) {
    page.push_str("<ol class=\"checks\">\n");
    for check in &record.checks {
        let tone = check_tone(check.result);
        let _ = write!(
            page,
            "<li class=\"{}\"><span class=\"sign\" aria-hidden=\"true\">{}</span><div><b>{}</b><p>{}</p>",
            tone_class(tone),
            mark(tone),
            html(&clip_to(&check_title(check), 200)),
            html(&check_words(check)),
        );
        if let (Some(bounds), Some(frame)) = (check.bbox, &record.frame) {
            crop(page, timeline, frames, frame, bounds);
        }
        page.push_str("</div></li>\n");
    }
    if let Some(judge) = &record.judge {
        let _ = writeln!(
            page,
            "<li class=\"neutral\"><span class=\"sign\" aria-hidden=\"true\">◉</span><div><b>Visual judge</b><p>{}</p>\
             <details><summary>What it was asked</summary><p>{}</p></details></div></li>",
            html(&clip_to(&judge_words(judge), 1200)),
            html(&clip_to(&judge.rubric, 2000)),
        );
    }
    page.push_str("</ol>\n");
    for warning in record.warnings.iter().take(10) {
        let _ = writeln!(page, "<p class=\"warning\">{}</p>", html(&clip_to(warning, 400)));
    }
}

/// A part of an embedded frame, without a copy of it.
fn crop(page: &mut String, timeline: &Timeline, frames: &Embedded, sha256: &str, bounds: PixelBox) {
    let (Shown::Class(class), Some(frame)) = (frames.show(sha256), timeline.frames.get(sha256)) else { return };
    let x0 = bounds[0].saturating_sub(MARGIN);
    let y0 = bounds[1].saturating_sub(MARGIN);
    let width = f64::from((bounds[2].saturating_add(MARGIN)).min(frame.width).saturating_sub(x0));
    let height = f64::from((bounds[3].saturating_add(MARGIN)).min(frame.height).saturating_sub(y0));
    if width < 1.0 || height < 1.0 {
        return;
    }
    let scale = (CROP_WIDTH / width).min(CROP_HEIGHT / height).min(2.0);
    let px = |value: f64| format!("{:.0}px", value * scale);
    let _ = write!(
        page,
        "<span class=\"crop {class}\" role=\"img\" aria-label=\"the part of the frame that was looked at\" \
         style=\"width:{};height:{};background-size:{} {};background-position:-{} -{}\"></span>",
        px(width),
        px(height),
        px(f64::from(frame.width)),
        px(f64::from(frame.height)),
        px(f64::from(x0)),
        px(f64::from(y0)),
    );
}
