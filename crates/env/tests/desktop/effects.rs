//! What is said of an action: done, dead, or not to be told.

use std::time::Duration;

use serde_json::json;
use surehand_env::Environment;
use surehand_types::EffectStatus::{Confirmed, NoEffect, Unverifiable};

use crate::painter::{Painter, Part, rectangle};
use crate::support::{Driver, TestDisplay};

async fn stage(parts: &[Part]) -> (TestDisplay, Painter, Driver) {
    let display = TestDisplay::start();
    let painter = Painter::start(&display.name, parts);
    let driver = Driver::start(&display.options()).await;
    (display, painter, driver)
}

#[tokio::test]
async fn a_live_click_is_confirmed_and_a_dead_one_is_not() {
    let (_display, _painter, mut driver) = stage(&[
        Part::Toggle(rectangle(100, 100, 12, 12)),
        Part::Remote(rectangle(300, 100, 40, 20), rectangle(800, 600, 40, 40)),
    ])
    .await;
    let live = driver.click(105, 105).await;
    live.expect(Confirmed);
    assert!(live.has_evidence("pixels"), "{:?}", live.effect);
    assert_eq!(live.aim.hit.unwrap().descriptor, "window \"Painter\"");
    driver.click(105, 105).await.expect(Confirmed);
    driver.click(600, 300).await.expect(NoEffect);
    // What changed is elsewhere: it takes a while to see that it is no clock.
    driver.click(310, 110).await.expect(Confirmed);
    driver.press("x").await.expect(NoEffect);
    driver.env.close().await;
}

#[tokio::test]
async fn a_hovers_paint_is_no_effect_of_the_press() {
    let (_display, _painter, mut driver) = stage(&[Part::Hover(rectangle(400, 300, 60, 30))]).await;
    driver.click(410, 310).await.expect(NoEffect);
    let away = driver.call(json!({"tool": "mouse", "action": "move", "coordinate": driver.grid(50, 50)})).await;
    assert_eq!(away.effect, None);
    let over = driver.call(json!({"tool": "mouse", "action": "move", "coordinate": driver.grid(420, 310)})).await;
    over.expect(Confirmed);
    assert!(over.has_evidence("hover"), "{:?}", over.effect);
    driver.env.close().await;
}

#[tokio::test]
async fn what_moves_by_itself_is_not_counted() {
    for pace in [40, 700] {
        let (_display, _painter, mut driver) = stage(&[
            Part::Ticking(rectangle(800, 100, 50, 30), Duration::from_millis(pace)),
            Part::Toggle(rectangle(100, 100, 12, 12)),
        ])
        .await;
        driver.click(400, 500).await.expect(NoEffect);
        driver.click(106, 106).await.expect(Confirmed);
        driver.click(820, 115).await.expect(Unverifiable);
        driver.click(106, 106).await.expect(Confirmed);
        driver.press("x").await.expect(Unverifiable);
        driver.env.close().await;
    }
}

#[tokio::test]
async fn a_title_that_counts_by_itself_is_no_sign() {
    let (_display, _painter, mut driver) = stage(&[Part::Title(Duration::from_millis(150))]).await;
    driver.call(json!({"tool": "wait", "seconds": 0.2})).await;
    for _ in 0..6 {
        // Known after one change was seen while nobody acted, which the next call may or may not begin with.
        if driver.click(400, 500).await.status() == NoEffect {
            break;
        }
    }
    for _ in 0..2 {
        driver.click(400, 300).await.expect(NoEffect);
    }
    driver.env.close().await;
}
