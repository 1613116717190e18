//! A model API that only pretends: it answers every request with the next part of a script and weighs what it was
//! sent. One for each run, on a port of its own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::weigh::Weight;

/// What the script says to a request, given the number of steps that were asked for before it.
pub(crate) type Script = Box<dyn Fn(usize, &Value) -> Scripted + Send + Sync>;

#[derive(Debug)]
pub(crate) enum Scripted {
    /// The next step of the task.
    Step(Value),
    /// An answer that is no step: an opinion about the end, or a pause.
    Aside(Value),
}

#[derive(Debug)]
pub(crate) struct ModelApi {
    /// `http://127.0.0.1:PORT`
    pub(crate) address: String,
    seen: Arc<Seen>,
    task: tokio::task::JoinHandle<()>,
}

struct Seen {
    script: Script,
    requests: Mutex<Requests>,
}

/// What was sent, in order of arrival.
#[derive(Debug, Clone, Default)]
pub(crate) struct Requests {
    pub(crate) steps: Vec<Weight>,
    pub(crate) asides: Vec<Weight>,
}

impl std::fmt::Debug for Seen {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Seen").finish_non_exhaustive()
    }
}

impl ModelApi {
    pub(crate) async fn serve(script: Script) -> Result<ModelApi> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.context("cannot serve a model API")?;
        let address = format!("http://{}", listener.local_addr().context("cannot serve a model API")?);
        let seen = Arc::new(Seen { script, requests: Mutex::default() });
        // Some requests carry many pictures.
        let routes = Router::new().fallback(respond).layer(DefaultBodyLimit::disable()).with_state(Arc::clone(&seen));
        let task = tokio::spawn(async move {
            // Ends with the run; a failure shows as a run that ends with an error.
            let _ = axum::serve(listener, routes).await;
        });
        Ok(ModelApi { address, seen, task })
    }

    pub(crate) fn requests(&self) -> Requests {
        self.seen.requests().clone()
    }
}

impl Drop for ModelApi {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Seen {
    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn respond(State(seen): State<Arc<Seen>>, method: Method, body: Bytes) -> Response {
    if method != Method::POST {
        return (StatusCode::NOT_FOUND, Json(json!({"error": {"message": "not here"}}))).into_response();
    }
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    let weight = Weight::of(body.len(), &request);
    let answer = {
        let mut requests = seen.requests();
        match (seen.script)(requests.steps.len(), &request) {
            Scripted::Step(answer) => {
                requests.steps.push(weight);
                answer
            }
            Scripted::Aside(answer) => {
                requests.asides.push(weight);
                answer
            }
        }
    };
    if request["stream"] == true { streamed(&answer) } else { Json(answer).into_response() }
}

/// A chat completion as a stream of one chunk.
fn streamed(answer: &Value) -> Response {
    let mut delta = answer["choices"][0]["message"].clone();
    for (index, call) in delta["tool_calls"].as_array_mut().into_iter().flatten().enumerate() {
        call["index"] = json!(index);
    }
    let finish = &answer["choices"][0]["finish_reason"];
    let chunk = json!({"id": answer["id"], "object": "chat.completion.chunk", "created": 0, "model": "scripted",
                       "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": answer["usage"]});
    ([(header::CONTENT_TYPE, "text/event-stream")], format!("data: {chunk}\n\ndata: [DONE]\n\n")).into_response()
}
