//! Typing, chords, read-back and clear.

use serde_json::json;
use surehand_types::{ErrorCode, Focus};

use crate::support::Driver;

const FIELDS: &str = r#"<!doctype html><title>{}</title><style>body{margin:0}*{display:block;margin:8px}</style>
<form onsubmit="event.preventDefault();log.push('submit')"><input aria-label=Plain id=plain></form>
<textarea aria-label=Long></textarea><div contenteditable aria-label=Rich role=textbox style="min-height:30px"></div>
<input type=password aria-label=Secret><input aria-label=Stubborn value=keep><input aria-label=Fixed readonly value=x><button>Push</button>
<script>const s=document.querySelector('[aria-label=Stubborn]');s.addEventListener('input',()=>{s.value='keep'});
const log=[];for(const t of ['keydown','keypress','input','keyup'])plain.addEventListener(t,e=>{log.push(t[3]==='p'||t==='keydown'||t==='keyup'?`${t} ${e.key} ${e.code} ${e.shiftKey?'shift':''}`.trim():`${t} ${e.data}`);document.title=JSON.stringify(log)})</script>"#;

#[tokio::test(flavor = "multi_thread")]
async fn ascii_is_typed_key_by_key_and_everything_else_as_whole_graphemes() {
    let mut driver = Driver::open(FIELDS).await;
    driver.click_on("Plain").await;
    let outcome = driver.type_text("aB👩‍👧").await;
    assert_eq!(outcome.message, "typed 5 characters into textbox \"Plain\"; the field has it");
    assert_eq!(
        driver.told().await,
        json!([
            "keydown a KeyA",
            "keypress a KeyA",
            "input a",
            "keyup a KeyA",
            "keydown B KeyB shift",
            "keypress B KeyB shift",
            "input B",
            "keyup B KeyB shift",
            "input 👩‍👧"
        ])
    );
    let Focus::Element(focus) = outcome.observation.focus else { panic!("{:?}", outcome.observation.focus) };
    assert_eq!((focus.value.as_deref(), focus.id.as_deref(), focus.editable), (Some("aB👩‍👧"), Some("plain"), true));
    driver.type_text("\n").await;
    let log = driver.told().await;
    assert_eq!(
        log.as_array().unwrap()[9..],
        ["keydown Enter Enter", "keypress Enter Enter", "submit", "keyup Enter Enter"]
    );
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_go_into_text_areas_and_editors() {
    let mut driver = Driver::open(FIELDS).await;
    for name in ["Long", "Rich"] {
        driver.click_on(name).await;
        let outcome = driver.type_text("one\ntwo é").await;
        let Focus::Element(focus) = outcome.observation.focus else { panic!() };
        assert_eq!(focus.value.unwrap().replace("\n\n", "\n"), "one\ntwo é", "{name}");
        driver.call(json!({"tool": "keyboard", "action": "press", "key": "ctrl+a"})).await;
        driver.type_text("x").await;
        let cleared = driver.call(json!({"tool": "keyboard", "action": "clear"})).await;
        assert_eq!(cleared.message, format!("cleared textbox \"{name}\""));
    }
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_claimed_that_did_not_happen() {
    let mut driver = Driver::open(FIELDS).await;
    let failure = driver.try_call(json!({"tool": "keyboard", "action": "type", "text": "x"})).await.err().unwrap();
    assert_eq!(failure.code, ErrorCode::NothingEditable);
    driver.click_on("Push").await;
    let failure = driver.try_call(json!({"tool": "keyboard", "action": "type", "text": "x"})).await.err().unwrap();
    assert!(failure.message.contains("button \"Push\""), "{}", failure.message);
    driver.click_on("Fixed").await;
    let failure = driver.try_call(json!({"tool": "keyboard", "action": "type", "text": "x"})).await.err().unwrap();
    assert_eq!(failure.code, ErrorCode::NothingEditable);
    driver.click_on("Stubborn").await;
    let typed = driver.type_text("new").await;
    assert!(typed.message.ends_with("but the field did not change and holds \"keep\""), "{}", typed.message);
    let failure = driver.try_call(json!({"tool": "keyboard", "action": "clear"})).await.err().unwrap();
    assert_eq!(failure.code, ErrorCode::NotCleared);
    driver.click_on("Secret").await;
    let typed = driver.type_text("hunter2").await;
    assert!(!typed.message.contains("hunter2"), "{}", typed.message);
    let Focus::Element(focus) = &typed.observation.focus else { panic!() };
    assert_eq!(focus.value.as_deref(), Some("•••••••"));
    assert_eq!(typed.observation.masks.len(), 1);
    driver.close().await;
}
