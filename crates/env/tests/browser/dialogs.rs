//! Dialogs are results: nothing hangs on them, and nothing is answered that a brain should answer.

use serde_json::json;
use surehand_types::ErrorCode;
use surehand_types::observation::{DialogHandled, DialogKind};

use crate::support::Driver;

const PAGE: &str = r#"<!doctype html><title>start</title>
<button onclick="alert('first');document.title='after alert'">Alert</button>
<button onclick="document.title=String(confirm('sure?'))">Confirm</button>
<button onclick="document.title=JSON.stringify([prompt('name?','Ann'),prompt('again?')])">Prompts</button>
<button onclick="setInterval(()=>alert('again'),0)">Storm</button>"#;

#[tokio::test(flavor = "multi_thread")]
async fn an_alert_is_accepted_and_reported_once() {
    let mut driver = Driver::open(PAGE).await;
    let outcome = driver.click_on("Alert").await;
    let dialog = outcome.happenings.answered_dialog.unwrap();
    assert_eq!(
        (dialog.r#type, dialog.message.as_str(), dialog.handled),
        (DialogKind::Alert, "first", Some(DialogHandled::Accepted))
    );
    assert!(outcome.observation.dialog.is_none() && !outcome.observation.frame.stale);
    let next = driver.call(json!({"tool": "tab", "action": "view"})).await;
    assert_eq!(next.observation.title.as_deref(), Some("after alert"));
    assert!(next.happenings.answered_dialog.is_none());
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirm_waits_for_its_answer_and_blocks_everything_else() {
    let mut driver = Driver::open(PAGE).await;
    for (answer, title) in [("dismiss", "false"), ("accept", "true")] {
        let place = driver.place_of("Confirm").await;
        let outcome = driver.call(json!({"tool": "mouse", "action": "click", "coordinate": [place.x, place.y]})).await;
        let dialog = outcome.observation.dialog.unwrap();
        assert_eq!((dialog.r#type, dialog.handled), (DialogKind::Confirm, None));
        assert!(outcome.observation.frame.stale);
        let blocked =
            driver.try_call(json!({"tool": "keyboard", "action": "press", "key": "enter"})).await.err().unwrap();
        assert_eq!(blocked.code, ErrorCode::DialogOpen);
        let answered = driver.call(json!({"tool": "dialog", "dialog_action": answer})).await;
        assert!(answered.observation.dialog.is_none());
        assert_eq!(answered.observation.title.as_deref(), Some(title));
    }
    let none = driver.try_call(json!({"tool": "dialog", "dialog_action": "accept"})).await.err().unwrap();
    assert_eq!(none.code, ErrorCode::NoDialog);
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cascade_is_reported_and_a_prompt_keeps_its_default() {
    let mut driver = Driver::open(PAGE).await;
    driver.click_on("Prompts").await;
    let next = driver.call(json!({"tool": "dialog", "dialog_action": "accept"})).await;
    assert_eq!(next.observation.dialog.unwrap().message, "again?");
    let last = driver.call(json!({"tool": "dialog", "dialog_action": "accept", "prompt_text": "Böb"})).await;
    assert_eq!(last.observation.title.as_deref(), Some(r#"["Ann","Böb"]"#));
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_alerts_stops_after_five() {
    let mut driver = Driver::open(PAGE).await;
    let outcome = driver.click_on("Storm").await;
    let mut dialog = outcome.observation.dialog;
    for _ in 0..3 {
        if dialog.is_some() {
            break;
        }
        dialog = driver.call(json!({"tool": "wait", "seconds": 0.2})).await.observation.dialog;
    }
    assert_eq!(dialog.unwrap().message, "again");
    driver.close().await;
}
