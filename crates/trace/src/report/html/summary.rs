//! The top of the page (task, outcome, facts, who judged what) and its end.

use std::fmt::Write as _;

use surehand_types::RunResult;

use super::frames::Embedded;
use super::step::{happenings, mark, not_run, tone_class};
use super::verdict;
use crate::report::escape::html;
use crate::report::facts::{duration_in_words, steps_in_words};
use crate::report::outcome::outcome_in_words;
use crate::report::trouble::what_went_wrong;
use crate::report::words::clip_to;
use crate::timeline::Timeline;

pub(super) fn render(page: &mut String, timeline: &Timeline, frames: &Embedded) {
    let outcome = outcome_in_words(timeline);
    let task = match timeline.task() {
        "" => "The task was not recorded",
        task => task,
    };
    let _ = write!(
        page,
        "<header class=\"top\">\n<p class=\"brand\">Surehand <span>run report</span></p>\n<h1>{}</h1>\n\
         <section class=\"banner {}\" aria-label=\"Outcome\">\n<span class=\"sign\" aria-hidden=\"true\">{}</span>\n\
         <div><h2>{}</h2>\n<p>{}</p>\n",
        html(task),
        tone_class(outcome.tone),
        mark(outcome.tone),
        html(&outcome.headline),
        html(&outcome.detail),
    );
    trouble(page, timeline);
    if let Some(result) = &timeline.ended {
        claim(page, result);
    }
    page.push_str("</div>\n</section>\n");
    facts(page, timeline);
    if let Some(result) = &timeline.ended {
        verdict::render(page, timeline, result, frames);
    }
    problems(page, timeline);
    page.push_str("</header>\n");
}

/// Where it went wrong, with a way there.
fn trouble(page: &mut String, timeline: &Timeline) {
    let found = what_went_wrong(timeline);
    if found.is_empty() {
        return;
    }
    page.push_str("<div class=\"trouble\"><b>What went wrong</b><ol>");
    for one in found {
        let link = match one.step {
            Some(step) => format!(" <a href=\"#step-{step}\">See step {step}</a>"),
            None => String::new(),
        };
        let _ = write!(page, "<li>{}{link}</li>", html(&one.words));
    }
    page.push_str("</ol></div>\n");
}

/// What came after the last step, and calls that never got a step.
pub(super) fn afterwards(page: &mut String, timeline: &Timeline) {
    if timeline.afterwards.is_empty() && timeline.not_run.is_empty() {
        return;
    }
    page.push_str("<section class=\"step\">\n<h2>After the last step</h2>\n");
    happenings(page, &timeline.afterwards);
    not_run(page, &timeline.not_run);
    page.push_str("</section>\n");
}

fn claim(page: &mut String, result: &RunResult) {
    if let Some(summary) = result.summary.as_ref().filter(|text| !text.is_empty()) {
        // A plan sums itself up; what its brain said belongs to single steps.
        let whose = if result.plan.is_some() { "The plan's own summary" } else { "The brain's own words" };
        let _ = writeln!(page, "<blockquote><b>{whose}</b> {}</blockquote>", html(summary));
    }
    if let Some(output) = &result.output {
        let text = match output.as_str() {
            Some(text) => text.to_string(),
            None => serde_json::to_string_pretty(output).unwrap_or_default(),
        };
        let _ = writeln!(page, "<div class=\"answer\"><b>Its answer</b><pre>{}</pre></div>", html(&clip_lines(&text)));
    }
}

fn facts(page: &mut String, timeline: &Timeline) {
    let mut rows: Vec<(&str, String)> = Vec::new();
    if let Some(started) = &timeline.run.started {
        if let Some(url) = &started.start_url {
            rows.push(("Start", url.clone()));
        }
        rows.push(("Brain", started.brain.clone()));
        let view = started.viewport;
        rows.push(("Environment", format!("{}, {} by {}", started.environment, view.width, view.height)));
    }
    let recorded = u32::try_from(timeline.entries.len()).unwrap_or(u32::MAX);
    let steps = timeline.ended.as_ref().map_or(recorded, |result| result.steps);
    rows.push(("Length", steps_in_words(steps)));
    if let Some(seconds) = timeline.duration_s() {
        rows.push(("Time", duration_in_words(seconds)));
    }
    if let Some(at) = &timeline.run.started_at {
        rows.push(("Started", readable_time(at)));
    }
    if let Some(result) = &timeline.ended {
        if result.cost > 0.0 {
            rows.push(("Cost", format!("${:.4}", result.cost)));
        }
        let sums = result.effect_summary;
        let counted: Vec<String> = [
            (sums.confirmed, "confirmed"),
            (sums.no_effect, "without effect"),
            (sums.unverifiable, "not verified"),
            (sums.refused, "not sent"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{count} {words}"))
        .collect();
        if !counted.is_empty() {
            rows.push(("Effects of the calls", counted.join(", ")));
        }
        let gate = result.gate_summary;
        if gate.previewed > 0 {
            let words = format!(
                "{} of {} clicks and drags, {} confirmed, {} dropped",
                gate.previewed, gate.checked, gate.confirmed, gate.rejected
            );
            rows.push(("Shown before they were done", words));
        }
        if !result.downloads.is_empty() {
            rows.push(("Downloads", result.downloads.len().to_string()));
        }
        for (name, value) in &result.toggles {
            rows.push(("Setting", format!("{name} = {value}")));
        }
    }
    page.push_str("<dl class=\"facts\">\n");
    for (name, value) in rows {
        let _ = writeln!(page, "<div><dt>{name}</dt><dd>{}</dd></div>", html(&clip_to(&value, 300)));
    }
    page.push_str("</dl>\n");
}

fn problems(page: &mut String, timeline: &Timeline) {
    if timeline.problems.is_empty() {
        return;
    }
    let count = timeline.problems.len() + timeline.more_problems;
    let noun = if count == 1 { "part" } else { "parts" };
    let _ = write!(
        page,
        "<details class=\"problems\"><summary>The trace has {count} unreadable or missing {noun}</summary><ul>"
    );
    for problem in timeline.problems.iter().take(50) {
        let _ = write!(page, "<li>{}</li>", html(&problem.to_string()));
    }
    page.push_str("</ul></details>\n");
}

/// `2026-03-01 09:30:12 UTC`; as it is when it cannot be read.
fn readable_time(at: &str) -> String {
    match at.parse::<jiff::Timestamp>() {
        Ok(time) => time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        Err(_) => at.to_string(),
    }
}

fn clip_lines(text: &str) -> String {
    const LIMIT: usize = 20_000;
    match text.char_indices().nth(LIMIT) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}
