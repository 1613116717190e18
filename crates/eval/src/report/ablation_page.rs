//! An ablation as one web page.

use surehand_trace::report::escape::html;

use super::page::{badge, page, table, tile};
use super::plot::steps_plot;
use super::{difference, shown};
use crate::ablation::{Ablation, Pair};
use crate::compare::Comparison;
use crate::episode::Episode;

pub fn ablation_html(ablation: &Ablation, comparison: &Comparison) -> String {
    let [with, without] = &ablation.values;
    let title = format!("{}: {with} against {without}", ablation.toggle);
    let asked = ablation.pairs_asked;
    let mut lead = format!(
        "Suite {}: {} Every task was run with both values, {asked} times, on a fresh site and in a fresh browser; which went first alternated.",
        ablation.suite, ablation.about
    );
    if let Some(note) = &ablation.note {
        lead.push_str(&format!(" Note: {note}."));
    }
    if ablation.interrupted {
        lead.push_str(" The experiment was interrupted; this is what was run until then.");
    }
    page(&title, &lead, &content(ablation, comparison))
}

fn content(ablation: &Ablation, comparison: &Comparison) -> String {
    if comparison.runs == 0 {
        return "<section><p>No pair was run to its end.</p></section>\n".into();
    }
    let [with, without] = &ablation.values;
    let mut content = String::from("<div class=\"tiles\">\n");
    for name in ["achieved (truth)", "false successes", "steps per run"] {
        if let Some(figure) = comparison.figures.iter().find(|figure| figure.name == name) {
            let value = format!("{} / {}", shown(figure.kind, figure.arms[0]), shown(figure.kind, figure.arms[1]));
            let tone = if figure.regression { "bad" } else { "good" };
            content.push_str(&tile(&format!("{name}, {with} / {without}"), &value, tone));
        }
    }
    content.push_str("</div>\n");
    content.push_str("<section><h2>Steps per task</h2>\n");
    content.push_str(&steps_plot(&comparison.tasks, &ablation.values));
    content.push_str("</section>\n");
    let rows: Vec<Vec<String>> = comparison
        .figures
        .iter()
        .map(|figure| {
            let [first, second] = figure.arms.map(|value| shown(figure.kind, value));
            let flag = if figure.regression { badge("bad", "regression") } else { String::new() };
            vec![html(&figure.name), first, second, difference(figure), flag]
        })
        .collect();
    let caption = format!("Figures of {} runs of either arm", comparison.runs);
    content.push_str(&table(&caption, &["", with, without, "difference", ""], &rows));
    let rows: Vec<Vec<String>> = ablation.pairs.iter().map(|pair| pair_row(ablation, pair)).collect();
    content.push_str(&table("Every run", &["task", "pair", with, without], &rows));
    content
}

fn pair_row(ablation: &Ablation, pair: &Pair) -> Vec<String> {
    let first = &ablation.values[pair.first.min(1)];
    let number = format!("{} ({} first)", pair.number, html(first));
    vec![html(&pair.task), number, episode(&pair.arms[0]), episode(&pair.arms[1])]
}

fn episode(one: &Episode) -> String {
    let (tone, word) = match (one.truth.achieved, one.claimed) {
        (true, true) => ("good", "achieved"),
        (true, false) => ("", "achieved, not claimed"),
        (false, true) => ("bad", "false success"),
        (false, false) => ("", "not achieved"),
    };
    format!(
        "{} {} steps, {:.1} s<span class=\"why\">{}, run {}</span>",
        badge(tone, word),
        one.steps,
        one.seconds,
        html(one.termination.as_str()),
        html(&one.run_id)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::{ablation, episode};

    #[test]
    fn the_page_stands_alone_and_escapes_what_it_shows() {
        let hostile = "<script>alert(1)</script>";
        let mut measured = ablation(vec![[episode(hostile, 4, true, true), episode(hostile, 10, false, true)]]);
        measured.note = Some("a & b".into());
        let page = ablation_html(&measured, &Comparison::new(&measured));
        assert!(!page.contains("<script") && page.contains("&lt;script&gt;") && page.contains("a &amp; b"));
        assert!(page.contains("<svg ") && page.contains("false success") && page.contains("10.0"));
        for outside in ["http://", "https://", "src=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        let none = ablation(Vec::new());
        assert!(ablation_html(&none, &Comparison::new(&none)).contains("No pair was run"));
    }
}
