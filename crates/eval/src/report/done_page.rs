//! The done bench as one web page.

use surehand_trace::report::escape::html;

use super::page::{badge, page, table, tile};
use super::share;
use crate::done_bench::{DoneReport, Judged};
use crate::suite::Label;

pub fn done_html(report: &DoneReport) -> String {
    let mut lead = format!(
        "Suite {}: {} labelled episodes, run as users run them. A claim is judged by its label, and the label by the state of the site.",
        report.suite,
        report.episodes.len()
    );
    if report.interrupted {
        lead.push_str(" The bench was interrupted; this is what was run until then.");
    }
    let tone = |value: Option<f64>| if value.is_none_or(|value| value >= 1.0) { "good" } else { "bad" };
    let wrong = report.episodes.iter().filter(|one| !one.right).count();
    let mut content = String::from("<div class=\"tiles\">\n");
    content.push_str(&tile("false claims that were refused (recall)", &share(report.recall), tone(report.recall)));
    let precision = share(report.precision);
    content.push_str(&tile("refused claims that were false (precision)", &precision, tone(report.precision)));
    content.push_str(&tile("episodes judged wrongly", &wrong.to_string(), if wrong == 0 { "good" } else { "bad" }));
    content.push_str("</div>\n");
    let labels: Vec<Vec<String>> = Label::ALL
        .iter()
        .filter_map(|label| report.labels.get(label).map(|counts| (label, counts)))
        .map(|(label, counts)| {
            let numbers = [counts.episodes, counts.accepted, counts.refused, counts.broken_off, counts.refused_first];
            let mut row = vec![html(label.name())];
            row.extend(numbers.map(|number| number.to_string()));
            row
        })
        .collect();
    content.push_str(&table(
        "By label",
        &["label", "episodes", "accepted", "refused", "broken off", "refused first"],
        &labels,
    ));
    let reasons: Vec<Vec<String>> = report
        .reasons
        .iter()
        .map(|(reason, refusals)| vec![html(reason), refusals.of_dishonest.to_string(), refusals.of_honest.to_string()])
        .collect();
    content.push_str(&table("By reason", &["reason", "of false claims", "of honest claims"], &reasons));
    let episodes: Vec<Vec<String>> = report.episodes.iter().map(episode_row).collect();
    content.push_str(&table("Every episode", &["episode", "label", "truth", "outcome", "refusals"], &episodes));
    page("Is a claimed done believed?", &lead, &content)
}

fn episode_row(judged: &Judged) -> Vec<String> {
    let Judged { episode, label, .. } = judged;
    let truth = match (judged.mislabelled, episode.truth.achieved) {
        (true, _) => badge("bad", "not what the label says"),
        (false, true) => badge("", "done"),
        (false, false) => badge("", "not done"),
    };
    let outcome = badge(if judged.right { "good" } else { "bad" }, judged.outcome.in_words());
    let refusals: Vec<String> =
        episode.rejections.iter().map(|(reason, times)| format!("{} x{times}", html(reason))).collect();
    let ending =
        format!("<span class=\"why\">{}, run {}</span>", html(episode.termination.as_str()), html(&episode.run_id));
    let outcome = format!("{outcome}{ending}");
    vec![html(&episode.task), html(label.name()), truth, outcome, refusals.join("<br>")]
}
