//! The hand on the live page, for a person who watches: there between two calls, never in a frame,
//! one element that the page can see and nothing else, whatever the page's policy is.

use std::time::Duration;

use base64::Engine;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use surehand_checks::picture::decode_png;
use surehand_env::browser::BrowserOptions;
use surehand_env::{Environment, WatcherBox};
use surehand_types::{Pixels, ViewBox};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::support::Driver;

const GREEN: [u8; 3] = [0, 128, 64];
const YELLOW: [u8; 3] = [255, 212, 0];
const ORANGE: [u8; 3] = [255, 140, 0];

/// A green page that tells in its title who changed it and what it saw when it was clicked.
const PAGE: &str = "<!doctype html><title>{}</title><meta charset='utf-8'>POLICY\
    <style nonce='n'>html{background:rgb(0,128,64)} body{margin:0}</style><script nonce='n'>\
    const told={added:0,removed:0,strange:[],violations:0,children:[]};const tell=()=>{document.title=JSON.stringify(told)};\
    addEventListener('DOMContentLoaded',()=>new MutationObserver((all)=>{let news=false;for(const one of all){\
    const whole=one.type==='childList'&&one.target===document.documentElement;\
    const nodes=[...one.addedNodes,...one.removedNodes];\
    if(one.target.nodeName==='TITLE'||one.target.parentNode?.nodeName==='TITLE')continue;news=true;\
    if(!whole||nodes.some((node)=>node.nodeName!=='DIV'||node.attributes.length>1))told.strange.push(one.type+' '+one.target.nodeName+' '+one.attributeName);\
    told.added+=one.addedNodes.length;told.removed+=one.removedNodes.length}if(news)tell()\
    }).observe(document,{subtree:true,childList:true,attributes:true,characterData:true}));\
    addEventListener('click',()=>{told.children=[...document.documentElement.children].map((node)=>node.nodeName);tell()});\
    addEventListener('securitypolicyviolation',()=>{told.violations+=1;tell()})</script>";

const STRICT: &str = "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; script-src 'nonce-n'; \
    style-src 'nonce-n'; require-trusted-types-for 'script'; trusted-types 'none'\">";

fn options() -> BrowserOptions {
    BrowserOptions { show_hand: true, ..BrowserOptions::default() }
}

fn count(pixels: &Pixels, is_it: impl Fn([u8; 3]) -> bool) -> usize {
    pixels.rgb.chunks_exact(3).filter(|pixel| is_it([pixel[0], pixel[1], pixel[2]])).count()
}

fn boxes() -> [WatcherBox; 2] {
    let bounds = |x0: f64| ViewBox { x0, y0: 100.0, x1: x0 + 80.0, y1: 140.0 };
    [WatcherBox { bounds: bounds(100.0), hit: true }, WatcherBox { bounds: bounds(300.0), hit: false }]
}

async fn check_page(policy: &str) {
    let page = PAGE.replace("POLICY", policy);
    let mut driver = Driver::open_with(&[("/", page.as_str())], options()).await;
    for (number, at) in [[200, 200], [700, 300], [500, 800]].into_iter().enumerate() {
        let clicked = driver.call(json!({"tool": "mouse", "action": "click", "coordinate": at})).await;
        assert_eq!(
            count(&clicked.observation.frame.pixels, |pixel| pixel != GREEN),
            0,
            "the hand is in frame {number}"
        );
        driver.env.show_watcher(&boxes()).await;
        let looked = driver.look().await;
        assert_eq!(
            count(&looked.frame.pixels, |pixel| pixel != GREEN),
            0,
            "the hand or its boxes are in frame {number}"
        );
    }
    let told = driver.told().await;
    assert_eq!(told["children"], json!(["HEAD", "BODY", "DIV"]), "it was there when the page was clicked: {told}");
    assert_eq!((&told["strange"], &told["violations"]), (&json!([]), &json!(0)), "{told}");
    let (added, removed) = (told["added"].as_u64().unwrap(), told["removed"].as_u64().unwrap());
    assert!(added >= 6 && added.abs_diff(removed) <= 1, "{told}");
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_hand_is_on_the_page_and_never_in_a_frame() {
    check_page("").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn policies_of_the_page_are_neither_broken_nor_an_obstacle() {
    check_page(STRICT).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_watcher_nothing_is_put_on_the_page() {
    let page = PAGE.replace("POLICY", "");
    let mut driver = Driver::open_with(&[("/", page.as_str())], BrowserOptions::default()).await;
    driver.env.show_watcher(&boxes()).await;
    driver.call(json!({"tool": "mouse", "action": "click", "coordinate": [500, 500]})).await;
    let told = driver.told().await;
    assert_eq!((&told["added"], &told["children"]), (&json!(0), &json!(["HEAD", "BODY"])), "{told}");
    driver.close().await;
}

/// Somebody else who looks at the same page, without any script of ours.
struct Onlooker {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Onlooker {
    async fn attach(port: u16) -> Onlooker {
        let client = surehand_env::local_client(std::time::Duration::from_secs(10)).unwrap();
        let list = client.get(format!("http://127.0.0.1:{port}/json/list")).send().await.unwrap();
        let targets: Value = list.json().await.unwrap();
        let page = targets.as_array().unwrap().iter().find(|target| target["type"] == "page").unwrap();
        let url = page["webSocketDebuggerUrl"].as_str().unwrap();
        Onlooker { socket: tokio_tungstenite::connect_async(url).await.unwrap().0 }
    }

    async fn look(&mut self) -> Pixels {
        let ask = json!({"id": 1, "method": "Page.captureScreenshot"});
        self.socket.send(Message::text(ask.to_string())).await.unwrap();
        loop {
            let message = self.socket.next().await.unwrap().unwrap();
            let answer: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
            if answer["id"] == 1 {
                let png = base64::prelude::BASE64_STANDARD.decode(answer["result"]["data"].as_str().unwrap()).unwrap();
                return decode_png(&png).unwrap();
            }
        }
    }

    /// Looks until it is so.
    async fn sees(&mut self, what: &str, is_so: impl Fn(&Pixels) -> bool) {
        let end = tokio::time::Instant::now() + Duration::from_secs(5);
        while !is_so(&self.look().await) {
            assert!(tokio::time::Instant::now() < end, "never seen: {what}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

fn shows_hand(seen: &Pixels) -> bool {
    let middle = seen.at(seen.width / 2, seen.height / 2);
    middle.is_some_and(|[red, green, blue]| red > 200 && green < 60 && blue < 60)
}

fn shows_boxes(seen: &Pixels) -> bool {
    count(seen, |pixel| pixel == YELLOW) > 200 && count(seen, |pixel| pixel == ORANGE) > 60
}

fn shows_no_box(seen: &Pixels) -> bool {
    count(seen, |pixel| pixel == YELLOW || pixel == ORANGE) == 0
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_sees_the_hand_and_the_boxes_until_the_next_call() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let page = PAGE.replace("POLICY", "");
    let options = BrowserOptions { extra_flags: vec![format!("--remote-debugging-port={port}")], ..options() };
    let mut driver = Driver::open_with(&[("/", page.as_str())], options).await;
    let mut onlooker = Onlooker::attach(port).await;

    driver.call(json!({"tool": "mouse", "coordinate": [500, 500]})).await;
    onlooker.sees("the hand in the middle, and no box", |seen| shows_hand(seen) && shows_no_box(seen)).await;
    for call in [
        json!({"tool": "mouse", "coordinate": [500, 500]}),
        json!({"tool": "keyboard", "action": "press", "key": "F9"}),
        json!({"tool": "wait", "seconds": 0}),
        json!({"tool": "tab", "action": "view"}),
    ] {
        driver.env.show_watcher(&boxes()).await;
        onlooker.sees("the boxes", |seen| shows_hand(seen) && shows_boxes(seen)).await;
        driver.call(call.clone()).await;
        let what = format!("the hand without boxes after {call}");
        onlooker.sees(&what, |seen| shows_hand(seen) && shows_no_box(seen)).await;
    }
    let told = driver.told().await;
    assert_eq!(told["strange"], json!([]), "{told}");
    driver.close().await;
}
