//! The consistency benchmark as one web page.

use surehand_trace::report::escape::html;
use surehand_types::result::FinalVerdict;

use super::consistency_text::{truth_word, verdict_word};
use super::page::{badge, page, table, tile};
use crate::consistency::{Consistency, ConsistencyRun};

pub fn consistency_html(found: &Consistency) -> String {
    let summary = &found.summary;
    let mut lead = format!(
        "\u{201c}{}\u{201d}, {} times by {}, at most {} steps each, judged by the contract {}{}.",
        found.task,
        found.runs.len(),
        found.brain,
        found.max_steps,
        found.contract,
        found.judge.as_ref().map_or(String::new(), |judge| format!(" and the judge {judge}")),
    );
    if found.interrupted {
        lead.push_str(" It was interrupted; these are the runs that came to an end.");
    }
    let [low, high] = summary.pass_interval;
    let passes = format!("{} of {}", summary.pass_count, summary.run_count);
    let every = summary.run_count > 0 && summary.pass_count == summary.run_count;
    let mut content = String::from("<div class=\"tiles\">\n");
    content.push_str(&tile("runs that passed", &passes, if every { "good" } else { "bad" }));
    let interval = format!("{:.0} to {:.0} %", low * 100.0, high * 100.0);
    content.push_str(&tile("what that says of later runs (95 %)", &interval, ""));
    content.push_str(&tile("uncertain", &summary.uncertain_count.to_string(), ""));
    content.push_str(&tile("disagreements", &format!("{:.0} %", summary.disagreement_rate * 100.0), ""));
    if let Some(truth) = &summary.truth {
        let tone = if truth.false_passes == 0 { "good" } else { "bad" };
        content.push_str(&tile("false passes", &format!("{} of {} known", truth.false_passes, truth.known), tone));
    }
    content.push_str("</div>\n");
    let rows: Vec<Vec<String>> = (1..).zip(&found.runs).map(|(number, run)| run_row(number, run)).collect();
    content.push_str(&table(
        "Every run",
        &["run", "verdict", "score", "steps", "errors", "no effect", "governor", "lessons", "seconds", "truth"],
        &rows,
    ));
    let mut facts = vec![
        vec!["mean score".into(), format!("{:.3}", summary.mean_score)],
        vec!["mean steps".into(), format!("{:.1}", summary.mean_steps)],
        vec!["mean errors".into(), format!("{:.1}", summary.mean_tool_errors)],
        vec!["governor".into(), format!("{} blocks, {} retries", found.governor.blocks, found.governor.retries)],
        vec!["contract".into(), format!("{} <code>{}</code>", html(&found.contract), html(&found.contract_sha256))],
    ];
    if let Some(change) = &found.first_to_last {
        let words = format!(
            "steps {} to {}, without effect {} to {}, hints {} to {}",
            change.steps[0],
            change.steps[1],
            change.no_effect[0],
            change.no_effect[1],
            change.lessons_injected[0],
            change.lessons_injected[1]
        );
        facts.push(vec!["first run to last".into(), words]);
    }
    content.push_str(&table("In all", &["figure", "value"], &facts));
    page("Does it work every time?", &lead, &content)
}

fn run_row(number: usize, run: &ConsistencyRun) -> Vec<String> {
    let tone = match run.verdict {
        FinalVerdict::Pass => "good",
        FinalVerdict::Fail => "bad",
        FinalVerdict::Uncertain | FinalVerdict::Unjudged => "",
    };
    let why = if run.reasons.is_empty() { run.termination.clone() } else { run.reasons.join("; ") };
    let verdict = format!("{}<span class=\"why\">{}</span>", badge(tone, verdict_word(run.verdict)), html(&why));
    vec![
        format!("{number} <span class=\"why\">{}</span>", html(&run.run_id)),
        verdict,
        format!("{:.2}", run.score),
        run.steps.to_string(),
        run.tool_errors.to_string(),
        run.no_effect.to_string(),
        format!("{} / {}", run.governor.blocks, run.governor.retries),
        format!("{} in, {} new", run.lessons.injected, run.lessons.created),
        format!("{:.1}", run.seconds),
        truth_word(run.truth).into(),
    ]
}
