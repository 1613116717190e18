//! The calls of one reply, in order: which one is next, what became of each, and what is left
//! over when the batch stops. Also where a script's `target` gets its coordinate.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use surehand_checks::after::batch::{AfterRefusal, BatchDecision, CallOutcome, DialogState, after_call};
use surehand_env::{EnvError, Environment};
use surehand_types::reply::{CallForm, CallRequest, CallResult, NOTHING_NEW};
use surehand_types::result::PredicateResult;
use surehand_types::{Call, Effect};

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
    let (query, call) = match &request.form {
        CallForm::Ready(call) => return Ok(Ok(call.clone())),
        CallForm::NeedsTarget { query, call } => (query, call),
    };
    let end = Instant::now() + patience;
    let mut observation = env.observe().await?;
    loop {
        let named = env.named_targets().await;
        match query.resolve(named.as_deref().unwrap_or(&observation.interactables)) {
            Ok(point) => {
                let mut call = call.clone();
                call.insert("coordinate".into(), json!([point.x, point.y]));
                return Ok(Call::parse(&Value::Object(call))
                    .map(|parsed| parsed.call)
                    .map_err(|problem| problem.message));
            }
            Err(sentence) if Instant::now() >= end => return Ok(Err(sentence)),
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
        let look = surehand_env::Receipt { settle: surehand_env::SettleKind::Look, ..Default::default() };
        observation = env.settle(&look).await?.observation;
    }
}
