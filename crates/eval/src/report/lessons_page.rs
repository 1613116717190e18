//! How useful lessons were, as one web page: sums, utility over time, the steps of decided runs, and the lessons.

use surehand_memory::{Lesson, Status};
use surehand_store::{LessonTotals, RunMark, UtilityPoint};
use surehand_trace::report::escape::html;

use super::lines::{Axes, Drawn, Series, line_chart};
use super::page::{badge, page, table, tile};

/// Outcomes that the line is the mean of.
const WINDOW: usize = 10;
const ROWS: usize = 100;

pub fn lessons_html(totals: &LessonTotals, points: &[UtilityPoint], runs: &[RunMark], lessons: &[Lesson]) -> String {
    let mut content = String::from("<div class=\"tiles\">\n");
    content.push_str(&tile("lessons that may be shown", &totals.trusted.to_string(), ""));
    content.push_str(&tile("promoted", &totals.promoted.to_string(), ""));
    content.push_str(&tile("times shown", &totals.shown.to_string(), ""));
    let helped = format!("{} of {}", totals.helpful, totals.counted);
    let tone = if totals.counted == 0 {
        ""
    } else if 2 * totals.helpful >= totals.counted {
        "good"
    } else {
        "bad"
    };
    content.push_str(&tile("counted outcomes that helped", &helped, tone));
    content.push_str("</div>\n");
    content.push_str(&utility_section(points));
    if runs.len() > 1 {
        content.push_str(&runs_section(runs));
    }
    let rows: Vec<Vec<String>> = lessons.iter().take(ROWS).map(row).collect();
    content.push_str(&table(
        "Lessons, the latest changed first",
        &["lesson", "status", "shown", "helped", "utility"],
        &rows,
    ));
    let lead = "What runs have taught, and what showing it to later runs brought. Utility goes from -1 (it did harm) to 1 (all of it helped); only runs that a referee decided count.";
    page("How useful are the lessons?", lead, &content)
}

fn utility_section(points: &[UtilityPoint]) -> String {
    if points.is_empty() {
        return "<section><h2>Utility over time</h2><p class=\"why\">No outcome was counted yet: lessons count when a run that was shown one is decided by a contract.</p></section>\n".into();
    }
    let place = |index: usize| if points.len() == 1 { 0.5 } else { index as f64 / (points.len() - 1) as f64 };
    let each = points.iter().enumerate().map(|(index, point)| (place(index), point.utility)).collect();
    let mean = (0..points.len())
        .map(|index| {
            let window = &points[(index + 1).saturating_sub(WINDOW)..=index];
            (place(index), window.iter().map(|point| point.utility).sum::<f64>() / window.len() as f64)
        })
        .collect();
    let day = |at: i64| {
        jiff::Timestamp::from_millisecond(at)
            .map_or_else(|_| String::new(), |at| at.strftime("%Y-%m-%d %H:%M").to_string())
    };
    let mut marks = vec![(0.0, day(points[0].at))];
    if points.len() > 1 {
        marks.push((1.0, day(points[points.len() - 1].at)));
    }
    let axes = Axes {
        label: "Utility of every counted outcome, in the order in which they came".into(),
        range: (-1.0, 1.0),
        ticks: [(-1.0, "-1"), (-0.5, "-0.5"), (0.0, "0"), (0.5, "+0.5"), (1.0, "+1")]
            .map(|(at, name)| (at, name.into()))
            .into(),
        marks,
    };
    let series = [
        Series { class: "second", name: "each outcome".into(), points: each, drawn: Drawn::Dots },
        Series { class: "first", name: format!("mean of the last {WINDOW}"), points: mean, drawn: Drawn::Line },
    ];
    format!("<section><h2>Utility over time</h2>\n{}</section>\n", line_chart(&axes, &series))
}

fn runs_section(runs: &[RunMark]) -> String {
    let most = runs.iter().map(|run| run.steps).max().unwrap_or(1).max(1);
    let place = |index: usize| index as f64 / (runs.len() - 1) as f64;
    let of = |passed: bool| {
        let own = runs.iter().enumerate().filter(|(_, run)| run.passed == passed);
        own.map(|(index, run)| (place(index), f64::from(run.steps))).collect()
    };
    let axes = Axes {
        label: "Steps of decided runs".into(),
        range: (0.0, f64::from(most)),
        ticks: [0, most.div_ceil(2), most].iter().map(|steps| (f64::from(*steps), steps.to_string())).collect(),
        marks: vec![(0.0, "first run".into()), (1.0, "latest run".into())],
    };
    let series = [
        Series { class: "first", name: "passed".into(), points: of(true), drawn: Drawn::Dots },
        Series { class: "second", name: "failed".into(), points: of(false), drawn: Drawn::Dots },
    ];
    format!("<section><h2>Steps of runs that were decided</h2>\n{}</section>\n", line_chart(&axes, &series))
}

fn row(lesson: &Lesson) -> Vec<String> {
    let tone = match lesson.status {
        Status::Promoted => "good",
        Status::Suppressed => "bad",
        Status::Candidate | Status::Archived => "",
    };
    let doubt = if lesson.is_decided() { "" } else { ", in doubt" };
    let utility =
        if lesson.utility_history.is_empty() { "–".into() } else { format!("{:+.2}", lesson.mean_utility()) };
    vec![
        format!("{}<span class=\"why\">{} · {}</span>", html(&lesson.rule), html(&lesson.id.0), html(&lesson.origin)),
        badge(tone, &format!("{}{doubt}", lesson.status.as_str())),
        lesson.counts.shown.to_string(),
        format!("{} of {}", lesson.counts.helpful, lesson.counts.retrievals),
        utility,
    ]
}
