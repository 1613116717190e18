//! The consistency benchmark in the terminal.

use super::rows::{columns, row};
use crate::consistency::Consistency;

pub fn consistency_text(found: &Consistency) -> String {
    let summary = &found.summary;
    let mut text =
        format!("{}: {} of {} runs by {}\n", found.contract, found.runs.len(), found.wanted_runs, found.brain);
    if found.interrupted {
        text.push_str("interrupted: these are the runs that came to an end\n");
    }
    let mut rows = vec![row(&["run", "verdict", "score", "steps", "errors", "no effect", "seconds", "truth", "id"])];
    for (number, run) in (1..).zip(&found.runs) {
        rows.push(vec![
            format!("{number}"),
            verdict_word(run.verdict).into(),
            format!("{:.2}", run.score),
            run.steps.to_string(),
            run.tool_errors.to_string(),
            run.no_effect.to_string(),
            format!("{:.1}", run.seconds),
            truth_word(run.truth).into(),
            run.run_id.clone(),
        ]);
    }
    text.push_str(&columns(&rows));
    let [low, high] = summary.pass_interval;
    text.push_str(&format!(
        "\npass {} of {} ({:.0} %, 95 % interval {:.0} to {:.0} %), fail {}, uncertain {}, not judged {}\n",
        summary.pass_count,
        summary.run_count,
        summary.pass_rate * 100.0,
        low * 100.0,
        high * 100.0,
        summary.fail_count,
        summary.uncertain_count,
        summary.unjudged_count,
    ));
    text.push_str(&format!(
        "mean score {:.2}, steps {:.1}, errors {:.1}; disagreements {:.0} %; governor {} blocks, {} retries\n",
        summary.mean_score,
        summary.mean_steps,
        summary.mean_tool_errors,
        summary.disagreement_rate * 100.0,
        found.governor.blocks,
        found.governor.retries,
    ));
    if let Some(truth) = &summary.truth {
        text.push_str(&format!(
            "truth known of {}: {} false passes, {} false fails\n",
            truth.known, truth.false_passes, truth.false_fails
        ));
    }
    text.push_str(&format!("contract sha256 {}\n", found.contract_sha256));
    text
}

pub(super) fn verdict_word(verdict: surehand_types::result::FinalVerdict) -> &'static str {
    use surehand_types::result::FinalVerdict::{Fail, Pass, Uncertain, Unjudged};
    match verdict {
        Pass => "pass",
        Fail => "fail",
        Uncertain => "uncertain",
        Unjudged => "not judged",
    }
}

pub(super) fn truth_word(truth: Option<bool>) -> &'static str {
    match truth {
        Some(true) => "right",
        Some(false) => "wrong",
        None => "not known",
    }
}
