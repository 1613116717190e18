//! Frames: of the same origin, of the same site but another origin, and of another process; and shadow roots.

use serde_json::json;
use surehand_env::browser::BrowserOptions;
use surehand_types::Focus;

use crate::support::Driver;

const INNER: &str = r#"<!doctype html><style>body{margin:0}</style><input aria-label=Field style="position:absolute;left:20px;top:20px;width:150px;height:30px;box-sizing:border-box" oninput="parent.postMessage(this.value,'*')">"#;

fn outer(source: &str) -> String {
    format!(
        r#"<!doctype html><title>outer</title><style>body{{margin:0}}iframe{{position:absolute;left:300px;top:200px;width:400px;height:200px;border:5px solid #888;padding:7px}}</style>
<iframe src="{source}"></iframe><script>onmessage=e=>document.title=e.data</script>"#
    )
}

async fn check_frame(source: &str) {
    let outer = outer(source);
    let mut driver = Driver::open_with(&[("/", &outer), ("/inner", INNER)], BrowserOptions::default()).await;
    let place = driver.place_of("Field").await;
    // 300 + 5 + 7 + 20 + 75 = 407 of 1280, and 200 + 5 + 7 + 20 + 15 = 247 of 720.
    assert!(place.x.abs_diff(318) <= 1 && place.y.abs_diff(343) <= 1, "{source}: {place:?}");
    let outcome = driver.click_on("Field").await;
    let hit = outcome.aim.hit.unwrap();
    assert_eq!(hit.descriptor, "textbox \"Field\"", "{source}");
    assert!(hit.frame.as_deref().is_some_and(|url| url.ends_with("/inner")), "{source}: {:?}", hit.frame);
    let typed = driver.type_text("hello").await;
    assert_eq!(typed.message, "typed 5 characters into textbox \"Field\"; the field has it", "{source}");
    let Focus::Element(focus) = typed.observation.focus else { panic!("{source}") };
    assert_eq!(focus.value.as_deref(), Some("hello"), "{source}");
    assert_eq!(driver.told().await, json!("hello"), "{source}");
    driver.call(json!({"tool": "keyboard", "action": "clear"})).await;
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_of_the_same_origin() {
    check_frame("/inner").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_of_another_process() {
    check_frame("http://localhost:PORT/inner").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_of_another_origin_in_the_same_process() {
    let inner = crate::support::Pages::serve(&[("/inner", INNER)]).await;
    check_frame(&inner.url("/inner")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn shadow_roots_are_looked_into() {
    let mut driver = Driver::open(
        r#"<!doctype html><title>none</title><my-box></my-box><script>customElements.define('my-box',class extends HTMLElement{connectedCallback(){const r=this.attachShadow({mode:'open'});r.innerHTML='<input aria-label=Inside><button>Go</button>';r.querySelector('button').onclick=()=>document.title=r.querySelector('input').value}})</script>"#,
    )
    .await;
    driver.click_on("Inside").await;
    let typed = driver.type_text("deep").await;
    assert!(typed.message.ends_with("the field has it"), "{}", typed.message);
    let outcome = driver.click_on("Go").await;
    assert_eq!(outcome.aim.hit.unwrap().descriptor, "button \"Go\"");
    assert_eq!(driver.told().await, json!("deep"));
    driver.close().await;
}
