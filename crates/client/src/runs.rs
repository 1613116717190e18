//! Runs: asking for them, looking at them, steering them.

use std::time::Duration;

use reqwest::Method;
use serde::Serialize;
use serde_json::{Map, Value, json};
use surehand_types::RunResult;
use surehand_types::api::{
    Answer, Approval, CuaRequest, Decision, PersonCallResult, PredictRequest, RunAccepted, RunPage, RunView,
};

use crate::client::{Client, DEADLINE};
use crate::error::ClientError;
use crate::events::Events;

/// Which runs a list shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunQuery {
    pub limit: Option<u32>,
    /// `next` of the page before.
    pub before: Option<String>,
    /// queued, running, ended, interrupted, succeeded or failed.
    pub status: Option<String>,
}

impl Client {
    /// A run that is not waited for. With a key it may be asked for again: it stays one run.
    pub async fn submit(&self, request: &CuaRequest, key: Option<&str>) -> Result<RunAccepted, ClientError> {
        let request = CuaRequest { detached: true, ..request.clone() };
        self.json(self.asked(&request, key).timeout(DEADLINE)).await
    }

    /// A run to its end. Hanging up cancels it, unless there is a key.
    pub async fn run(
        &self,
        request: &CuaRequest,
        key: Option<&str>,
        deadline: Duration,
    ) -> Result<RunResult, ClientError> {
        let request = CuaRequest { detached: false, ..request.clone() };
        self.json(self.asked(&request, key).timeout(deadline)).await
    }

    /// A plan of many steps, not waited for; its run is looked at and steered like any other.
    pub async fn submit_plan(&self, request: &PredictRequest, key: Option<&str>) -> Result<RunAccepted, ClientError> {
        let request = PredictRequest { detached: true, ..request.clone() };
        self.json(self.posted("predict", &request, key).timeout(DEADLINE)).await
    }

    fn asked(&self, request: &CuaRequest, key: Option<&str>) -> reqwest::RequestBuilder {
        self.posted("cua", request, key)
    }

    fn posted(&self, what: &str, request: &impl Serialize, key: Option<&str>) -> reqwest::RequestBuilder {
        let post = self.request(Method::POST, self.address(&["v1", what])).json(request);
        match key {
            Some(key) => post.header("idempotency-key", key),
            None => post,
        }
    }

    pub async fn get_run(&self, run_id: &str) -> Result<RunView, ClientError> {
        self.get(self.address(&["v1", "runs", run_id])).await
    }

    pub async fn list_runs(&self, query: &RunQuery) -> Result<RunPage, ClientError> {
        let mut url = self.address(&["v1", "runs"]);
        {
            let mut pairs = url.query_pairs_mut();
            if let Some(limit) = query.limit {
                pairs.append_pair("limit", &limit.to_string());
            }
            if let Some(before) = &query.before {
                pairs.append_pair("before", before);
            }
            if let Some(status) = &query.status {
                pairs.append_pair("status", status);
            }
        }
        self.get(url).await
    }

    /// Every event after number `after`, until the run is over. A lost connection is made again; without a word from
    /// the server for as long as `patience`, it is given up.
    pub fn events(&self, run_id: &str, after: u64, patience: Duration) -> Events {
        Events::new(self.clone(), run_id, after, patience)
    }

    /// By its number in the run or by its SHA-256: PNG or JPEG.
    pub async fn frame(&self, run_id: &str, frame: &str) -> Result<Vec<u8>, ClientError> {
        let url = self.address(&["v1", "runs", run_id, "frames", frame]);
        self.bytes(self.request(Method::GET, url).timeout(DEADLINE)).await
    }

    /// One HTML page.
    pub async fn report(&self, run_id: &str) -> Result<Vec<u8>, ClientError> {
        let url = self.address(&["v1", "runs", run_id, "report"]);
        self.bytes(self.request(Method::GET, url).timeout(DEADLINE)).await
    }

    pub async fn pause(&self, run_id: &str) -> Result<Decision, ClientError> {
        self.wish(run_id, "pause").await
    }

    pub async fn resume(&self, run_id: &str) -> Result<Decision, ClientError> {
        self.wish(run_id, "resume").await
    }

    pub async fn cancel(&self, run_id: &str) -> Result<Decision, ClientError> {
        self.wish(run_id, "cancel").await
    }

    pub async fn take_over(&self, run_id: &str) -> Result<Decision, ClientError> {
        self.wish(run_id, "takeover").await
    }

    pub async fn release(&self, run_id: &str) -> Result<Decision, ClientError> {
        self.wish(run_id, "release").await
    }

    /// `question` names the one that is meant, so that a late word never meets another.
    pub async fn approve(&self, run_id: &str, question: Option<&str>) -> Result<Decision, ClientError> {
        let body = Approval { question: question.map(str::to_string) };
        self.post(&["v1", "runs", run_id, "approve"], &body).await
    }

    pub async fn deny(&self, run_id: &str, question: Option<&str>) -> Result<Decision, ClientError> {
        let body = Approval { question: question.map(str::to_string) };
        self.post(&["v1", "runs", run_id, "deny"], &body).await
    }

    pub async fn answer(&self, run_id: &str, question: Option<&str>, text: &str) -> Result<Decision, ClientError> {
        let body = Answer { question: question.map(str::to_string), text: text.to_string() };
        self.post(&["v1", "runs", run_id, "answer"], &body).await
    }

    /// One call after `take_over`, in the shape of a brain's call.
    pub async fn call(&self, run_id: &str, call: &Map<String, Value>) -> Result<PersonCallResult, ClientError> {
        self.post(&["v1", "runs", run_id, "call"], call).await
    }

    async fn wish(&self, run_id: &str, wish: &str) -> Result<Decision, ClientError> {
        self.post(&["v1", "runs", run_id, wish], &json!({})).await
    }
}
