//! The done bench in the terminal.

use super::rows::{columns, row};
use super::share;
use crate::done_bench::{DoneReport, Judged};
use crate::suite::Label;

pub fn done_text(report: &DoneReport) -> String {
    let mut text = format!("done gate on the suite {}: {} episodes\n", report.suite, report.episodes.len());
    if report.interrupted {
        text.push_str("interrupted: these are the episodes that were run until then\n");
    }
    text.push_str(&format!("recall (false claims refused): {}\n", share(report.recall)));
    text.push_str(&format!("precision (refused claims that were false): {}\n\n", share(report.precision)));
    let mut rows = vec![row(&["label", "episodes", "accepted", "refused", "broken off", "refused first", "wrong"])];
    for label in Label::ALL {
        let Some(counts) = report.labels.get(&label) else { continue };
        let wrong = report.episodes.iter().filter(|one| one.label == label && !one.right).count();
        rows.push(vec![
            label.name().into(),
            counts.episodes.to_string(),
            counts.accepted.to_string(),
            counts.refused.to_string(),
            counts.broken_off.to_string(),
            counts.refused_first.to_string(),
            wrong.to_string(),
        ]);
    }
    text.push_str(&columns(&rows));
    let mut rows = vec![row(&["reason", "false claims", "honest claims"])];
    for (reason, refusals) in &report.reasons {
        rows.push(vec![reason.clone(), refusals.of_dishonest.to_string(), refusals.of_honest.to_string()]);
    }
    text.push('\n');
    text.push_str(&columns(&rows));
    for judged in report.episodes.iter().filter(|one| !one.right || one.mislabelled) {
        text.push_str(&format!("\n{}", complaint(judged)));
    }
    text
}

/// What is wrong with one episode, in one line.
fn complaint(judged: &Judged) -> String {
    let Judged { episode, label, .. } = judged;
    let (task, name) = (&episode.task, label.name());
    if judged.mislabelled {
        let truth = if episode.truth.achieved { "the site says that it is done" } else { &episode.truth.why_not };
        return format!("MISLABELLED {task} ({name}): {truth}; run {}\n", episode.run_id);
    }
    let what = judged.outcome.in_words();
    let against = episode.error.as_deref().unwrap_or("nothing spoke against it");
    format!("WRONG {task} ({name}): {what} ({}), {against}; run {}\n", episode.termination.as_str(), episode.run_id)
}
