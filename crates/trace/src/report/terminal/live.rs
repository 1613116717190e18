//! The text report of a run under way: the start once, every step once as it is recorded, the outcome at the end.

use super::{Report, TerminalOptions};
use crate::timeline::Timeline;

/// Remembers what was told. Give it the timeline as it grows.
#[derive(Debug)]
pub struct Live {
    report: Report,
    hints: Vec<String>,
    begun: bool,
    steps: usize,
    /// Groups of calls that were left out after the last step that was told.
    left_out: usize,
}

impl Live {
    pub fn new(options: &TerminalOptions) -> Live {
        Live { report: Report::new(options), hints: options.hints.clone(), begun: false, steps: 0, left_out: 0 }
    }

    /// What is new since the last time; empty when nothing is.
    pub fn update(&mut self, timeline: &Timeline) -> String {
        if !self.begun && timeline.run.started.is_some() {
            self.begin(timeline);
        }
        self.left_out_calls(timeline);
        for (index, entry) in timeline.entries.iter().enumerate().skip(self.steps) {
            self.report.step(entry, index.checked_sub(1).and_then(|before| timeline.entries.get(before)));
            self.steps = index + 1;
            self.left_out = 0;
            self.left_out_calls(timeline);
        }
        std::mem::take(&mut self.report.out)
    }

    /// The rest of the story: what is new, what happened after the last step, and the outcome.
    pub fn finish(mut self, timeline: &Timeline) -> String {
        let mut text = self.update(timeline);
        if !self.begun {
            self.begin(timeline);
        }
        self.report.ending(timeline, &[]);
        self.report.outcome(timeline);
        for hint in &self.hints {
            self.report.wrapped("", "", hint);
        }
        text.push_str(&self.report.out);
        text
    }

    fn begin(&mut self, timeline: &Timeline) {
        self.begun = true;
        self.report.title(timeline);
        self.report.out.push('\n');
        self.report.facts_of_start(timeline);
    }

    /// They are recorded after their step.
    fn left_out_calls(&mut self, timeline: &Timeline) {
        if let Some(entry) = self.steps.checked_sub(1).and_then(|last| timeline.entries.get(last)) {
            self.report.not_run(&entry.not_run[self.left_out.min(entry.not_run.len())..]);
            self.left_out = entry.not_run.len();
        }
    }
}
