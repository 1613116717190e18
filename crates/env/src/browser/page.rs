//! A handle on one tab's session: typed calls and evaluation in our isolated world. Every wait
//! also ends when the tab shows a dialog, crashes, closes, or the browser is gone.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::session::{LIBRARY, WORLD};
use super::state::{Interruption, Shared};
use crate::EnvError;
use crate::cdp::protocol::{Method, page, runtime};
use crate::cdp::{CdpError, Connection, PendingCall};

/// Why a page call gave no value.
#[derive(Debug, Clone)]
pub(crate) enum PageTrouble {
    Interrupted(Interruption),
    Protocol(CdpError),
    /// The page changed under the call; what was asked is unknown, not false.
    Unknown(String),
}

impl PageTrouble {
    /// A page in the middle of a navigation refuses for a moment, and a tab that closed gives way to
    /// another one; the next try meets what is there then.
    pub(crate) fn may_pass(&self) -> bool {
        matches!(
            self,
            PageTrouble::Unknown(_)
                | PageTrouble::Protocol(CdpError::Refused { .. })
                | PageTrouble::Interrupted(Interruption::TabClosed)
        )
    }
}

impl From<CdpError> for PageTrouble {
    fn from(error: CdpError) -> Self {
        PageTrouble::Protocol(error)
    }
}

impl From<PageTrouble> for EnvError {
    fn from(trouble: PageTrouble) -> Self {
        match trouble {
            PageTrouble::Interrupted(Interruption::Lost(reason)) => EnvError::Lost(reason),
            PageTrouble::Interrupted(Interruption::TabClosed) => EnvError::Lost("the tab was closed".into()),
            PageTrouble::Interrupted(Interruption::TabCrashed) => EnvError::Lost("the tab crashed".into()),
            PageTrouble::Interrupted(Interruption::Dialog) => EnvError::Lost("a dialog is open".into()),
            PageTrouble::Protocol(error) => EnvError::Protocol(error),
            PageTrouble::Unknown(message) => EnvError::Lost(message),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) connection: Connection,
    pub(crate) shared: Arc<Shared>,
    pub(crate) target: String,
    pub(crate) session: String,
    pub(crate) deadline: Duration,
    pub(crate) worlds: Worlds,
}

/// Execution contexts of our world, by session and frame. Thrown away when the browser says that
/// one is gone, which costs one more round trip and nothing else.
#[derive(Debug, Clone, Default)]
pub(crate) struct Worlds(Arc<Mutex<HashMap<(String, String), i64>>>);

impl Worlds {
    fn get(&self, key: &(String, String)) -> Option<i64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).copied()
    }

    fn put(&self, key: (String, String), context: i64) {
        let mut map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if map.len() > 500 {
            map.clear();
        }
        map.insert(key, context);
    }

    /// Context numbers begin anew in every process, so an old one may mean another frame's world.
    pub(crate) fn forget_document(&self, session: &str, frame: &str, is_main: bool) {
        let mut map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        map.retain(|(known_session, known_frame), _| known_session != session || !is_main && known_frame != frame);
    }

    fn forget(&self, key: &(String, String)) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }
}

impl Page {
    pub(crate) fn start<M: Method>(&self, method: &M) -> PendingCall<M> {
        self.connection.start_call(Some(&self.session), method)
    }

    pub(crate) async fn call<M: Method>(&self, method: &M) -> Result<M::Output, PageTrouble> {
        self.finish(self.start(method), self.deadline).await
    }

    /// Waits for an answer, but not longer than the tab can give one.
    pub(crate) async fn finish<M: Method>(
        &self,
        call: PendingCall<M>,
        deadline: Duration,
    ) -> Result<M::Output, PageTrouble> {
        self.unless_interrupted(async { Ok(call.finish(deadline).await?) }).await
    }

    pub(crate) async fn unless_interrupted<T>(
        &self,
        work: impl Future<Output = Result<T, PageTrouble>>,
    ) -> Result<T, PageTrouble> {
        tokio::select! {
            biased;
            result = work => result,
            Some(interruption) = self.shared.wait_for(Duration::from_secs(3600), |state| state.interruption(&self.target)) => {
                Err(PageTrouble::Interrupted(interruption))
            }
        }
    }

    /// Number of the document that the tab shows.
    pub(crate) fn document(&self) -> u64 {
        self.shared.lock().tab(&self.target).map(|tab| tab.document).unwrap_or_default()
    }

    /// Ends when the tab shows another document.
    pub(crate) async fn wait_for_other_document(&self, document: u64) {
        let other = |state: &super::state::State| {
            state.tab(&self.target).is_some_and(|tab| tab.document != document).then_some(())
        };
        while self.shared.wait_for(Duration::from_secs(3600), other).await.is_none() {}
    }

    /// Evaluates in our world of the main frame.
    pub(crate) async fn evaluate<T: DeserializeOwned>(&self, expression: &str) -> Result<T, PageTrouble> {
        let frame = self.shared.lock().tab(&self.target).map(|tab| tab.main_frame.clone()).unwrap_or_default();
        self.evaluate_in(&self.session, &frame, expression).await
    }

    /// Evaluates in our world of one frame, which may live in another process's session.
    pub(crate) async fn evaluate_in<T: DeserializeOwned>(
        &self,
        session: &str,
        frame: &str,
        expression: &str,
    ) -> Result<T, PageTrouble> {
        let value = self.unless_interrupted(self.evaluate_value(session, frame, expression)).await?;
        serde_json::from_value(value).map_err(|error| PageTrouble::Unknown(format!("the page answered oddly: {error}")))
    }

    /// The same without a second try: for what must not reach another document that took the place of
    /// this one. The world has to be known already, by an earlier question.
    pub(crate) async fn evaluate_once<T: DeserializeOwned>(
        &self,
        session: &str,
        frame: &str,
        expression: &str,
    ) -> Result<T, PageTrouble> {
        let key = (session.to_string(), frame.to_string());
        let Some(context) = self.worlds.get(&key) else {
            return Err(PageTrouble::Unknown("another document took its place".into()));
        };
        let work = async {
            self.run_script(session, context, expression).await.map_err(|error| match error {
                CdpError::Refused { message, .. } => PageTrouble::Unknown(message),
                error => PageTrouble::Protocol(error),
            })
        };
        let value = self.unless_interrupted(work).await?;
        serde_json::from_value(value).map_err(|error| PageTrouble::Unknown(format!("the page answered oddly: {error}")))
    }

    async fn evaluate_value(&self, session: &str, frame: &str, expression: &str) -> Result<Value, PageTrouble> {
        let answer = self.in_world(session, frame, |context| self.run_script(session, context, expression)).await?;
        Ok(answer)
    }

    /// Does something in our world of a frame. A context dies with its document; a second and third
    /// try meet the new one.
    pub(crate) async fn in_world<T, W>(
        &self,
        session: &str,
        frame: &str,
        mut work: impl FnMut(i64) -> W,
    ) -> Result<T, PageTrouble>
    where
        W: Future<Output = Result<T, CdpError>>,
    {
        let key = (session.to_string(), frame.to_string());
        let mut last = String::new();
        for _ in 0..3 {
            let context = match self.worlds.get(&key) {
                Some(context) => context,
                None => match self.open_world(session, frame).await {
                    Ok(context) => {
                        self.worlds.put(key.clone(), context);
                        context
                    }
                    Err(CdpError::Refused { message, .. }) => {
                        last = message;
                        tokio::task::yield_now().await;
                        continue;
                    }
                    Err(error) => return Err(error.into()),
                },
            };
            match work(context).await {
                Ok(value) => return Ok(value),
                Err(CdpError::Refused { message, .. }) => {
                    self.worlds.forget(&key);
                    last = message;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(PageTrouble::Unknown(last))
    }

    async fn open_world(&self, session: &str, frame: &str) -> Result<i64, CdpError> {
        let method =
            page::CreateIsolatedWorld { frame_id: frame.to_string(), world_name: WORLD, grant_univeral_access: true };
        let world = self.connection.call(Some(session), &method, self.deadline).await?;
        self.run_script(session, world.execution_context_id, LIBRARY).await?;
        Ok(world.execution_context_id)
    }

    async fn run_script(&self, session: &str, context: i64, expression: &str) -> Result<Value, CdpError> {
        let method = runtime::Evaluate {
            expression: expression.to_string(),
            context_id: Some(context),
            return_by_value: true,
            await_promise: true,
            ..runtime::Evaluate::default()
        };
        Ok(checked(self.connection.call(Some(session), &method, self.deadline).await?)?.value)
    }
}

/// An exception in our own script means that the page was not as expected: a refusal.
pub(crate) fn checked(answer: runtime::Evaluated) -> Result<runtime::RemoteObject, CdpError> {
    if let Some(details) = answer.exception_details {
        let message = details.exception.and_then(|exception| exception.description).unwrap_or(details.text);
        let message = message.lines().next().unwrap_or_default().to_string();
        return Err(CdpError::Refused { method: "Runtime.evaluate", code: 0, message });
    }
    Ok(answer.result)
}
