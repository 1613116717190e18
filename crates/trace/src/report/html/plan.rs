//! The steps of a plan as one table, each with a link to its first call.

use std::fmt::Write as _;

use surehand_types::plan::PlanOutcome;

use super::step::{mark, tone_class};
use crate::report::escape::html;
use crate::report::outcome::Tone;
use crate::report::plan::{PlanRow, plan_rows};
use crate::report::words::clip_to;
use crate::timeline::Timeline;

/// Rows of the table; a plan may have thousands, and the steps below have them all.
const SHOWN: usize = 500;

pub(super) fn render(page: &mut String, timeline: &Timeline) {
    let rows = plan_rows(timeline);
    if rows.is_empty() {
        return;
    }
    let name = timeline.ended.as_ref().and_then(|result| result.plan.as_ref()).map(|plan| plan.name.as_str());
    let title = name.map_or("Plan".to_string(), |name| format!("Plan {}", html(&clip_to(name, 80))));
    let _ = write!(
        page,
        "<section class=\"plan\" aria-labelledby=\"plan-title\">\n<h2 id=\"plan-title\">{title}</h2>\n\
         <div class=\"plan-table\"><table>\n<thead><tr><th scope=\"col\">Step</th><th scope=\"col\">Kind</th>\
         <th scope=\"col\">Outcome</th><th scope=\"col\">Calls</th><th scope=\"col\">About</th></tr></thead>\n<tbody>\n"
    );
    for row in rows.iter().take(SHOWN) {
        let (tone, outcome) = outcome(row);
        let calls = match row.first_call {
            Some(first) => format!("<a href=\"#step-{first}\">{}</a>", row.calls),
            None => "–".into(),
        };
        let about = row.why.as_deref().unwrap_or(&row.words);
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td class=\"{}\"><i aria-hidden=\"true\">{}</i> {outcome}</td><td>{calls}</td><td>{}</td></tr>",
            html(&row.step.to_string()),
            html(&row.work),
            tone_class(tone),
            mark(tone),
            html(&clip_to(about, 300)),
        );
    }
    page.push_str("</tbody>\n</table></div>\n");
    if rows.len() > SHOWN {
        let _ = writeln!(page, "<p>{} more are told with the steps below.</p>", rows.len() - SHOWN);
    }
    page.push_str("</section>\n");
}

fn outcome(row: &PlanRow) -> (Tone, &'static str) {
    match row.outcome {
        None if row.is_agreed => (Tone::Good, "agreed to"),
        None => (Tone::Unsure, "not finished"),
        Some(outcome) => {
            let tone = match outcome {
                PlanOutcome::Done => Tone::Good,
                PlanOutcome::Looked => Tone::Neutral,
                PlanOutcome::Retried | PlanOutcome::Skipped => Tone::Unsure,
                PlanOutcome::Failed => Tone::Bad,
            };
            (tone, outcome.in_words())
        }
    }
}
