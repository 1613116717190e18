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
    let share = |count: u64, rate: f64| format!("{count} ({:.0} %)", rate * 100.0);
    let failed = share(summary.fail_count, found.fail_rate);
    content.push_str(&tile("failed", &failed, if summary.fail_count == 0 { "" } else { "bad" }));
    content.push_str(&tile("uncertain", &share(summary.uncertain_count, summary.uncertain_rate), ""));
    content.push_str(&tile("judge disagreed", &format!("{:.0} %", summary.disagreement_rate * 100.0), ""));
    let (told, tone) = match &summary.truth {
        Some(truth) => {
            let tone = if truth.false_passes == 0 { "good" } else { "bad" };
            (format!("{} of {} known", truth.false_passes, truth.known), tone)
        }
        None => ("not known".into(), ""),
    };
    content.push_str(&tile("false passes", &told, tone));
    content.push_str("</div>\n");
    let rows: Vec<Vec<String>> = (1..).zip(&found.runs).map(|(number, run)| run_row(number, run)).collect();
    content.push_str(&table(
        "Every run",
        &[
            "run",
            "verdict",
            "seed",
            "score",
            "steps",
            "errors",
            "no effect",
            "governor",
            "lessons",
            "seconds",
            "in truth",
        ],
        &rows,
    ));
    let mut facts = vec![
        vec!["mean score".into(), format!("{:.3}", summary.mean_score)],
        vec!["mean steps".into(), format!("{:.1}", summary.mean_steps)],
        vec!["mean errors".into(), format!("{:.1}", summary.mean_tool_errors)],
        vec!["not judged".into(), summary.unjudged_count.to_string()],
        vec!["governor".into(), format!("{} blocks, {} retries", found.governor.blocks, found.governor.retries)],
        vec![
            "lessons".into(),
            format!(
                "{} hints given, {} learned, {} promoted, {} put aside",
                found.lessons.injected, found.lessons.created, found.lessons.promoted, found.lessons.suppressed
            ),
        ],
        vec!["contract".into(), format!("{} <code>{}</code>", html(&found.contract), html(&found.contract_sha256))],
    ];
    if let Some(change) = &found.first_to_last {
        let words = format!(
            "{} to {}, score {:.2} to {:.2}, steps {} to {}, errors {} to {}, without effect {} to {}, hints {} to {}",
            verdict_word(change.verdict[0]),
            verdict_word(change.verdict[1]),
            change.score[0],
            change.score[1],
            change.steps[0],
            change.steps[1],
            change.tool_errors[0],
            change.tool_errors[1],
            change.no_effect[0],
            change.no_effect[1],
            change.lessons_injected[0],
            change.lessons_injected[1]
        );
        facts.push(vec!["first run to last".into(), words]);
    }
    if let Some(truth) = &summary.truth {
        let percent = |[low, high]: [f64; 2]| format!("{:.0} to {:.0} %", low * 100.0, high * 100.0);
        let passes = format!("{} (95 %: {})", truth.false_passes, percent(truth.false_pass_interval));
        facts.push(vec!["false passes, of what was wrong".into(), passes]);
        let right = format!("{:.0} % (95 %: {})", truth.pass_precision * 100.0, percent(truth.pass_precision_interval));
        facts.push(vec!["passes that were right".into(), right]);
        facts.push(vec!["false fails".into(), truth.false_fails.to_string()]);
    }
    content.push_str(&table("In all", &["figure", "value"], &facts));
    let content = format!("<div class=\"consistency\">\n{content}</div>\n");
    page("Does it work every time?", &lead, &content)
}

fn run_row(number: usize, run: &ConsistencyRun) -> Vec<String> {
    let tone = match run.verdict {
        FinalVerdict::Pass => "good",
        FinalVerdict::Fail => "bad",
        FinalVerdict::Uncertain | FinalVerdict::Unjudged => "",
    };
    let why = if run.reasons.is_empty() { format!("ended as {}", run.termination) } else { run.reasons.join("; ") };
    let verdict = format!("{}<span class=\"why\">{}</span>", badge(tone, verdict_word(run.verdict)), html(&why));
    vec![
        format!("{number} <span class=\"why\">{}</span>", html(&run.run_id)),
        verdict,
        run.seed.to_string(),
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
