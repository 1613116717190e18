//! The hand on the live page, for a person who watches: there between two calls, never in a frame,
//! one element that the page can see and nothing else, whatever the page's policy is.

use std::time::Duration;

use serde_json::{Value, json};
use surehand_env::browser::{AttachOptions, BrowserEnv, BrowserOptions};
use surehand_env::{Environment, WatcherBox};
use surehand_types::{Observation, ViewBox};

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

fn count(observation: &Observation, is_it: impl Fn([u8; 3]) -> bool) -> usize {
    let rgb = &observation.frame.pixels.rgb;
    rgb.chunks_exact(3).filter(|pixel| is_it([pixel[0], pixel[1], pixel[2]])).count()
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
        assert_eq!(count(&clicked.observation, |pixel| pixel != GREEN), 0, "the hand is in frame {number}");
        driver.env.show_watcher(&boxes()).await;
        let looked = driver.look().await;
        assert_eq!(count(&looked, |pixel| pixel != GREEN), 0, "the hand or its boxes are in frame {number}");
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

/// What somebody else who looks at the same page sees, as soon as it is so.
async fn seen_by(other: &mut BrowserEnv, what: &str, is_so: impl Fn(&Observation) -> bool) {
    let end = tokio::time::Instant::now() + Duration::from_secs(5);
    loop {
        let observation = other.observe().await.unwrap();
        if is_so(&observation) {
            return;
        }
        assert!(tokio::time::Instant::now() < end, "never seen: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_sees_the_hand_and_the_boxes_until_the_next_call() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let flags = vec![format!("--remote-debugging-port={port}")];
    let page = PAGE.replace("POLICY", "");
    let mut driver =
        Driver::open_with(&[("/", page.as_str())], BrowserOptions { extra_flags: flags, ..options() }).await;
    let attach = AttachOptions { url: format!("http://127.0.0.1:{port}"), target: None, viewport: None };

    driver.call(json!({"tool": "mouse", "coordinate": [500, 500]})).await;
    driver.env.show_watcher(&boxes()).await;
    let mut other = BrowserEnv::attach(&attach, &BrowserOptions::default()).await.unwrap();
    let has_hand = |seen: &Observation| {
        let pixels = &seen.frame.pixels;
        let (x, y) = (pixels.width / 2, pixels.height / 2);
        pixels.at(x, y).is_some_and(|[red, green, blue]| red > 200 && green < 60 && blue < 60)
    };
    let has_boxes =
        |seen: &Observation| count(seen, |pixel| pixel == YELLOW) > 200 && count(seen, |pixel| pixel == ORANGE) > 60;
    seen_by(&mut other, "the hand in the middle", has_hand).await;
    driver.env.show_watcher(&boxes()).await;
    seen_by(&mut other, "the boxes", |seen| has_hand(seen) && has_boxes(seen)).await;
    for call in [json!({"tool": "mouse", "coordinate": [500, 500]}), json!({"tool": "wait", "seconds": 0})] {
        driver.env.show_watcher(&boxes()).await;
        seen_by(&mut other, "the boxes", has_boxes).await;
        driver.call(call.clone()).await;
        let is_gone = |seen: &Observation| count(seen, |pixel| pixel == YELLOW || pixel == ORANGE) == 0;
        seen_by(&mut other, &format!("the boxes gone after {call}"), |seen| is_gone(seen) && has_hand(seen)).await;
    }
    let told: Value = driver.told().await;
    assert_eq!(told["strange"], json!([]), "{told}");
    other.close().await;
    driver.close().await;
}
