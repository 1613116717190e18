//! Lessons: the list, one with its history, the totals, and a person's word on one of them.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use surehand_memory::{Happened, Lesson, LessonEvent, Status};
use surehand_store::{LessonFilter, LessonPlace, LessonStore};
use surehand_types::api::{LessonDetail, LessonPage, LessonStats, LessonStatus, LessonWish, ListedLesson};

use crate::access::{Caller, Scope};
use crate::audit;
use crate::error::ApiError;
use crate::intake::{Body, Path, need};
use crate::server::Server;
use crate::wording::query_problem;

/// Lessons of one page: by default, and at most.
const PAGE: u32 = 50;
const LARGEST_PAGE: u32 = 500;
/// Outcomes and runs that the totals come with.
const PLOTTED: u32 = 2_000;
/// Characters of a text that is looked for, and of a reason.
const TEXT_CAP: usize = 500;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListQuery {
    #[serde(default)]
    origin: Option<String>,
    #[serde(default)]
    status: Option<LessonStatus>,
    #[serde(default)]
    q: Option<String>,
    #[serde(default)]
    limit: Option<u32>,
    #[serde(default)]
    after: Option<String>,
}

pub(crate) async fn list(
    State(server): State<Arc<Server>>,
    caller: Caller,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Json<LessonPage>, ApiError> {
    let store = readable(&server, &caller).await?;
    let Query(query) = query.map_err(|error| query_problem(&error))?;
    let limit = query.limit.unwrap_or(PAGE);
    if limit == 0 || limit > LARGEST_PAGE {
        return Err(ApiError::invalid(format!("limit: it is from 1 to {LARGEST_PAGE}")));
    }
    let given = |text: Option<String>| text.map(|text| text.trim().to_string()).filter(|text| !text.is_empty());
    let text = given(query.q);
    if text.as_ref().is_some_and(|text| text.chars().count() > TEXT_CAP) {
        return Err(ApiError::invalid(format!("q: it is longer than {TEXT_CAP} characters")));
    }
    let after: Option<LessonPlace> = match given(query.after) {
        None => None,
        Some(place) => Some(place.parse().map_err(|()| ApiError::invalid("after: it is `next` of the page before"))?),
    };
    let status = query.status.map(|status| match status {
        LessonStatus::Candidate => Status::Candidate,
        LessonStatus::Promoted => Status::Promoted,
        LessonStatus::Suppressed => Status::Suppressed,
        LessonStatus::Archived => Status::Archived,
    });
    let filter = LessonFilter { status, origin: given(query.origin), text };
    let mut found = store.listed(&filter, after, limit + 1).await?;
    let more = found.len() > limit as usize;
    found.truncate(limit as usize);
    let next = found.last().filter(|_| more).map(|(place, _)| place.to_string());
    let lessons = found.iter().map(|(_, lesson)| listed(lesson)).collect::<Result<_, ApiError>>()?;
    Ok(Json(LessonPage { lessons, next }))
}

pub(crate) async fn one(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<LessonDetail>, ApiError> {
    let store = readable(&server, &caller).await?;
    let lesson = found(store, &id).await?;
    detail(store, &lesson).await
}

pub(crate) async fn stats(State(server): State<Arc<Server>>, caller: Caller) -> Result<Json<LessonStats>, ApiError> {
    let store = readable(&server, &caller).await?;
    let whole = json!({
        "totals": store.totals().await?,
        "utilities": store.utilities(PLOTTED).await?,
        "runs": store.judged_runs(PLOTTED).await?,
    });
    Ok(Json(same(&whole)?))
}

pub(crate) async fn suppress(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(wish): Body<LessonWish>,
) -> Result<Json<LessonDetail>, ApiError> {
    change(&server, &caller, &id, wish, Word::Suppress).await
}

pub(crate) async fn lift(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(wish): Body<LessonWish>,
) -> Result<Json<LessonDetail>, ApiError> {
    change(&server, &caller, &id, wish, Word::Lift).await
}

pub(crate) async fn promote(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(wish): Body<LessonWish>,
) -> Result<Json<LessonDetail>, ApiError> {
    change(&server, &caller, &id, wish, Word::Promote).await
}

#[derive(Debug, Clone, Copy)]
enum Word {
    Suppress,
    Lift,
    Promote,
}

impl Word {
    fn as_str(self) -> &'static str {
        match self {
            Word::Suppress => "suppress",
            Word::Lift => "lift",
            Word::Promote => "promote",
        }
    }

    /// What becomes of the lesson; `None` where the word does not fit it.
    fn said(self, mut lesson: Lesson, now: Timestamp) -> Option<(Lesson, LessonEvent)> {
        let happened = match self {
            Word::Suppress => {
                lesson.suppress(now);
                Happened::Suppressed
            }
            Word::Lift if lesson.status == Status::Suppressed => {
                lesson.lift(now);
                Happened::Lifted
            }
            Word::Promote if lesson.promote(now) => Happened::Promoted,
            Word::Lift | Word::Promote => return None,
        };
        let event = LessonEvent { lesson: lesson.id.clone(), run: String::new(), at: now, happened };
        Some((lesson, event))
    }

    fn refused(self) -> ApiError {
        match self {
            Word::Promote => ApiError::conflict(
                "suppressed",
                "a person suppressed this lesson\nhint: POST …/lift takes that back first",
            ),
            Word::Suppress | Word::Lift => ApiError::conflict("not_suppressed", "this lesson is not suppressed"),
        }
    }
}

async fn change(
    server: &Server,
    caller: &Caller,
    id: &str,
    wish: LessonWish,
    word: Word,
) -> Result<Json<LessonDetail>, ApiError> {
    need(caller, Scope::Admin)?;
    if wish.reason.as_ref().is_some_and(|reason| reason.chars().count() > TEXT_CAP) {
        return Err(ApiError::invalid(format!("reason: it is longer than {TEXT_CAP} characters")));
    }
    let store = server.lessons().await?;
    let lesson = found(store, id).await?;
    let now = Timestamp::now();
    if word.said(lesson.clone(), now).is_none() {
        return Err(word.refused());
    }
    let line = json!({
        "word": word.as_str(), "lesson": lesson.id, "rule": lesson.rule, "by": caller.name, "reason": wish.reason,
    });
    audit::note(server, "lesson", line).await?;
    let changed = store.change(&lesson.id, |lesson| word.said(lesson, now)).await?;
    detail(store, &changed.ok_or_else(|| word.refused())?).await
}

/// Lessons come from the runs of everybody, so they are not for a token that sees its own runs only.
async fn readable<'a>(server: &'a Server, caller: &Caller) -> Result<&'a LessonStore, ApiError> {
    need(caller, Scope::Read)?;
    if caller.own_runs_only {
        let text = format!("the token {:?} sees its own runs only, and lessons come from all of them", caller.name);
        return Err(ApiError::forbidden(text));
    }
    server.lessons().await
}

async fn found(store: &LessonStore, id: &str) -> Result<Lesson, ApiError> {
    let id = store.resolve(id).await?;
    store.get(&id).await?.ok_or_else(|| ApiError::not_found("there is no such lesson"))
}

async fn detail(store: &LessonStore, lesson: &Lesson) -> Result<Json<LessonDetail>, ApiError> {
    let events = store.events_of_lesson(&lesson.id).await?;
    Ok(Json(LessonDetail {
        lesson: same(lesson)?,
        trusted: lesson.is_trusted(),
        mean_utility: lesson.mean_utility(),
        events: same(&events)?,
    }))
}

fn listed(lesson: &Lesson) -> Result<ListedLesson, ApiError> {
    Ok(ListedLesson { lesson: same(lesson)?, trusted: lesson.is_trusted(), mean_utility: lesson.mean_utility() })
}

/// The same fields in the type that clients know. A test holds both to each other.
fn same<T: DeserializeOwned>(kept: &impl Serialize) -> Result<T, ApiError> {
    let value = serde_json::to_value(kept).map_err(ApiError::internal)?;
    serde_json::from_value(value).map_err(ApiError::internal)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use surehand_memory::journal::Showing;
    use surehand_memory::lesson::{Delta, Draft, SourceRun};
    use surehand_memory::score::Parts;
    use surehand_memory::{Lane, LessonId, Moment};
    use surehand_types::api::{LessonEventView, LessonView};
    use surehand_types::result::FinalVerdict;

    use super::*;

    fn lesson() -> Lesson {
        let source = SourceRun { run: "r1".into(), verdict: FinalVerdict::Pass, strong: true };
        let draft = Draft {
            rule: "Clicking had no effect.".into(),
            triggers: vec!["t".into()],
            tags: vec!["click".into()],
            origin: "shop.example".into(),
            task: "buy".into(),
            learned_in: "buy it".into(),
            delta: Delta { state: "the button".into(), ..Delta::default() },
            source,
        };
        let mut lesson = Lesson::new(draft, Timestamp::UNIX_EPOCH);
        lesson.utility_history = vec![0.5];
        lesson.conflicts = vec![LessonId("lsn_x".into())];
        lesson
    }

    fn unchanged<T: Serialize + DeserializeOwned>(kept: &impl Serialize) {
        let seen: T = same(kept).unwrap();
        let order = |value: Value| -> Value { serde_json::from_str(&value.to_string()).unwrap() };
        assert_eq!(order(json!(seen)), order(json!(kept)));
    }

    #[test]
    fn what_clients_see_is_what_memory_keeps_field_by_field() {
        let now = Timestamp::UNIX_EPOCH;
        unchanged::<LessonView>(&lesson());
        for word in [Word::Suppress, Word::Promote] {
            let (changed, event) = word.said(lesson(), now).unwrap();
            unchanged::<LessonView>(&changed);
            unchanged::<LessonEventView>(&event);
        }
        let parts = Parts { text: 0.5, ..Parts::default() };
        let showing = Showing { moment: Moment::Error, after_step: 3, lane: Lane::Transfer, score: 0.4, parts };
        for happened in [
            Happened::Shown(showing),
            Happened::Outcome { utility: 1.0, counted: true },
            Happened::Untried,
            Happened::Created,
            Happened::Confirmed,
            Happened::Lifted,
        ] {
            let event = LessonEvent { lesson: lesson().id, run: "r".into(), at: now, happened };
            unchanged::<LessonEventView>(&event);
        }
    }

    #[test]
    fn a_word_that_does_not_fit_changes_nothing() {
        let now = Timestamp::UNIX_EPOCH;
        assert!(Word::Lift.said(lesson(), now).is_none());
        let (suppressed, _) = Word::Suppress.said(lesson(), now).unwrap();
        assert!(Word::Promote.said(suppressed.clone(), now).is_none());
        assert!(Word::Lift.said(suppressed, now).is_some());
    }
}
