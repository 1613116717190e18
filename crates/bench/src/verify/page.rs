//! The result of the fault bench as one HTML page that needs nothing else.

use surehand_sites::fault::Fate;

use super::matrix::Matrix;
use super::report::{Group, Judge, VerifyReport};
use super::trial::{Outcome, Said};

const PAGE: &str = include_str!("page.html");

pub(super) fn html(report: &VerifyReport) -> String {
    let wrong = report.wrong();
    let unsound: Vec<&Outcome> =
        report.outcomes.iter().filter(|outcome| report.unsound.contains(&outcome.run)).collect();
    let parts = [
        ("{{clicks}}", report.outcomes.len().to_string()),
        ("{{dead}}", count(report, Fate::Dead).to_string()),
        ("{{live}}", count(report, Fate::Live).to_string()),
        ("{{goals}}", goals(report)),
        ("{{matrices}}", report.judges.iter().map(matrix).collect()),
        ("{{kinds}}", report.kinds.iter().map(group).collect()),
        ("{{noises}}", report.noises.iter().map(group).collect()),
        ("{{wrong_count}}", wrong.len().to_string()),
        ("{{wrong}}", wrong.into_iter().map(case).collect()),
        ("{{unsound_count}}", unsound.len().to_string()),
        ("{{unsound}}", unsound.into_iter().map(case).collect()),
    ];
    // Each placeholder is cut out where it stands, so that no value is filled again.
    let (mut page, mut rest) = (String::new(), PAGE);
    while let Some((at, name, value)) =
        parts.iter().filter_map(|(name, value)| Some((rest.find(name)?, name, value))).min_by_key(|(at, ..)| *at)
    {
        page.push_str(&rest[..at]);
        page.push_str(value);
        rest = &rest[at + name.len()..];
    }
    page.push_str(rest);
    page
}

fn count(report: &VerifyReport, fate: Fate) -> usize {
    report.outcomes.iter().filter(|outcome| outcome.case.kind.fate == fate).count()
}

fn goals(report: &VerifyReport) -> String {
    let row = |goal: &super::report::Goal| {
        let class = goal.verdict().replace(' ', "-");
        let (words, found, verdict) = (escaped(goal.words), escaped(&goal.found()), goal.verdict());
        format!("<tr><td>{words}</td><td>{found}</td><td class=\"{class}\">{verdict}</td></tr>\n")
    };
    report.goals.iter().map(row).collect()
}

fn matrix(judge: &Judge) -> String {
    let body = match &judge.matrix {
        None => "<p>Not measured in this run.</p>".to_string(),
        Some(matrix) => {
            let head: String = Said::ALL.iter().map(|said| format!("<th>{}</th>", said.words())).collect();
            let rows: String = [Fate::Dead, Fate::Live].into_iter().map(|fate| matrix_row(matrix, fate)).collect();
            format!("<table><tr><th>truth</th>{head}</tr>{rows}</table>")
        }
    };
    format!("<section><h3>{}</h3><p>{}.</p>{body}</section>\n", escaped(judge.name), escaped(judge.about))
}

fn matrix_row(matrix: &Matrix, fate: Fate) -> String {
    let cells = Said::ALL.into_iter().map(|said| {
        let percent = matrix.share(fate, said).map_or(0.0, |share| share.percent);
        let amount = matrix.row(fate)[said as usize];
        let class = match (said.is_right(fate), said, amount) {
            (_, _, 0) => "zero",
            (true, ..) => "right",
            (false, Said::Unverifiable | Said::Other, _) => "doubt",
            (false, ..) => "opposite",
        };
        format!("<td class=\"{class}\">{amount}<small>{percent:.1} %</small></td>")
    });
    let truth = if fate == Fate::Dead { "dead" } else { "live" };
    format!("<tr><th>{truth}</th>{}</tr>", cells.collect::<String>())
}

/// A kind says whether it is dead and what it is; a noise has neither.
fn group(group: &Group) -> String {
    let class = if group.has_errors() { "errors" } else { "" };
    let truth = match group.fate {
        Some(Fate::Dead) => "<td>dead</td>",
        Some(Fate::Live) => "<td>live</td>",
        None => "",
    };
    let about = if group.fate.is_some() { format!("<td>{}</td>", escaped(group.about)) } else { String::new() };
    let figures = [group.clicks, group.wrong, group.unverifiable, group.other, group.hash_wrong];
    let probe = group.probe_wrong.map_or("?".to_string(), |count| count.to_string());
    let figures: String = figures
        .map(|figure| figure.to_string())
        .iter()
        .chain([&probe])
        .map(|figure| format!("<td class=\"figure\">{figure}</td>"))
        .collect();
    format!("<tr class=\"{class}\"><th>{}</th>{truth}{about}{figures}</tr>\n", escaped(group.name))
}

fn case(outcome: &Outcome) -> String {
    let witness = outcome.witness.map_or("told nothing".to_string(), |witness| {
        format!("clicks arrived: {}, effects ran: {}", witness.arrived, witness.ran)
    });
    let said = outcome.ours.words();
    let near = if outcome.near { "near" } else { "" };
    let (path, evidence) = (escaped(&outcome.path()), escaped(&outcome.evidence));
    format!(
        "<tr><td>{}</td><td>{said}</td><td>{}</td><td>{} {near}</td><td><code>{path}</code></td><td>{evidence}</td><td>{witness}</td></tr>\n",
        outcome.fate(),
        escaped(outcome.case.kind.name),
        outcome.case.noise,
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use surehand_sites::fault::Case;

    use super::*;
    use crate::verify::witness::Witness;

    fn outcome(run: u64, kind: &str, noise: &str, ours: Said, evidence: &str) -> Outcome {
        Outcome {
            run,
            case: Case::named(kind, noise, 7).unwrap(),
            near: false,
            ours,
            hash: Said::Confirmed,
            probe: Some(Said::NoEffect),
            evidence: evidence.to_string(),
            took_ms: 1.0,
            witness: Some(Witness { arrived: 1, ran: 0 }),
        }
    }

    #[test]
    fn the_page_tells_what_was_wrong_and_fills_no_value_twice() {
        let report = VerifyReport::of(vec![
            outcome(1, "overlay", "clock", Said::Confirmed, "a <b> changed, {{goals}}"),
            outcome(2, "overlay", "none", Said::NoEffect, ""),
            outcome(3, "text", "none", Said::Confirmed, ""),
        ]);
        let page = html(&report);
        assert!(page.contains("a &lt;b&gt; changed, {{goals}}"));
        assert_eq!(page.matches("{{").count(), 1);
        assert!(page.contains("Every click that Surehand did not judge right: 1<"));
        assert!(page.contains("/case?kind=overlay&amp;noise=clock&amp;seed=7&amp;run=1"));
        // The live control never told that it ran.
        assert_eq!(report.unsound, [3]);
        assert!(page.contains("50.0 % (1 of 2;"));
        let text = report.to_string();
        assert!(text.contains("missed: dead called no_effect: at least 99 %: 50.0 % (1 of 2;"), "{text}");
        assert!(text.contains("met: live called no_effect: at most 1 %: 0.0 % (0 of 1;"), "{text}");
    }
}
