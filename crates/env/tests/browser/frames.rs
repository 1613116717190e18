//! Frames tell the truth: the size is what was asked for, and the frame after a click shows the click.

use serde_json::json;
use surehand_env::Environment;
use surehand_env::browser::BrowserOptions;
use surehand_types::frame::Fence;
use surehand_types::{Encoding, ViewSize};

use crate::support::Driver;

const COUNTER: &str = r#"<!doctype html><style>body{margin:0}#p{position:absolute;left:0;top:0;width:400px;height:100px;background:rgb(0,0,0)}</style><div id=p></div>
<button style="position:absolute;left:500px;top:300px;width:200px;height:100px" onclick="n++;p.style.background=`rgb(${n*40%256},${n*90%256},${n*150%256})`">Next</button><script>let n=0</script>"#;

#[tokio::test(flavor = "multi_thread")]
async fn every_post_frame_shows_its_click() {
    let mut driver = Driver::open(COUNTER).await;
    for number in 1..=60u32 {
        let outcome = driver.call(json!({"tool": "mouse", "action": "click", "coordinate": [468, 480]})).await;
        let frame = outcome.observation.frame;
        assert_eq!(frame.fence, Fence::DrawnAfterCommit);
        let expected = [number * 40 % 256, number * 90 % 256, number * 150 % 256].map(|part| part as u8);
        assert_eq!(frame.pixels.at(200, 50), Some(expected), "click {number}");
    }
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_viewport_is_what_was_asked_for() {
    let options = BrowserOptions {
        viewport: ViewSize { width: 777, height: 555 },
        scale: 2.0,
        encoding: Encoding::Jpeg,
        ..BrowserOptions::default()
    };
    let mut driver = Driver::open_with(
        &[("/", "<!doctype html><script>onclick=e=>document.title=JSON.stringify([innerWidth,innerHeight,devicePixelRatio,e.clientX,e.clientY])</script>")],
        options,
    )
    .await;
    let outcome = driver.call(json!({"tool": "mouse", "action": "click", "coordinate": [1000, 1000]})).await;
    assert_eq!(driver.told().await, json!([777, 555, 2, 776, 554]));
    let frame = outcome.observation.frame;
    assert_eq!((frame.pixels.width, frame.pixels.height, frame.view), (1554, 1110, driver.env.view()));
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_answer_of_the_server_is_waited_for() {
    // The button asks the server and shows the answer; settle must not hand out the frame before it.
    let mut driver = Driver::open_with(
        &[
            ("/", r#"<!doctype html><title>wait</title><button onclick="fetch('/data').then(r=>r.text()).then(t=>setTimeout(()=>document.title=t))">Load</button>"#),
            ("/data", "loaded"),
        ],
        BrowserOptions::default(),
    )
    .await;
    let outcome = driver.click_on("Load").await;
    assert_eq!(outcome.observation.title.as_deref(), Some("loaded"));
    driver.close().await;
}
