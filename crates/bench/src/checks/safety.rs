//! What the policy and the redaction of one step cost: a decision by the built-in rules, and everything that is
//! said and kept of a step, searched for ten secrets of which one has ten thousand characters.

use std::hint::black_box;

use serde_json::json;
use surehand_checks::before::policy::{KnownOrigins, Policy, Query};
use surehand_checks::before::{Aim, Deed};
use surehand_types::result::Observed;
use surehand_types::{Call, Redactor, Secret, StepRecord};

use super::capture::Pair;
use super::parts::{Row, row};

pub(super) fn parts(pair: &Pair) -> Vec<Row> {
    let policy = Policy::builtin();
    let known = KnownOrigins::default();
    let call = json!({"tool": "mouse", "action": "click", "coordinate": [512, 300]});
    let Ok(parsed) = Call::parse(&call) else { return Vec::new() };
    // No rule matches, so that every one is looked at.
    let deed = Deed { role: Some("button".into()), name: "Save the changes of this page".into(), ..Deed::default() };
    let aim = Aim { deed: Some(deed), ..Aim::default() };
    let query = Query { call: &parsed.call, aim: &aim, url: pair.before.url.as_deref(), opener: None, known: &known };

    let redactor = Redactor::new(&secrets());
    let record = record_of(pair, &call);
    let told = format!("{}\n{}", record.feedback, record.message);
    [
        row("policy, no rule matches", || policy.judge(black_box(&query))),
        // The brain's turn, the trace and the result each have their own copy.
        row("redaction, ten secrets", || {
            let copies = [(); 3].map(|()| redactor.copy_of(black_box(&record)));
            (copies, redactor.text(black_box(&told)))
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn secrets() -> Vec<Secret> {
    let long: String = (0..1700).map(|number| format!("{:05x}-", number * 7919 % 1_000_003)).collect();
    let short = (0..9).map(|number| Secret::new(format!("s{number}"), format!("correct horse {number} battery")));
    short.chain([Secret::new("long", long)]).collect()
}

fn record_of(pair: &Pair, call: &serde_json::Value) -> StepRecord {
    let acted = &pair.acted;
    let after = &acted.observation;
    StepRecord {
        thought: Some("The form is filled in, so the button that saves it comes next. ".repeat(20)),
        call: call.as_object().cloned(),
        ok: acted.ok,
        message: acted.message.clone(),
        hit: acted.hit.clone(),
        effect: acted.effect.clone(),
        feedback: acted.message.repeat(3),
        observed: Observed { url: after.url.clone(), title: after.title.clone(), focus: after.focus.clone() },
        ..StepRecord::blank(1, 1)
    }
}
