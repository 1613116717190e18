//! The OpenAPI document, made from the types that the routes read and write.

mod lessons;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};
use surehand_types::RunResult;
use surehand_types::api::{
    Answer, Approval, CheckEffects, CuaRequest, Decision, ErrorBody, EvalList, EvalView, FrameChanges, Health,
    InstanceView, PersonCallResult, PredictRequest, QueueState, Readiness, RunAccepted, RunLogs, RunPage, RunView,
    StatusNote, ToggleChange, ToggleList, WebhookBody,
};
use surehand_types::event::Envelope;
use surehand_types::settings_table::SETTINGS;

use crate::access::Scope;
use crate::order::is_open;

/// One address with one method.
pub(crate) struct Endpoint {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    /// `None`: anybody may ask.
    pub(crate) scope: Option<Scope>,
    summary: &'static str,
    body: Option<Kind>,
    answers: &'static [(u16, Kind, &'static str)],
    /// Errors beside those that every address may give.
    errors: &'static [u16],
}

#[derive(Clone, Copy)]
enum Kind {
    Json(fn(&mut SchemaGenerator) -> Schema),
    Events,
    Picture,
    Page,
    Metrics,
    AnyObject,
}

const fn of<T: JsonSchema>() -> Kind {
    Kind::Json(|generator| generator.subschema_for::<T>())
}

fn nothing(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({"type": "object", "additionalProperties": false})
}

/// What /v1/predict answers, by its action.
fn predicted(generator: &mut SchemaGenerator) -> Schema {
    let result = generator.subschema_for::<RunResult>();
    let (view, logs) = (generator.subschema_for::<RunView>(), generator.subschema_for::<RunLogs>());
    let decision = generator.subschema_for::<Decision>();
    schemars::json_schema!({"anyOf": [result, view, logs, decision]})
}

const NOTHING: Option<Kind> = Some(Kind::Json(nothing));
const DECIDED: &[(u16, Kind, &str)] = &[(200, of::<Decision>(), "What happens now")];
const STEERING: &[u16] = &[400, 404, 409, 413, 415];

const fn steering(path: &'static str, summary: &'static str, body: Option<Kind>) -> Endpoint {
    Endpoint { method: "post", path, scope: Some(Scope::Control), summary, body, answers: DECIDED, errors: STEERING }
}

/// Any token may ask what it may do. The scope of the table is for what the instance offers.
const FOR_ANY_TOKEN: &str = "/v1/instance";

const FOUND: &str = "What was asked for";

macro_rules! looking {
    ($path:expr, $summary:literal, $kind:ty, $errors:expr) => {
        Endpoint {
            method: "get",
            path: $path,
            scope: Some(Scope::Read),
            summary: $summary,
            body: None,
            answers: &[(200, of::<$kind>(), FOUND)],
            errors: $errors,
        }
    };
}

pub(crate) const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        method: "post",
        path: "/v1/cua",
        scope: Some(Scope::Run),
        summary: "One loop of a brain and a browser. Waits for the result, unless it is detached.",
        body: Some(of::<CuaRequest>()),
        answers: &[
            (200, of::<RunResult>(), "The result of a run that was waited for"),
            (202, of::<RunAccepted>(), "A detached run waits or runs"),
        ],
        errors: &[400, 409, 413, 415, 422],
    },
    Endpoint {
        method: "post",
        path: "/v1/predict",
        scope: Some(Scope::Run),
        summary: "A plan of many steps through the same queue. Waits for the result, unless it is detached. With an \
                  action and a run_id: the same as the addresses below /v1/runs, with the scopes that those need.",
        body: Some(of::<PredictRequest>()),
        answers: &[
            (200, Kind::Json(predicted), "The result of a plan that was waited for, or the answer to the action"),
            (202, of::<RunAccepted>(), "A detached plan waits or runs"),
        ],
        errors: &[400, 404, 409, 413, 415, 422],
    },
    Endpoint {
        method: "get",
        path: "/v1/runs",
        scope: Some(Scope::Read),
        summary: "Runs, the newest first",
        body: None,
        answers: &[(200, of::<RunPage>(), "One page of them")],
        errors: &[400],
    },
    Endpoint {
        method: "get",
        path: "/v1/runs/{id}",
        scope: Some(Scope::Read),
        summary: "One run, with its result where it has ended",
        body: None,
        answers: &[(200, of::<RunView>(), "The run")],
        errors: &[400, 404],
    },
    Endpoint {
        method: "get",
        path: "/v1/runs/{id}/events",
        scope: Some(Scope::Read),
        summary: "Every event of the run's trace, each once and in order, as server-sent events. \
                  Last-Event-ID goes on after that event.",
        body: None,
        answers: &[(200, Kind::Events, "The events, until the run is over")],
        errors: &[400, 404],
    },
    Endpoint {
        method: "get",
        path: "/v1/runs/{id}/frames/{frame}",
        scope: Some(Scope::Read),
        summary: "A frame of the run, by its number or its SHA-256",
        body: None,
        answers: &[(200, Kind::Picture, "The picture, secrets covered")],
        errors: &[400, 404],
    },
    Endpoint {
        method: "get",
        path: "/v1/runs/{id}/report",
        scope: Some(Scope::Read),
        summary: "The run as a page for people",
        body: None,
        answers: &[(200, Kind::Page, "The page, with everything in it")],
        errors: &[404, 409],
    },
    steering("/v1/runs/{id}/pause", "Let the run stand still after the call under way", NOTHING),
    steering("/v1/runs/{id}/resume", "Let it go on", NOTHING),
    steering("/v1/runs/{id}/cancel", "Take it back, or end it after the call under way", NOTHING),
    steering("/v1/runs/{id}/approve", "Agree to the action that is asked about", Some(of::<Approval>())),
    steering("/v1/runs/{id}/deny", "Do not agree to it", Some(of::<Approval>())),
    steering("/v1/runs/{id}/answer", "Tell the brain what it asked", Some(of::<Answer>())),
    steering("/v1/runs/{id}/takeover", "Work the page yourself; the brain waits", NOTHING),
    steering("/v1/runs/{id}/release", "Hand the page back to the brain", NOTHING),
    Endpoint {
        method: "post",
        path: "/v1/runs/{id}/call",
        scope: Some(Scope::Control),
        summary: "One call of the person who has taken over, in the shape of docs/reference/tools.md",
        body: Some(Kind::AnyObject),
        answers: &[(200, of::<PersonCallResult>(), "What became of it")],
        errors: STEERING,
    },
    Endpoint {
        method: "get",
        path: "/v1/runs/{id}/now",
        scope: Some(Scope::Read),
        summary: "The page as it is at this moment, while a person works on it; nothing of it is kept",
        body: None,
        answers: &[(200, Kind::Picture, "The picture, secrets covered")],
        errors: &[400, 404, 409],
    },
    Endpoint {
        method: "get",
        path: "/v1/toggles",
        scope: Some(Scope::Read),
        summary: "Checks that can be changed on the running instance",
        body: None,
        answers: &[(200, of::<ToggleList>(), "All of them")],
        errors: &[],
    },
    Endpoint {
        method: "put",
        path: "/v1/toggles",
        scope: Some(Scope::Admin),
        summary: "Change some of them, for runs that start later",
        body: Some(of::<ToggleChange>()),
        answers: &[(200, of::<ToggleList>(), "All of them, as they are now")],
        errors: &[400, 413, 415],
    },
    looking!("/v1/toggles/effects", "What the checks did in the latest runs", CheckEffects, &[]),
    looking!(
        FOR_ANY_TOKEN,
        "What whoever asks may do, and what the instance offers to those who may read or run",
        InstanceView,
        &[]
    ),
    looking!("/v1/runs/{id}/changes", "What differs between two frames of a run", FrameChanges, &[400, 404, 409]),
    looking!("/v1/evals", "Stored results of experiments", EvalList, &[]),
    looking!("/v1/evals/{id}", "One of them in full", EvalView, &[404]),
    Endpoint {
        method: "get",
        path: "/v1/queue",
        scope: Some(Scope::Read),
        summary: "What waits, and how much may run at once",
        body: None,
        answers: &[(200, of::<QueueState>(), "The queue")],
        errors: &[],
    },
    Endpoint {
        method: "get",
        path: "/metrics",
        scope: Some(Scope::Read),
        summary: "What the instance counts, for Prometheus",
        body: None,
        answers: &[(200, Kind::Metrics, "OpenMetrics text")],
        errors: &[],
    },
    Endpoint {
        method: "get",
        path: "/healthz",
        scope: None,
        summary: "Whether the process answers",
        body: None,
        answers: &[(200, of::<Health>(), "It does")],
        errors: &[],
    },
    Endpoint {
        method: "get",
        path: "/readyz",
        scope: None,
        summary: "Whether runs are taken",
        body: None,
        answers: &[(200, of::<Readiness>(), "They are"), (503, of::<Readiness>(), "They are not, and why")],
        errors: &[],
    },
    Endpoint {
        method: "get",
        path: "/openapi.json",
        scope: None,
        summary: "This document",
        body: None,
        answers: &[(200, Kind::AnyObject, "OpenAPI 3.1")],
        errors: &[],
    },
];

pub(crate) fn document(version: &str) -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        .into_generator();
    // Named though no route reads it whole: what the stream of events carries.
    let _ = generator.subschema_for::<Envelope>();
    let _ = generator.subschema_for::<StatusNote>();
    let told = generator.subschema_for::<WebhookBody>();
    let mut paths: Map<String, Value> = Map::new();
    for endpoint in ENDPOINTS.iter().chain(lessons::ENDPOINTS) {
        let operation = operation(endpoint, &mut generator);
        let path = paths.entry(endpoint.path).or_insert_with(|| json!({}));
        path[endpoint.method] = operation;
    }
    let mut schemas = Value::Object(generator.take_definitions(true));
    // The type knows names of any kind; which ones there are is in the table of settings.
    let names: Vec<&str> = SETTINGS.iter().filter(|spec| is_open(spec)).map(|spec| spec.name).collect();
    for (schema, fewest) in [("ToggleChange", 1), ("CuaRequest", 0), ("PredictRequest", 0)] {
        let toggles = &mut schemas[schema]["properties"]["toggles"];
        toggles["propertyNames"] = json!({"enum": names});
        toggles["minProperties"] = json!(fewest);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Surehand",
            "version": version,
            "description": "Runs of computer-use agents, verified. Without a token file every address is open to \
                            whoever can reach it on this machine.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "webhooks": {"run_over": {"post": {
            "summary": "A run is over. Signed in the header Surehand-Signature; sent until it is answered by 2xx.",
            "requestBody": {"content": {"application/json": {"schema": told}}},
            "responses": {"200": {"description": "Taken"}},
        }}},
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    })
}

fn operation(endpoint: &Endpoint, generator: &mut SchemaGenerator) -> Value {
    let mut responses = Map::new();
    for (status, kind, words) in endpoint.answers {
        responses.insert(status.to_string(), json!({"description": words, "content": content(*kind, generator)}));
    }
    // What the guard may answer before a route is reached.
    let guard: &[u16] =
        if endpoint.scope.is_some() { &[400, 401, 403, 421, 429, 431, 500, 503] } else { &[400, 403, 421, 431] };
    let body: &[u16] = if endpoint.body.is_some() { &[408] } else { &[] };
    for status in guard.iter().chain(body).chain(endpoint.errors) {
        let schema = generator.subschema_for::<ErrorBody>();
        let refusal = json!({"description": reason(*status), "content": {"application/json": {"schema": schema}}});
        responses.entry(status.to_string()).or_insert(refusal);
    }
    let mut operation = json!({
        "summary": endpoint.summary,
        "operationId": operation_id(endpoint),
        "responses": responses,
    });
    if let Some(scope) = endpoint.scope {
        operation["security"] = json!([{}, {"token": []}]);
        if endpoint.path != FOR_ANY_TOKEN {
            operation["x-scope"] = json!(scope.as_str());
        }
    }
    if let Some(body) = endpoint.body {
        let required = is_needed(body, generator);
        operation["requestBody"] = json!({"required": required, "content": content(body, generator)});
    }
    let parameters = parameters(endpoint);
    if !parameters.is_empty() {
        operation["parameters"] = json!(parameters);
    }
    operation
}

/// A body without which nothing can be done. The others may be left out.
fn is_needed(kind: Kind, generator: &mut SchemaGenerator) -> bool {
    let Kind::Json(schema) = kind else { return true };
    let schema = schema(generator).to_value();
    let name = schema["$ref"].as_str().and_then(|place| place.rsplit('/').next());
    let schema = name.and_then(|name| generator.definitions().get(name)).unwrap_or(&schema);
    schema["required"].as_array().is_some_and(|fields| !fields.is_empty())
}

fn content(kind: Kind, generator: &mut SchemaGenerator) -> Value {
    match kind {
        Kind::Json(schema) => json!({"application/json": {"schema": schema(generator)}}),
        Kind::AnyObject => json!({"application/json": {"schema": {"type": "object"}}}),
        // `trace` messages carry an Envelope, `status` messages a StatusNote; OpenAPI 3.1 has no word for that.
        Kind::Events => json!({"text/event-stream": {}}),
        Kind::Picture => json!({"image/png": {}, "image/jpeg": {}}),
        Kind::Metrics => json!({"application/openmetrics-text": {"schema": {"type": "string"}}}),
        Kind::Page => json!({"text/html": {"schema": {"type": "string"}}}),
    }
}

fn parameters(endpoint: &Endpoint) -> Vec<Value> {
    let text = |place: &str, name: &str, words: &str| json!({"name": name, "in": place, "required": place == "path", "description": words, "schema": {"type": "string"}});
    let mut all = Vec::new();
    if endpoint.path.contains("{id}") {
        let lesson = endpoint.path.starts_with("/v1/lessons");
        let words = if lesson { "The lesson's id, or the beginning of it" } else { "The run's id" };
        all.push(text("path", "id", words));
    }
    if endpoint.path.contains("{frame}") {
        all.push(text("path", "frame", "The frame's number or SHA-256"));
    }
    match endpoint.path {
        "/v1/cua" | "/v1/predict" => all.push(json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "The same key with the same request within 24 hours is the same run",
            "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
        })),
        "/v1/lessons" => all.extend(lessons::parameters()),
        "/v1/runs/{id}/events" => {
            all.push(json!({
                "name": "Last-Event-ID", "in": "header", "required": false,
                "description": "The number of the last event that is known",
                "schema": {"type": "integer", "minimum": 0, "maximum": u64::MAX},
            }));
            all.push(json!({
                "name": "view", "in": "query", "required": false, "schema": {"enum": ["steps"]},
                "description": "`steps`: steps and the end carry `view`, the report's words, in place of the record",
            }));
        }
        "/v1/runs/{id}" => all.push(json!({
            "name": "result", "in": "query", "required": false, "schema": {"enum": ["on", "off"], "default": "on"},
        })),
        "/v1/runs/{id}/frames/{frame}" | "/v1/runs/{id}/now" => all.push(json!({
            "name": "width", "in": "query", "required": false,
            "schema": {"type": "integer", "minimum": 16, "maximum": 4096},
        })),
        "/v1/runs/{id}/changes" => {
            for name in ["before", "after"] {
                let mut parameter = text("query", name, "The frame's number or SHA-256");
                parameter["required"] = json!(true);
                all.push(parameter);
            }
        }
        "/v1/runs" => {
            all.push(json!({
                "name": "limit", "in": "query", "required": false,
                "schema": {"type": "integer", "minimum": 1, "maximum": 200, "default": 50},
            }));
            all.push(text("query", "before", "`next` of the page before"));
            all.push(json!({
                "name": "status", "in": "query", "required": false,
                "schema": {"enum": ["queued", "running", "ended", "interrupted", "succeeded", "failed", "cancelled", "paused",
                    "put_away", "waiting", "taken_over"]},
            }));
            all.push(json!({
                "name": "verdict", "in": "query", "required": false,
                "schema": {"enum": ["pass", "fail", "uncertain", "unjudged"]},
            }));
            all.push(text("query", "q", "Looked for in task, address, brain and id"));
        }
        _ => {}
    }
    all
}

fn operation_id(endpoint: &Endpoint) -> String {
    let words = endpoint.path.trim_start_matches("/v1").replace(['{', '}'], "").replace(['/', '.'], "_");
    format!("{}{words}", endpoint.method)
}

fn reason(status: u16) -> &'static str {
    match status {
        400 => "Something in the request is wrong; the error says what",
        401 => "A token is needed, or this one is not known",
        403 => "The token may not do this, or the request comes from a page of another site",
        404 => "There is no such thing",
        408 => "The body did not arrive in time",
        409 => "Not in the state that it is in; the error says why",
        413 => "The body is too large",
        415 => "The body is not JSON",
        421 => "The Host header does not name this server",
        429 => "Too many requests or runs; Retry-After says when to come again",
        503 => "The server is stopping",
        _ => "Something went wrong in the server",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_of_the_document_leads_somewhere() {
        let document = document("0.0.0");
        let mut references = Vec::new();
        collect(&document, &mut references);
        assert!(references.len() > 20);
        for reference in references {
            let place = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(place).is_some(), "{reference}");
        }
    }

    fn collect(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(|it| it.as_str()).map(str::to_string));
                fields.values().for_each(|field| collect(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
}
