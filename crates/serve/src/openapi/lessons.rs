//! The addresses of lessons in the document.

use serde_json::{Value, json};
use surehand_types::api::{LessonDetail, LessonPage, LessonStats, LessonWish};

use super::{Endpoint, Kind, STEERING, of};
use crate::access::Scope;

const READ: Option<Scope> = Some(Scope::Read);
const CHANGED: &[(u16, Kind, &str)] = &[(200, of::<LessonDetail>(), "The lesson as it is now")];

const fn word(path: &'static str, summary: &'static str) -> Endpoint {
    Endpoint {
        method: "post",
        path,
        scope: Some(Scope::Admin),
        summary,
        body: Some(of::<LessonWish>()),
        answers: CHANGED,
        errors: STEERING,
    }
}

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        method: "get",
        path: "/v1/lessons",
        scope: READ,
        summary: "What runs have taught, the latest changed first",
        body: None,
        answers: &[(200, of::<LessonPage>(), "One page of them")],
        errors: &[400],
    },
    Endpoint {
        method: "get",
        path: "/v1/lessons/stats",
        scope: READ,
        summary: "How many lessons there are, and how useful they were over time",
        body: None,
        answers: &[(200, of::<LessonStats>(), "Totals, counted outcomes, decided runs")],
        errors: &[],
    },
    Endpoint {
        method: "get",
        path: "/v1/lessons/{id}",
        scope: READ,
        summary: "One lesson and what happened to it",
        body: None,
        answers: &[(200, of::<LessonDetail>(), "The lesson")],
        errors: &[400, 404],
    },
    word("/v1/lessons/{id}/suppress", "Never show it again; no run can bring it back"),
    word("/v1/lessons/{id}/lift", "Take a suppression back: it has to prove itself anew"),
    word("/v1/lessons/{id}/promote", "Vouch for it: it is shown where it fits, whatever runs said"),
];

pub(super) fn parameters() -> Vec<Value> {
    let query = |name: &str, words: &str, schema: Value| json!({"name": name, "in": "query", "required": false, "description": words, "schema": schema});
    vec![
        query("origin", "Only those of one site or application, like shop.example", json!({"type": "string"})),
        query(
            "status",
            "Only those with this status",
            json!({"enum": ["candidate", "promoted", "suppressed", "archived"]}),
        ),
        query(
            "q",
            "Only those with this text in their rule, origin, id or task, whatever the case",
            json!({"type": "string", "maxLength": 500}),
        ),
        query("limit", "How many", json!({"type": "integer", "minimum": 1, "maximum": 500, "default": 50})),
        query(
            "after",
            "`next` of the page before",
            json!({"type": "string", "pattern": "^([0-9]{1,15}\\.[0-9]{1,15})?$"}),
        ),
    ]
}
