//! The report as text for a terminal. Plain by default so that it can be piped and compared;
//! colour only when asked for, and never as the only sign.

mod live;
mod wrap;

use surehand_types::{RunResult, StepRecord};

use super::escape;
use super::facts::{
    duration_in_words, effect_in_words, focus_in_words, happening_in_words, milliseconds_in_words, steps_in_words,
};
use super::judged::{check_title, check_tone, check_words, judge_words, parties};
use super::outcome::{Tone, outcome_in_words};
use super::spent::step_in_words;
use super::trouble::what_went_wrong;
use super::words::{call_in_words, clip_to};
use crate::lanes::{Lane, LaneMarker, markers_of_end, markers_of_step};
use crate::timeline::{Completion, NotRun, StepView, Timeline};
use wrap::wrap;

pub use live::Live;

#[derive(Debug, Clone, Default)]
pub struct TerminalOptions {
    /// Columns; 0 stands for 80.
    pub width: usize,
    pub colour: Colour,
    /// Lines for the end, like where the trace is and how to get the web page.
    pub hints: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colour {
    #[default]
    Plain,
    Ansi,
}

/// The whole report, ending with a line break.
pub fn render(timeline: &Timeline, options: &TerminalOptions) -> String {
    let mut report = Report::new(options);
    report.header(timeline);
    let mut previous = None;
    for entry in &timeline.entries {
        report.step(entry, previous);
        report.not_run(&entry.not_run);
        previous = Some(entry);
    }
    report.ending(timeline, &options.hints);
    report.out
}

#[derive(Debug)]
struct Report {
    out: String,
    width: usize,
    colour: Colour,
    /// As last shown.
    url: Option<String>,
    focus: Option<String>,
}

impl Report {
    fn new(options: &TerminalOptions) -> Report {
        let width = match options.width {
            0 => 80,
            width => width.clamp(40, 120),
        };
        Report { out: String::new(), width, colour: options.colour, url: None, focus: None }
    }

    fn header(&mut self, timeline: &Timeline) {
        self.title(timeline);
        self.out.push('\n');
        self.outcome(timeline);
        self.out.push('\n');
        self.facts(timeline);
    }

    fn title(&mut self, timeline: &Timeline) {
        let run_id = clip_to(&timeline.run.run_id, 64);
        let title = self.paint("1", &format!("Run {run_id}"));
        self.line(&title);
        self.wrapped("  ", "  ", timeline.task());
    }

    fn outcome(&mut self, timeline: &Timeline) {
        let outcome = outcome_in_words(timeline);
        let sign = format!("{} ", mark(outcome.tone));
        for line in wrap(self.width, &sign, "  ", &outcome.headline) {
            let line = self.toned(outcome.tone, &line);
            self.line(&line);
        }
        self.wrapped("  ", "  ", &outcome.detail);
        for trouble in what_went_wrong(timeline) {
            self.wrapped("  - ", "    ", &trouble.words);
        }
        if let Some(result) = &timeline.ended
            && let Some(summary) = &result.summary
        {
            let whose = if result.plan.is_some() { "plan" } else { "brain" };
            self.wrapped(&format!("  the {whose}'s summary: "), "    ", summary);
        }
    }

    /// What is known before the first step.
    fn facts_of_start(&mut self, timeline: &Timeline) {
        if let Some(started) = &timeline.run.started {
            if let Some(url) = &started.start_url {
                self.fact("start", url);
            }
            self.fact("brain", &started.brain);
        }
        if let Some(at) = &timeline.run.started_at {
            self.fact("started", at);
        }
    }

    fn facts(&mut self, timeline: &Timeline) {
        self.facts_of_start(timeline);
        let steps = timeline.ended.as_ref().map_or(timeline.entries.len() as u32, |result| result.steps);
        let took = timeline.duration_s().map_or(String::new(), |seconds| format!(" in {}", duration_in_words(seconds)));
        self.fact("length", &format!("{}{took}", steps_in_words(steps)));
        if let Some(result) = timeline.ended.as_ref().filter(|result| result.cost > 0.0) {
            self.fact("cost", &format!("${:.4}", result.cost));
        }
    }

    fn step(&mut self, entry: &StepView, previous: Option<&StepView>) {
        let record = &entry.record;
        self.out.push('\n');
        for happening in &entry.happenings {
            self.wrapped("      * ", "        ", &happening_in_words(happening));
        }
        self.wrapped(&format!("{:>4}  ", record.step), "      ", &step_in_words(record));
        if let Some(thought) = record.thought.as_ref().filter(|thought| !thought.trim().is_empty()) {
            self.wrapped("      thought: ", "        ", &clip_to(thought, 400));
        }
        if !record.message.is_empty() {
            let label = if record.ok { "" } else { "failed: " };
            self.wrapped(&format!("      {label}"), "        ", &record.message);
        }
        if let Some(covered) = record.hit.as_ref().and_then(|hit| hit.covers.as_ref()) {
            let words = format!("{} lies underneath and was not hit", covered.descriptor);
            self.wrapped("      covered: ", "        ", &words);
        }
        for marker in markers_of_step(entry, previous).iter().filter(|marker| !marker.kind.is_told_by_the_step()) {
            self.lane_line(marker);
        }
        for result in &record.predicate_results {
            let verdict = match result.result {
                Some(true) => "held",
                Some(false) => "did not hold",
                None => "not measured",
            };
            let words = format!("{} {verdict} ({})", result.predicate, result.reason);
            self.wrapped("      expected: ", "        ", &words);
        }
        if entry.completion == Completion::Finished {
            self.effect_line(record);
            self.place(record);
        }
    }

    fn lane_line(&mut self, marker: &LaneMarker) {
        for line in wrap(self.width, &format!("      {}: ", marker.lane.as_str()), "        ", &marker.words) {
            // Most lines need no colour; those that do keep their words as the sign.
            let line = match marker.tone {
                Tone::Neutral => line,
                tone => self.toned(tone, &line),
            };
            self.line(&line);
        }
    }

    fn not_run(&mut self, groups: &[NotRun]) {
        for not_run in groups {
            for call in &not_run.calls {
                let words = format!("{} ({})", call_in_words(call, None), not_run.reason);
                self.wrapped("      not run: ", "        ", &words);
            }
        }
    }

    fn effect_line(&mut self, record: &StepRecord) {
        let took = milliseconds_in_words(record.timing_ms.total);
        let Some(effect) = effect_in_words(record) else {
            return self.line(&format!("      took {took}"));
        };
        let label = self.toned(effect.tone, &format!("{} {}", mark(effect.tone), effect.label));
        match effect.detail {
            None => self.line(&format!("      {label} · {took}")),
            Some(detail) => {
                self.line(&format!("      {label} · {took}"));
                self.wrapped("        ", "        ", &detail);
            }
        }
    }

    /// Address and focus, only where they changed: most steps leave both alone.
    fn place(&mut self, record: &StepRecord) {
        if let Some(url) = record.observed.url.as_ref()
            && self.url.as_ref() != Some(url)
        {
            self.wrapped("      now at ", "        ", url);
            self.url = Some(url.clone());
        }
        let focus = focus_in_words(&record.observed.focus);
        if self.focus.as_ref() != Some(&focus) {
            self.wrapped("      focus: ", "        ", &focus);
            self.focus = Some(focus);
        }
    }

    fn ending(&mut self, timeline: &Timeline, hints: &[String]) {
        self.out.push('\n');
        for happening in &timeline.afterwards {
            self.wrapped("  * ", "    ", &happening_in_words(happening));
        }
        for marker in markers_of_end(timeline).iter().filter(|marker| marker.lane < Lane::Referee) {
            self.wrapped(&format!("  {}: ", marker.lane.as_str()), "    ", &marker.words);
        }
        if let Some(result) = timeline.ended.as_ref().filter(|result| result.referee.is_some()) {
            self.judged(result);
        }
        if !timeline.problems.is_empty() {
            let count = timeline.problems.len() + timeline.more_problems;
            self.line(&format!("The trace has {count} unreadable or missing parts:"));
            for problem in timeline.problems.iter().take(10) {
                self.wrapped("  ", "    ", &problem.to_string());
            }
        }
        for hint in hints {
            let hint = escape::terminal(hint);
            self.line(&hint);
        }
    }

    fn judged(&mut self, result: &RunResult) {
        self.line("Who judged the outcome");
        for (name, tone, words) in parties(result) {
            let line = self.toned(tone, &format!("  {} {name}: {words}", mark(tone)));
            self.line(&line);
        }
        let Some(record) = &result.referee else { return };
        for check in &record.checks {
            self.wrapped(&format!("    {} ", mark(check_tone(check.result))), "      ", &check_title(check));
            self.wrapped("      ", "        ", &check_words(check));
        }
        if let Some(judge) = &record.judge {
            self.wrapped("    judge: ", "      ", &judge_words(judge));
        }
        for warning in &record.warnings {
            self.wrapped("    note: ", "      ", warning);
        }
        self.out.push('\n');
    }

    fn fact(&mut self, name: &str, value: &str) {
        self.wrapped(&format!("  {name:<9}"), "           ", value);
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn wrapped(&mut self, first: &str, rest: &str, text: &str) {
        for line in wrap(self.width, first, rest, text) {
            self.line(&line);
        }
    }

    fn toned(&self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Good => "32",
            Tone::Bad => "31",
            Tone::Unsure => "33",
            Tone::Neutral => "1",
        };
        self.paint(code, text)
    }

    fn paint(&self, code: &str, text: &str) -> String {
        match self.colour {
            Colour::Plain => text.to_string(),
            Colour::Ansi => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        }
    }
}

/// A sign that works without colour.
fn mark(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "✓",
        Tone::Bad => "✗",
        Tone::Unsure => "?",
        Tone::Neutral => "·",
    }
}
