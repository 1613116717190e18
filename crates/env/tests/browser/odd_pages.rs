//! Pages that have fooled drivers before: each test is one defect that an outside tester found.

use serde_json::json;
use surehand_env::browser::{BrowserOptions, Timing};
use surehand_types::ErrorCode;

use crate::support::Driver;

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_in_another_tab_is_named_instead_of_blocking_silently() {
    let opener = r#"<!doctype html><title>opener</title><button onclick="window.open('/asks')">Open</button><button onclick="document.title='clicked'">Other</button>"#;
    let pages =
        [("/", opener), ("/asks", "<!doctype html><title>asks</title><script>confirm('from the popup')</script>")];
    let mut driver = Driver::open_with(&pages, BrowserOptions::default()).await;
    let other = driver.place_of("Other").await;
    let click_other = json!({"tool": "mouse", "action": "click", "coordinate": [other.x, other.y]});
    let mut outcome = driver.click_on("Open").await;
    for _ in 0..50 {
        if outcome.observation.dialog.is_some() {
            break;
        }
        outcome = driver.call(json!({"tool": "wait", "seconds": 0.1})).await;
    }
    assert_eq!(outcome.observation.dialog.unwrap().message, "from the popup");
    let refused = driver.try_call(click_other.clone()).await.err().unwrap();
    assert_eq!(refused.code, ErrorCode::DialogOpen);
    assert!(refused.message.contains("in t2"), "{}", refused.message);
    driver.call(json!({"tool": "dialog", "dialog_action": "accept"})).await;
    let clicked = driver.call(click_other).await;
    assert_eq!(clicked.observation.title.as_deref(), Some("clicked"));
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hung_page_is_told_apart_and_can_be_reloaded() {
    // Long enough that the capture of the hung page has been given up by the browser.
    let timing = Timing { call: std::time::Duration::from_secs(8), ..Timing::default() };
    let page =
        r#"<!doctype html><title>fine</title><button onclick="while(true){}">Hang</button><button>Other</button>"#;
    let mut driver = Driver::open_with(&[("/", page)], BrowserOptions { timing, ..BrowserOptions::default() }).await;
    let place = driver.place_of("Hang").await;
    let click = json!({"tool": "mouse", "action": "click", "coordinate": [place.x, place.y]});
    let failure = driver.try_call(click.clone()).await.err().unwrap();
    assert_eq!(failure.code, ErrorCode::Timeout);
    let again = driver.try_call(click).await.err().unwrap();
    assert!(again.message.contains("nothing was sent"), "{}", again.message);
    let reloaded = driver.call(json!({"tool": "tab", "action": "refresh"})).await;
    assert_eq!((reloaded.observation.title.as_deref(), reloaded.observation.frame.stale), (Some("fine"), false));
    driver.click_on("Other").await;
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_shadow_root_can_be_typed_into_read_and_cleared() {
    let mut driver = Driver::open(
        r#"<!doctype html><style>body{margin:0}</style><x-field style="position:absolute;left:100px;top:100px"></x-field><script>
customElements.define('x-field',class extends HTMLElement{connectedCallback(){const r=this.attachShadow({mode:'closed'});r.innerHTML='<input style="width:300px;height:60px">';r.firstChild.oninput=e=>document.title=e.target.value}})</script>"#,
    )
    .await;
    driver.call(json!({"tool": "mouse", "action": "click", "coordinate": [150, 180]})).await;
    let typed = driver.type_text("inside").await;
    assert_eq!(typed.message, "typed 6 characters into textbox; the field has it");
    assert_eq!(driver.told().await, json!("inside"));
    driver.call(json!({"tool": "keyboard", "action": "clear"})).await;
    assert_eq!(driver.told().await, json!(""));
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_whose_fields_hide_their_methods_are_read_all_the_same() {
    let mut driver = Driver::open(
        r#"<!doctype html><form style="padding:100px"><input name=matches><input name=getAttribute><input name=localName><input name=id><input name=parentElement><input name=shadowRoot><button>Send</button></form>"#,
    )
    .await;
    let form = driver.call(json!({"tool": "mouse", "action": "move", "coordinate": [50, 50]})).await;
    assert_eq!(form.aim.hit.unwrap().tag, "form");
    let place = driver.place_of("Send").await;
    let button = driver.call(json!({"tool": "mouse", "action": "move", "coordinate": [place.x, place.y]})).await;
    assert_eq!(button.aim.hit.unwrap().descriptor, "button \"Send\"");
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scaled_frames_are_hit_where_they_are_seen() {
    let outer = r#"<!doctype html><style>body{margin:0}iframe{position:absolute;left:200px;top:100px;width:600px;height:400px;border:0;transform:scale(.5);transform-origin:0 0}</style><iframe src="/inner"></iframe>"#;
    let inner = r#"<!doctype html><style>body{margin:0}button{position:absolute;left:200px;top:100px;width:200px;height:100px}</style><button onclick="top.document.title='hit'">Inner</button>"#;
    let mut driver = Driver::open_with(&[("/", outer), ("/inner", inner)], BrowserOptions::default()).await;
    let outcome = driver.click_on("Inner").await;
    let hit = outcome.aim.hit.unwrap();
    assert_eq!(hit.descriptor, "button \"Inner\"");
    // 200 + 200/2 .. 200 + 400/2 of 1280, and 100 + 100/2 .. 100 + 200/2 of 720.
    assert_eq!(hit.r#box.map(<[u16; 4]>::from), Some([234, 208, 313, 278]));
    assert_eq!(driver.told().await, json!("hit"));
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_puts_its_value_back_late_is_not_called_cleared() {
    let mut driver = Driver::open(
        r#"<!doctype html><input aria-label=Late value=late oninput="setTimeout(()=>{this.value='late'},40)">"#,
    )
    .await;
    driver.click_on("Late").await;
    let failure = driver.try_call(json!({"tool": "keyboard", "action": "clear"})).await.err().unwrap();
    assert_eq!(failure.code, ErrorCode::NotCleared);
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_a_tab_asks_where_the_page_wants_to_be_asked() {
    let page = r#"<!doctype html><title>one</title><button onclick="window.open('/two')">Open</button>"#;
    let asks = r#"<!doctype html><title>two</title><button>Touch</button><script>addEventListener('beforeunload',e=>{e.preventDefault();e.returnValue='x'})</script>"#;
    let mut driver = Driver::open_with(&[("/", page), ("/two", asks)], BrowserOptions::default()).await;
    let url = driver.pages.url("/two");
    driver.call(json!({"tool": "tab", "action": "open", "url": url})).await;
    driver.click_on("Touch").await;
    let outcome = driver.call(json!({"tool": "tab", "action": "close"})).await;
    assert!(outcome.observation.dialog.is_some(), "{}", outcome.message);
    driver.call(json!({"tool": "dialog", "dialog_action": "dismiss"})).await;
    let listed = driver.call(json!({"tool": "tab", "action": "list"})).await;
    assert_eq!(listed.observation.tabs.len(), 2);
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_way_back_asks_where_the_page_wants_to_be_asked() {
    let page = r#"<!doctype html><title>one</title><a href="/two">Go on</a>"#;
    let asks = r#"<!doctype html><title>two</title><button>Touch</button><script>addEventListener('beforeunload',e=>{e.preventDefault();e.returnValue='x'})</script>"#;
    let mut driver = Driver::open_with(&[("/", page), ("/two", asks)], BrowserOptions::default()).await;
    driver.click_on("Go on").await;
    driver.click_on("Touch").await;
    let outcome = driver.call(json!({"tool": "tab", "action": "back"})).await;
    assert!(outcome.observation.dialog.is_some() && outcome.message.contains("asks before"), "{}", outcome.message);
    let left = driver.call(json!({"tool": "dialog", "dialog_action": "accept"})).await;
    assert_eq!(left.observation.title.as_deref(), Some("one"));
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn typing_that_moves_the_focus_says_where_it_is() {
    let mut driver = Driver::open(
        r#"<!doctype html><input id=a><input id=b><div contenteditable id=c style="min-height:40px;border:1px solid"></div>"#,
    )
    .await;
    driver.call(json!({"tool": "mouse", "action": "click", "coordinate": [40, 25]})).await;
    let typed = driver.type_text("one\ttwo").await;
    assert!(typed.message.ends_with("focus is now on textbox"), "{}", typed.message);
    driver.call(json!({"tool": "mouse", "action": "click", "coordinate": [500, 70]})).await;
    let typed = driver.type_text("hello").await;
    assert!(typed.message.ends_with("the field has it"), "{}", typed.message);
    driver.close().await;
}
