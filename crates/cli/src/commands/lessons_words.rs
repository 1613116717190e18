//! Lessons in words, for the terminal. Rules quote names from pages, so every text is made safe to print.

use std::fmt::Write as _;

use surehand_memory::journal::Showing;
use surehand_memory::{Happened, Lesson, LessonEvent, LessonId, Moment, Status};
use surehand_store::LessonTotals;
use surehand_types::result::FinalVerdict;

/// Letters of an id that a list shows; enough to name it, and to be typed.
const SHORT: usize = 12;
const RULE: usize = 100;

pub(super) fn clean(text: &str) -> String {
    surehand_trace::report::escape::terminal(text)
}

pub(super) fn table(lessons: &[Lesson]) -> String {
    let mut text = format!(
        "{:<SHORT$}  {:<10}  {:<8}  {:>5}  {:>7}  {:<22}  RULE",
        "LESSON", "STATUS", "TRUST", "SHOWN", "UTILITY", "ORIGIN"
    );
    for lesson in lessons {
        let utility = utility(lesson);
        let (id, origin, rule) = (short(&lesson.id), cut(&lesson.origin, 22), cut(&lesson.rule, RULE));
        let _ = write!(
            text,
            "\n{id:<SHORT$}  {:<10}  {:<8}  {:>5}  {utility:>7}  {origin:<22}  {rule}",
            lesson.status.as_str(),
            trust(lesson),
            lesson.counts.shown
        );
    }
    text
}

pub(super) fn lesson(lesson: &Lesson, events: &[LessonEvent]) -> String {
    let mut text = format!("{}\n\n  {}\n\n", lesson.id, clean(&lesson.rule));
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<12} {value}");
    };
    let suppressed = match lesson.suppressed_by {
        Some(surehand_memory::lesson::Suppressor::Person) => " by a person",
        Some(surehand_memory::lesson::Suppressor::Outcomes) => " by what came of it",
        None => "",
    };
    line("status", format!("{}{suppressed}", lesson.status.as_str()));
    line("trust", standing(lesson).into());
    line("holds at", clean(&lesson.origin));
    if !lesson.task.is_empty() {
        line("for the task", clean(&lesson.task));
    }
    if !lesson.learned_in.is_empty() {
        line("learned in", clean(&lesson.learned_in));
    }
    line("reliability", format!("{:.2}", lesson.reliability));
    let counts = lesson.counts;
    line(
        "served",
        format!(
            "shown {} times; counted {}: {} helped, {} did not",
            counts.shown, counts.retrievals, counts.helpful, counts.harmful
        ),
    );
    line("utility", format!("{} (mean of the last ten; -1 to 1)", utility(lesson)));
    line("tags", clean(&lesson.tags.join(", ")));
    if !lesson.conflicts.is_empty() {
        line("contradicts", lesson.conflicts.iter().map(short).collect::<Vec<_>>().join(", "));
    }
    let sources: Vec<String> =
        lesson.sources.iter().map(|source| format!("{} ({})", clean(&source.run), verdict(source.verdict))).collect();
    line("seen in", sources.join(", "));
    if !events.is_empty() {
        text.push_str("\nWhat happened to it:\n");
        for event in events {
            let run = if event.run.is_empty() { "a person".to_string() } else { format!("run {}", clean(&event.run)) };
            let _ = writeln!(text, "  {}  {run}: {}", event.at.strftime("%Y-%m-%d %H:%M"), happened(&event.happened));
        }
    }
    text.trim_end().to_string()
}

pub(super) fn why(run: &str, events: &[LessonEvent], lessons: &[Lesson]) -> String {
    if events.is_empty() {
        return format!("run {run} was shown no lesson and made none");
    }
    let rule = |id: &LessonId| {
        let known = lessons.iter().find(|lesson| lesson.id == *id);
        known.map_or("(forgotten meanwhile)".to_string(), |lesson| clean(&lesson.rule))
    };
    let mut text = format!("run {run}\n");
    let mut told: Vec<&LessonId> = Vec::new();
    for event in events {
        if told.contains(&&event.lesson) {
            continue;
        }
        told.push(&event.lesson);
        let _ = writeln!(text, "\n{}  {}", short(&event.lesson), rule(&event.lesson));
        for own in events.iter().filter(|own| own.lesson == event.lesson) {
            let _ = writeln!(text, "    {}", happened(&own.happened));
        }
    }
    text.trim_end().to_string()
}

pub(super) fn totals(totals: &LessonTotals) -> String {
    let mut text = String::new();
    for (name, value) in [
        ("candidates", totals.candidate),
        ("promoted", totals.promoted),
        ("suppressed", totals.suppressed),
        ("archived", totals.archived),
        ("trusted", totals.trusted),
        ("sites and applications", totals.origins),
        ("times shown", totals.shown),
        ("outcomes counted", totals.counted),
        ("outcomes that helped", totals.helpful),
    ] {
        let _ = writeln!(text, "{name:<24} {value:>8}");
    }
    let _ = write!(text, "{:<24} {:>8.1} MB", "size", totals.bytes as f64 / 1e6);
    text
}

fn happened(what: &Happened) -> String {
    match what {
        Happened::Shown(showing) => shown(showing),
        Happened::Outcome { utility, counted: true } if *utility > 0.0 => format!("it helped (utility {utility:+.2})"),
        Happened::Outcome { utility, counted: true } => format!("it did not help (utility {utility:+.2})"),
        Happened::Outcome { .. } => "what came of it was not counted: the run was not decided".into(),
        Happened::Untried => {
            "nothing was counted: it was not heeded, or what it is about was not tried afterwards".into()
        }
        Happened::Created => "made of this run".into(),
        Happened::Confirmed => "seen again in this run".into(),
        Happened::Promoted => "promoted".into(),
        Happened::Suppressed => "suppressed".into(),
        Happened::Lifted => "suppression lifted".into(),
    }
}

fn shown(showing: &Showing) -> String {
    let when = match showing.moment {
        Moment::Start => "shown at the start".to_string(),
        Moment::Error => format!("shown after step {} failed", showing.after_step),
    };
    let parts = showing.parts;
    let first = match showing.moment {
        Moment::Start => "task",
        Moment::Error => "failure",
    };
    format!(
        "{when}: score {:.2} ({first} {:.2}, tags {:.2}, words {:.2}, reliability {:.2}, recency {:.2}; {})",
        showing.score,
        parts.fingerprint,
        parts.tags,
        parts.text,
        parts.reliability,
        parts.recency,
        match showing.lane {
            surehand_memory::Lane::Strict => "the same site",
            surehand_memory::Lane::Transfer => "another site",
        }
    )
}

fn trust(lesson: &Lesson) -> &'static str {
    if lesson.is_decided() { "decided" } else { "in doubt" }
}

fn standing(lesson: &Lesson) -> &'static str {
    match (lesson.status, lesson.is_decided()) {
        (Status::Suppressed | Status::Archived, _) => "not shown to any brain",
        (Status::Promoted, _) => "shown where it fits: it proved useful, or a person vouches for it",
        (Status::Candidate, true) => "shown where it fits: a run that was decided confirms it",
        (Status::Candidate, false) => "not shown yet: no decided run confirms it",
    }
}

fn verdict(verdict: FinalVerdict) -> &'static str {
    match verdict {
        FinalVerdict::Pass => "pass",
        FinalVerdict::Fail => "fail",
        FinalVerdict::Uncertain => "uncertain",
        FinalVerdict::Unjudged => "not judged",
    }
}

fn utility(lesson: &Lesson) -> String {
    if lesson.utility_history.is_empty() { "-".into() } else { format!("{:+.2}", lesson.mean_utility()) }
}

fn short(id: &LessonId) -> String {
    id.0.chars().take(SHORT).collect()
}

fn cut(text: &str, most: usize) -> String {
    let text = clean(text);
    if text.chars().count() <= most {
        return text;
    }
    text.chars().take(most - 1).chain(['…']).collect()
}
