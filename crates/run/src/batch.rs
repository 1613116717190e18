//! The calls of one reply, in order: which one is next, what became of each, and what is left
//! over when the batch stops. Also where a script's `target` gets its coordinate.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use surehand_checks::after::batch::{AfterRefusal, BatchDecision, CallOutcome, DialogState, after_call};
use surehand_env::{EnvError, Environment};
use surehand_types::call::{MouseCall, TargetPlace, TargetQuery};
use surehand_types::reply::{CallForm, CallRequest, CallResult, NOTHING_NEW, put_place};
use surehand_types::result::PredicateResult;
use surehand_types::surroundings::Whereabouts;
use surehand_types::{Call, Effect, GridPoint, Observation, Surroundings};

use crate::acted::Acted;

pub(crate) struct Batch {
    calls: Vec<CallRequest>,
    next: usize,
    after_refusal: AfterRefusal,
    pub(crate) results: Vec<CallResult>,
}

impl Batch {
    pub(crate) fn new(calls: Vec<CallRequest>, after_refusal: AfterRefusal) -> Self {
        Batch { calls, next: 0, after_refusal, results: Vec::new() }
    }

    pub(crate) fn next(&mut self) -> Option<CallRequest> {
        let call = self.calls.get(self.next).cloned()?;
        self.next += 1;
        Some(call)
    }

    /// The call that was taken last comes once more.
    pub(crate) fn again(&mut self) {
        self.next = self.next.saturating_sub(1);
    }

    /// Keeps the result and says why the rest must not run, if so.
    pub(crate) fn took(&mut self, acted: &Acted, url_before: Option<&str>) -> Option<String> {
        self.results.push(CallResult {
            index: self.next - 1,
            ran: true,
            ok: acted.ok,
            effect: acted.effect.clone(),
            message: acted.message.clone(),
            predicates: Vec::new(),
        });
        let following = self.calls.get(self.next)?;
        let mut page = acted.happenings.page_changed;
        page.url_changed |= acted.observation.url.as_deref() != url_before;
        let opened = acted.observation.dialog.is_some() || acted.happenings.alert_in_call;
        let dialog = if opened { DialogState::Opened } else { DialogState::None };
        let outcome =
            CallOutcome { ok: acted.ok, effect: acted.effect.as_ref(), dialog, page, pending: acted.pending.as_ref() };
        match after_call(&outcome, following, self.after_refusal) {
            BatchDecision::Continue => None,
            BatchDecision::Stop { reason } => Some(reason),
        }
    }

    /// What came of the reply's predictions, told with the call that ran last.
    pub(crate) fn tell_predictions(&mut self, predicates: &[PredicateResult]) {
        if let Some(result) = self.results.last_mut() {
            result.predicates = predicates.to_vec();
        }
    }

    /// Something else ran in place of the call that was taken last.
    pub(crate) fn mark_last_as_replaced(&mut self) {
        if let Some(result) = self.results.last_mut() {
            (result.ran, result.ok) = (false, false);
        }
    }

    /// Nothing of the reply is left to run that could change anything.
    pub(crate) fn is_at_its_end(&self) -> bool {
        let is_done = |request: &CallRequest| matches!(request.form, CallForm::Ready(Call::Done { .. }));
        self.calls.get(self.next).is_none_or(is_done)
    }

    /// What became of the call that ran last; empty before the first.
    pub(crate) fn last_result(&self) -> &[CallResult] {
        &self.results[self.results.len().saturating_sub(1)..]
    }

    /// A call that could not even be tried, with everything behind it.
    pub(crate) fn give_back_current(&mut self, reason: &str) -> Vec<CallRequest> {
        self.next = self.next.saturating_sub(1);
        self.give_back(reason)
    }

    /// A look that is not made, with everything behind it. The result says so in a form that scripts can read, since they
    /// have no other way on than to leave it out.
    pub(crate) fn refuse_current(&mut self, words: &str) -> Vec<CallRequest> {
        let refused = self.results.len();
        let rest = self.give_back_current(words);
        if let Some(result) = self.results.get_mut(refused) {
            result.effect = Some(Effect::refused(NOTHING_NEW));
        }
        rest
    }

    /// Reports the rest as not run.
    pub(crate) fn give_back(&mut self, reason: &str) -> Vec<CallRequest> {
        let rest: Vec<CallRequest> = self.calls.drain(self.next..).collect();
        for offset in 0..rest.len() {
            self.results.push(CallResult {
                index: self.next + offset,
                ran: false,
                ok: false,
                effect: None,
                message: reason.to_string(),
                predicates: Vec::new(),
            });
        }
        rest
    }
}

/// The call with its coordinate. A target may still be on its way, so it is looked for until the
/// patience ends; `Ok(Err(sentence))` says why none was found.
pub(crate) async fn resolve(
    env: &mut dyn Environment,
    request: &CallRequest,
    patience: Duration,
) -> Result<Result<Call, String>, EnvError> {
    let (query, end_query, call) = match &request.form {
        CallForm::Ready(call) => return Ok(Ok(call.clone())),
        CallForm::NeedsTarget { query, end, call } => (query, end.as_deref(), call),
    };
    let end = Instant::now() + patience;
    let mut observation = env.observe().await?;
    loop {
        match place_of(env, query, end_query, &observation).await {
            Ok((point, dropped)) => {
                let mut call = call.clone();
                put_place(&mut call, query.place, point);
                if let Some(dropped) = dropped {
                    call.insert("end_coordinate".into(), json!([dropped.x, dropped.y]));
                }
                return Ok(Call::parse(&Value::Object(call))
                    .map(|parsed| parsed.call)
                    .map_err(|problem| problem.message));
            }
            // A switch that is where it should be does not wait.
            Err(sentence) if Instant::now() >= end || TargetQuery::says_already(&sentence) => return Ok(Err(sentence)),
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
        let look = surehand_env::Receipt { settle: surehand_env::SettleKind::Look, ..Default::default() };
        observation = env.settle(&look).await?.observation;
    }
}

/// Where the call acts, and where it ends.
async fn place_of(
    env: &mut dyn Environment,
    query: &TargetQuery,
    end: Option<&TargetQuery>,
    observation: &Observation,
) -> Result<(GridPoint, Option<GridPoint>), String> {
    let start = one_place(env, query, observation).await?;
    match end {
        Some(end) => Ok((start, Some(one_place(env, end, observation).await?))),
        None => Ok((start, None)),
    }
}

async fn one_place(
    env: &mut dyn Environment,
    query: &TargetQuery,
    observation: &Observation,
) -> Result<GridPoint, String> {
    match query.place {
        None => {
            let named = env.named_targets(query).await;
            query.resolve(named.as_deref().unwrap_or(&observation.interactables))
        }
        Some(TargetPlace::At(point)) => {
            let seen = env.surroundings(Whereabouts::At(point.to_view(env.view()))).await;
            query.fits(seen.as_ref()).map(|()| point)
        }
        Some(TargetPlace::Focus) => {
            let seen = env.surroundings(Whereabouts::Focus).await;
            query.fits(seen.as_ref()).map(|()| GridPoint::new(0, 0))
        }
    }
}

/// What stands around every place that a call is about to act on.
pub(crate) async fn surroundings_of(env: &mut dyn Environment, call: &Call) -> Vec<Surroundings> {
    let view = env.view();
    let at = |point: GridPoint| Whereabouts::At(point.to_view(view));
    let places = match call {
        Call::Mouse(MouseCall::Click { at: Some(point), .. }) => vec![at(*point)],
        Call::Mouse(MouseCall::Drag { from, to, .. }) => vec![at(*from), at(*to)],
        Call::Keyboard(_) => vec![Whereabouts::Focus],
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for place in places {
        found.extend(env.surroundings(place).await);
    }
    found
}
