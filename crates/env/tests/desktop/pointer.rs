//! What the hand does is what applications get: places, buttons, wheels, drags, held keys.

use serde_json::json;
use surehand_env::Environment;

use crate::painter::{Painter, Saw};
use crate::support::{Driver, TestDisplay, eventually};

const SHIFT: u16 = 1;
const CONTROL: u16 = 4;

fn presses(painter: &Painter) -> Vec<(u8, i16, i16)> {
    let seen = painter.seen().into_iter();
    seen.filter_map(|saw| match saw {
        Saw::Press { button, x, y, .. } => Some((button, x, y)),
        _ => None,
    })
    .collect()
}

async fn stage() -> (TestDisplay, Painter, Driver) {
    let display = TestDisplay::start();
    let painter = Painter::start(&display.name, &[]);
    let mut options = display.options();
    // Nothing here reacts, and nobody waits to see that it does not.
    options.timing.patience = std::time::Duration::from_millis(50);
    let driver = Driver::start(&options).await;
    (display, painter, driver)
}

#[tokio::test]
async fn clicks_arrive_at_the_very_pixel() {
    let (_display, painter, mut driver) = stage().await;
    let points = [(0, 0), (1, 0), (999, 799), (500, 400), (333, 217), (998, 1)];
    for (x, y) in points {
        let outcome = driver.click(x, y).await;
        let point = outcome.aim.point.unwrap();
        assert_eq!((point.x, point.y), (x, y));
        assert_eq!((outcome.observation.cursor.x, outcome.observation.cursor.y), (x, y));
    }
    let expected: Vec<_> = points.iter().map(|(x, y)| (1, *x as i16, *y as i16)).collect();
    eventually("every click", || presses(&painter) == expected);
    driver.env.close().await;
}

#[tokio::test]
async fn every_button_and_both_wheels_arrive() {
    let (_display, painter, mut driver) = stage().await;
    let at = [400, 500];
    for button in ["left", "middle", "right"] {
        driver.call(json!({"tool": "mouse", "action": "click", "coordinate": at, "button": button})).await;
    }
    driver.call(json!({"tool": "mouse", "action": "click", "coordinate": at, "count": 3})).await;
    for direction in ["up", "down", "left", "right"] {
        driver
            .call(json!({"tool": "mouse", "action": "scroll", "coordinate": at, "direction": direction, "amount": 1}))
            .await;
    }
    // 750 of 800 pixels are ten notches of sixty and two more.
    driver.call(json!({"tool": "mouse", "action": "scroll", "coordinate": at, "amount": 900})).await;
    let mut expected = vec![1, 2, 3, 1, 1, 1, 4, 5, 6, 7];
    expected.extend([5; 12]);
    eventually("every press", || presses(&painter).iter().map(|press| press.0).collect::<Vec<_>>() == expected);
    let releases = painter.seen().iter().filter(|saw| matches!(saw, Saw::Release { .. })).count();
    assert_eq!(releases, expected.len());
    driver.env.close().await;
}

#[tokio::test]
async fn a_drag_moves_with_the_button_held() {
    let (_display, painter, mut driver) = stage().await;
    let (from, to) = ([100, 250], [700, 500]);
    let drag = json!({"tool": "mouse", "action": "drag", "start_coordinate": from, "end_coordinate": to, "steps": 8, "modifiers": ["shift"]});
    let outcome = driver.call(drag).await;
    assert_eq!(outcome.aim.from.map(|point| (point.x, point.y)), Some((100, 200)));
    eventually("the release", || painter.seen().iter().any(|saw| matches!(saw, Saw::Release { .. })));
    let seen = painter.seen();
    let press = seen.iter().position(|saw| matches!(saw, Saw::Press { .. })).unwrap();
    let release = seen.iter().position(|saw| matches!(saw, Saw::Release { .. })).unwrap();
    assert_eq!(seen[press], Saw::Press { button: 1, x: 100, y: 200, state: SHIFT });
    assert_eq!(seen[release], Saw::Release { button: 1, x: 700, y: 400 });
    let held: Vec<(i16, i16)> = seen[press..release]
        .iter()
        .filter_map(|saw| match saw {
            // The first button is bit eight of the state.
            Saw::Motion { x, y, state } if state & 0x100 != 0 => Some((*x, *y)),
            _ => None,
        })
        .collect();
    assert_eq!((held.len(), held.last()), (8, Some(&(700, 400))));
    assert!(held.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1), "{held:?}");
    driver.env.close().await;
}

#[tokio::test]
async fn held_keys_go_with_the_click_and_come_up_again() {
    let (_display, painter, mut driver) = stage().await;
    let click = json!({"tool": "mouse", "action": "click", "coordinate": [300, 300], "modifiers": ["ctrl", "shift"]});
    driver.call(click.clone()).await;
    let click = surehand_types::Call::parse(&click).unwrap().call;
    // A guard refuses: what was held for it must come up without a commit.
    driver.env.aim(&click).await.unwrap();
    driver.env.abandon().await;
    driver.click(600, 400).await;
    eventually("both clicks", || presses(&painter).len() == 2);
    let states: Vec<u16> = painter
        .seen()
        .iter()
        .filter_map(|saw| match saw {
            Saw::Press { state, .. } => Some(*state),
            _ => None,
        })
        .collect();
    assert_eq!(states, [SHIFT | CONTROL, 0]);
    driver.env.close().await;
}

#[tokio::test]
async fn two_calls_are_never_a_double_click() {
    let (_display, painter, mut driver) = stage().await;
    let start = std::time::Instant::now();
    driver.click(300, 300).await;
    driver.click(305, 300).await;
    // Toolkits take two presses within 400 ms for a double click.
    assert!(start.elapsed() > std::time::Duration::from_millis(450), "{:?}", start.elapsed());
    eventually("both clicks", || presses(&painter).len() == 2);
    driver.env.close().await;
}

#[tokio::test]
async fn the_last_look_is_taken_with_the_pointer_out_of_the_way_and_presses_nothing() {
    let (_display, painter, mut driver) = stage().await;
    driver.click(500, 400).await;
    eventually("the click", || presses(&painter).len() == 1);
    let look = surehand_env::Receipt { settle: surehand_env::SettleKind::LastLook, ..Default::default() };
    let seen = driver.env.settle(&look).await.unwrap().observation;
    // The window fills the screen, so there is no empty place: the corner that programs use least.
    assert_eq!((seen.cursor.x, seen.cursor.y), (998, 798));
    assert_eq!(presses(&painter).len(), 1);
    driver.env.close().await;
}
