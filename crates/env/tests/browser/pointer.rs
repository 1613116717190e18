//! Mouse calls: trusted events in the right order, hover before press, hit report, drag, wheel.

use serde_json::{Value, json};

use crate::support::Driver;

const LOG: &str = r#"<!doctype html><title>[]</title><style>body{margin:0}#b{position:absolute;left:100px;top:100px;width:200px;height:60px}</style>
<button id=b>Target</button>
<script>const log=[];for(const t of ['pointerdown','mousedown','pointerup','mouseup','click','dblclick','auxclick','contextmenu'])
document.addEventListener(t,e=>{if(t==='contextmenu')e.preventDefault();log.push([t,e.isTrusted,e.button,e.buttons,e.detail,e.clientX,e.clientY,e.ctrlKey,e.shiftKey]);document.title=JSON.stringify(log)},true)</script>"#;

fn kinds(log: &Value) -> Vec<String> {
    log.as_array()
        .unwrap()
        .iter()
        .map(|row| format!("{}:{}:{}:{}", row[0].as_str().unwrap(), row[2], row[3], row[4]))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_is_trusted_and_lands_on_the_pixel_that_was_dispatched() {
    let mut driver = Driver::open(LOG).await;
    let outcome = driver.call(json!({"tool": "mouse", "action": "click", "coordinate": [156, 180]})).await;
    let hit = outcome.aim.hit.unwrap();
    assert_eq!((hit.descriptor.as_str(), hit.id.as_deref()), ("button \"Target\"", Some("b")));
    assert_eq!(hit.r#box.map(<[u16; 4]>::from), Some([78, 139, 234, 222]));
    let log = driver.told().await;
    assert_eq!(
        kinds(&log),
        ["pointerdown:0:1:0", "mousedown:0:1:1", "pointerup:0:0:0", "mouseup:0:0:1", "click:0:0:1"]
    );
    for row in log.as_array().unwrap() {
        // 156 * 1.28 = 199.68 and 180 * 0.72 = 129.6, rounded half up.
        assert_eq!((&row[1], &row[5], &row[6]), (&json!(true), &json!(200), &json!(130)), "{row}");
    }
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn double_right_and_modified_clicks() {
    let mut driver = Driver::open(LOG).await;
    let at = json!([156, 180]);
    driver.call(json!({"tool": "mouse", "action": "click", "coordinate": at, "count": 2})).await;
    let log = driver.told().await;
    let names: Vec<String> = kinds(&log).into_iter().filter(|kind| kind.contains("click")).collect();
    assert_eq!(names, ["click:0:0:1", "click:0:0:2", "dblclick:0:0:2"]);
    driver.call(json!({"tool": "tab", "action": "refresh"})).await;
    driver.call(json!({"tool": "mouse", "action": "click", "coordinate": at, "button": "right"})).await;
    let log = driver.told().await;
    assert_eq!(
        kinds(&log),
        [
            "pointerdown:2:2:0",
            "mousedown:2:2:1",
            "contextmenu:2:2:0",
            "pointerup:2:0:0",
            "mouseup:2:0:1",
            "auxclick:2:0:1"
        ]
    );
    driver.call(json!({"tool": "tab", "action": "refresh"})).await;
    driver.call(json!({"tool": "mouse", "action": "click", "coordinate": at, "modifiers": ["ctrl", "Shift"]})).await;
    let log = driver.told().await;
    assert!(log.as_array().unwrap().iter().all(|row| row[7] == json!(true) && row[8] == json!(true)), "{log}");
    driver.call(json!({"tool": "mouse", "action": "click"})).await;
    let log = driver.told().await;
    let last = log.as_array().unwrap().last().unwrap();
    assert_eq!((&last[0], &last[7]), (&json!("click"), &json!(false)), "modifiers were not released: {last}");
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_hover_settles_before_the_press_and_the_hit_is_read_after_it() {
    let mut driver = Driver::open(
        r#"<!doctype html><title>none</title><style>body{margin:0}#menu{position:absolute;left:0;top:0;width:600px;height:300px;background:#eee}
#delete{position:absolute;left:100px;top:100px;width:200px;height:80px;visibility:hidden;transform:translateY(120px);transition:transform 120ms}
#menu:hover #delete{visibility:visible;transform:none}</style>
<div id=menu><button id=delete onclick="document.title='deleted'">Delete</button></div>"#,
    )
    .await;
    let outcome = driver.call(json!({"tool": "mouse", "action": "click", "coordinate": [156, 195]})).await;
    assert_eq!(outcome.aim.hit.unwrap().descriptor, "button \"Delete\"");
    assert_eq!(driver.told().await, json!("deleted"));
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_covers_a_control_is_reported() {
    let mut driver = Driver::open(
        r#"<!doctype html><style>body{margin:0}</style><button style="position:absolute;left:100px;top:100px;width:200px;height:80px">Save</button>
<div class="cookie-banner" style="position:fixed;inset:0;background:#0001"></div>"#,
    )
    .await;
    let outcome = driver.call(json!({"tool": "mouse", "action": "click", "coordinate": [156, 195]})).await;
    let hit = outcome.aim.hit.unwrap();
    assert_eq!(hit.descriptor, "div.cookie-banner");
    assert_eq!(hit.covers.unwrap().descriptor, "button \"Save\"");
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn drags_move_sliders_and_select_text() {
    let mut driver = Driver::open(
        r#"<!doctype html><style>body{margin:0}</style><input type=range min=0 max=100 value=0 style="position:absolute;left:100px;top:100px;width:500px" oninput="document.title=this.value">
<p style="position:absolute;left:100px;top:200px;width:900px;font:20px monospace;margin:0">select these words</p>
<script>document.onselectionchange=()=>document.title=JSON.stringify(String(getSelection()))</script>"#,
    )
    .await;
    driver
        .call(json!({"tool": "mouse", "action": "drag", "start_coordinate": [84, 150], "end_coordinate": [273, 150]}))
        .await;
    let value = driver.told().await.as_f64().unwrap();
    assert!((45.0..=55.0).contains(&value), "{value}");
    let outcome = driver
        .call(json!({"tool": "mouse", "action": "drag", "start_coordinate": [79, 292], "end_coordinate": [600, 292]}))
        .await;
    assert!(outcome.message.starts_with("dragged from [79, 29"), "{}", outcome.message);
    assert_eq!(driver.told().await, json!("select these words"));
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wheel_scrolls_what_is_under_the_cursor() {
    let mut driver = Driver::open(
        r#"<!doctype html><style>body{margin:0;height:3000px}#box{position:absolute;left:100px;top:100px;width:300px;height:300px;overflow:auto}</style>
<div id=box><div style="height:2000px;width:2000px">inner</div></div>
<script>const say=()=>document.title=JSON.stringify([scrollY,box.scrollTop,box.scrollLeft]);addEventListener('scroll',say,true);say()</script>"#,
    )
    .await;
    driver.call(json!({"tool": "mouse", "action": "scroll", "coordinate": [195, 350], "amount": 500})).await;
    assert_eq!(driver.told().await, json!([0, 360, 0]));
    driver.call(json!({"tool": "mouse", "action": "scroll", "direction": "right", "amount": 100})).await;
    assert_eq!(driver.told().await, json!([0, 360, 128]));
    driver.call(json!({"tool": "mouse", "action": "scroll", "coordinate": [800, 500], "amount": 1000})).await;
    assert_eq!(driver.told().await, json!([720, 360, 128]));
    let top = driver.call(json!({"tool": "mouse", "action": "scroll", "direction": "left"})).await;
    assert!(top.message.ends_with("nothing moved: it is already at the end"), "{}", top.message);
    driver.close().await;
}
