//! What a browser says: events, answers, and the bytes on the pipe.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use serde_json::{Value, json};
use surehand_env::browser::fuzzing::{Known, browser_that_says, pipe_that_carries};

use super::wait_for;
use crate::generate::{any_bytes, mutated_json};
use crate::{Target, holds};

pub(super) const EVENTS: Target = Target { name: "browser_events", cases: 60, input: events, check: check_events };
pub(super) const ANSWERS: Target = Target { name: "browser_answers", cases: 30, input: answers, check: check_answers };
pub(super) const PIPE: Target = Target { name: "browser_pipe", cases: 100, input: pipe, check: check_pipe };

/// Separates messages of one input, as on the pipe.
const END: u8 = 0;
const GUID: &str = "11111111-2222-3333-4444-555555555555";

/// One of every event that we act on.
fn example_events() -> Vec<Value> {
    let page = json!({"targetId": "T", "type": "page", "title": "t", "url": "http://a.test/", "attached": true});
    let frame = json!({"id": "T", "loaderId": "L", "url": "http://a.test/", "parentId": null});
    let events = [
        ("Target.attachedToTarget", json!({"sessionId": "S", "targetInfo": page, "waitingForDebugger": true})),
        ("Target.targetCreated", json!({"targetInfo": page})),
        ("Target.targetInfoChanged", json!({"targetInfo": page})),
        ("Target.detachedFromTarget", json!({"sessionId": "S"})),
        ("Target.targetDestroyed", json!({"targetId": "T"})),
        ("Target.targetCrashed", json!({"targetId": "T"})),
        ("Inspector.targetCrashed", json!({})),
        ("Page.javascriptDialogOpening", json!({"url": "http://a.test/", "message": "m", "type": "alert"})),
        ("Page.javascriptDialogClosed", json!({"result": true, "userInput": ""})),
        ("Page.frameAttached", json!({"frameId": "F", "parentFrameId": "T"})),
        ("Page.frameDetached", json!({"frameId": "F", "reason": "remove"})),
        ("Page.frameNavigated", json!({"frame": frame, "type": "Navigation"})),
        ("Page.navigatedWithinDocument", json!({"frameId": "T", "url": "http://a.test/#x"})),
        ("Page.frameStartedLoading", json!({"frameId": "T"})),
        ("Page.frameStoppedLoading", json!({"frameId": "T"})),
        ("Page.fileChooserOpened", json!({"frameId": "T", "backendNodeId": 5, "mode": "selectMultiple"})),
        ("Input.dragIntercepted", json!({"data": {"items": [], "dragOperationsMask": 1}})),
        (
            "Fetch.requestPaused",
            json!({"requestId": "R", "request": {"url": "http://a.test/"}, "resourceType": "Document"}),
        ),
        (
            "Fetch.authRequired",
            json!({"requestId": "R", "authChallenge": {"source": "Server", "origin": "http://a.test"}}),
        ),
        (
            "Network.requestWillBeSent",
            json!({"requestId": "R", "type": "XHR", "request": {"url": "http://a.test/", "method": "GET"}}),
        ),
        ("Network.responseReceived", json!({"requestId": "R"})),
        ("Network.loadingFinished", json!({"requestId": "R"})),
        ("Network.loadingFailed", json!({"requestId": "R"})),
        ("Browser.downloadWillBegin", json!({"guid": GUID, "suggestedFilename": "../a.txt", "url": "http://a.test/a"})),
        ("Browser.downloadProgress", json!({"guid": GUID, "state": "completed", "receivedBytes": 5, "totalBytes": 5})),
    ];
    events.into_iter().map(|(method, params)| json!({"method": method, "sessionId": "S", "params": params})).collect()
}

/// The tab is there first, so that events find something to change.
fn events() -> BoxedStrategy<Vec<u8>> {
    let opening: Vec<u8> = example_events().first().map(Value::to_string).unwrap_or_default().into_bytes();
    vec(mutated_json(example_events()), 1..12)
        .prop_map(move |messages| {
            let mut all = vec![opening.clone()];
            all.extend(messages);
            all.join(&END)
        })
        .boxed()
}

fn talk(messages: Vec<Vec<u8>>, results: Vec<String>) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let said = messages.len();
    let Known { tabs, events, downloads } = wait_for(browser_that_says(messages, results, folder.path()));
    holds(tabs <= said && downloads <= said, || format!("{tabs} tabs and {downloads} downloads from {said} messages"))?;
    holds(events <= 4 * said + 4, || format!("{events} events from {said} messages"))
}

fn check_events(input: &[u8]) -> Result<(), String> {
    talk(input.split(|byte| *byte == END).map(<[u8]>::to_vec).collect(), Vec::new())
}

fn answers() -> BoxedStrategy<Vec<u8>> {
    let result = mutated_json(vec![
        json!({"result": {"value": {"url": "http://a.test/", "title": "t", "fields": []}}}),
        json!({"result": {"value": [1280, 720]}}),
        json!({"executionContextId": 3}),
        json!({"data": "/9j/4AAQSkZJRgABAQ=="}),
        json!({"frameTree": {"frame": {"id": "T"}, "childFrames": []}}),
        json!({"model": {"content": [0, 0, 1, 0, 1, 1, 0, 1]}}),
    ]);
    vec(result, 1..20).prop_map(|results| results.join(&END)).boxed()
}

fn check_answers(input: &[u8]) -> Result<(), String> {
    let opening = example_events().first().map(Value::to_string).unwrap_or_default().into_bytes();
    let results = input.split(|byte| *byte == END).map(|text| String::from_utf8_lossy(text).into_owned()).collect();
    talk(vec![opening], results)
}

fn pipe() -> BoxedStrategy<Vec<u8>> {
    prop_oneof![events(), any_bytes(), Just(vec![END; 5000]), Just(vec![b'['; 100_000])].boxed()
}

fn check_pipe(input: &[u8]) -> Result<(), String> {
    let messages = input.split(|byte| *byte == END).count();
    let events = wait_for(pipe_that_carries(input)).map_err(|error| error.to_string())?;
    holds(events <= messages, || format!("{events} events from {messages} messages"))
}
