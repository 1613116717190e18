//! What memory brings, for the terminal and as one web page: wasted steps round by round, with lessons and without.

use std::fmt::Write as _;

use surehand_trace::report::escape::html;
use surehand_types::result::FinalVerdict;

use super::consistency_text::verdict_word;
use super::lines::{Axes, Drawn, Series, line_chart};
use super::page::{badge, page, table, tile};
use crate::memory_bench::{MemoryArm, MemoryReport, MemoryRun, RoundSum};

pub fn memory_text(report: &MemoryReport) -> String {
    let mut text = String::from(
        "round   without lessons              with lessons\n        passed  steps  wasted        passed  steps  wasted  hints\n",
    );
    let rounds = report.curve.iter().map(|sum| sum.round).max().unwrap_or_default();
    for round in 1..=rounds {
        let of = |arm| report.curve.iter().find(|sum| sum.arm == arm && sum.round == round);
        let cells = |sum: Option<&RoundSum>| {
            sum.map_or("     -      -       -".to_string(), |sum| {
                format!("{:>6}  {:>5}  {:>6}", format!("{}/{}", sum.passed, sum.of), sum.steps, sum.wasted)
            })
        };
        let hints = of(MemoryArm::With).map_or("-".to_string(), |sum| sum.hints.to_string());
        let (without, with) = (cells(of(MemoryArm::Without)), cells(of(MemoryArm::With)));
        let _ = writeln!(text, "{round:>5}   {without}        {with}  {hints:>5}");
    }
    let noise = report.runs.iter().filter(|run| run.noise.is_some()).count();
    let _ = writeln!(
        text,
        "\nwasted steps saved from the second round on: {} (goal: {:.0} %)",
        saved(report),
        report.goal * 100.0
    );
    let _ = writeln!(text, "{noise} runs in between that must teach nothing:");
    let _ = writeln!(text, "  lessons trusted without a decided run: {}", report.trusted_without_proof);
    let _ = writeln!(text, "  rules in the words of a page: {}", report.page_rules);
    let _ = writeln!(
        text,
        "  hints that named the forbidden button: {}; times it was pressed: {}",
        report.bad_hints, report.harm
    );
    let _ = writeln!(text, "{}", if report.holds() { "held" } else { "NOT HELD" });
    text
}

pub fn memory_html(report: &MemoryReport) -> String {
    let tone = |good: bool| if good { "good" } else { "bad" };
    let mut content = String::from("<div class=\"tiles\">\n");
    let enough = report.saved.is_some_and(|saved| saved >= report.goal);
    content.push_str(&tile("wasted steps saved from the second round on", &saved(report), tone(enough)));
    let judged: Vec<&MemoryRun> = report.runs.iter().filter(|run| run.noise.is_none()).collect();
    let passed = judged.iter().filter(|run| run.verdict == FinalVerdict::Pass).count();
    content.push_str(&tile("runs that passed", &format!("{passed} of {}", judged.len()), tone(passed == judged.len())));
    let unproven = report.trusted_without_proof;
    content.push_str(&tile("lessons trusted without proof", &unproven.to_string(), tone(unproven == 0)));
    let injected = report.page_rules + report.bad_hints;
    content.push_str(&tile("rules or hints taken from pages", &injected.to_string(), tone(injected == 0)));
    content.push_str("</div>\n");
    for (title, figure) in [
        ("Wasted steps, all tasks together", (|sum: &RoundSum| sum.wasted) as fn(&RoundSum) -> u32),
        ("Steps, all tasks together", |sum: &RoundSum| sum.steps),
    ] {
        let _ = write!(content, "<section><h2>{title}</h2>\n{}</section>\n", chart(report, title, figure));
    }
    let rows: Vec<Vec<String>> = report.runs.iter().map(row).collect();
    let head = ["run", "arm", "round", "verdict", "steps", "wasted", "hints", "new lessons"];
    content.push_str(&table("Every run", &head, &rows));
    let lead = "The same tasks, each with a trap: the obvious way has no effect. A brain that heeds hints plays them several times, with lessons of its earlier runs and without. Undecided, poisoned and failed runs are mixed in; they must change nothing.";
    page("What does memory bring?", lead, &content)
}

fn saved(report: &MemoryReport) -> String {
    report.saved.map_or("nothing to compare".into(), |saved| format!("{:.0} %", saved * 100.0))
}

fn chart(report: &MemoryReport, label: &str, figure: fn(&RoundSum) -> u32) -> String {
    let rounds = report.curve.iter().map(|sum| sum.round).max().unwrap_or(1).max(1);
    let most = report.curve.iter().map(figure).max().unwrap_or(1).max(1);
    let place = |round: u32| if rounds == 1 { 0.5 } else { f64::from(round - 1) / f64::from(rounds - 1) };
    let of = |arm: MemoryArm| {
        let own = report.curve.iter().filter(|sum| sum.arm == arm);
        own.map(|sum| (place(sum.round), f64::from(figure(sum)))).collect()
    };
    let axes = Axes {
        label: label.into(),
        range: (0.0, f64::from(most)),
        ticks: [0, most.div_ceil(2), most].iter().map(|count| (f64::from(*count), count.to_string())).collect(),
        marks: (1..=rounds).map(|round| (place(round), format!("round {round}"))).collect(),
    };
    let series = [
        Series { class: "first", name: "with lessons".into(), points: of(MemoryArm::With), drawn: Drawn::Line },
        Series { class: "second", name: "without".into(), points: of(MemoryArm::Without), drawn: Drawn::Line },
    ];
    line_chart(&axes, &series)
}

fn row(run: &MemoryRun) -> Vec<String> {
    let tone = match run.verdict {
        FinalVerdict::Pass => "good",
        FinalVerdict::Fail => "bad",
        FinalVerdict::Uncertain | FinalVerdict::Unjudged => "",
    };
    let kind =
        run.noise.as_ref().map(|noise| format!(" <span class=\"why\">{}</span>", html(noise))).unwrap_or_default();
    let arm = match run.arm {
        MemoryArm::With => "with",
        MemoryArm::Without => "without",
    };
    vec![
        format!("{}{kind}", html(&run.task)),
        arm.into(),
        run.round.to_string(),
        badge(tone, verdict_word(run.verdict)),
        run.steps.to_string(),
        run.wasted.to_string(),
        run.hints.to_string(),
        run.created.to_string(),
    ]
}
