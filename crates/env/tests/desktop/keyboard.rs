//! Keys and chords as an application without any toolkit gets them.

use surehand_env::Environment;

use crate::painter::{Painter, Saw};
use crate::support::{Driver, TestDisplay, eventually};

/// Keycodes of the layout that every X server starts with.
const CONTROL: u8 = 37;
const SHIFT: u8 = 50;
const S: u8 = 39;
const F5: u8 = 71;

fn keys(painter: &Painter) -> Vec<(u8, u16)> {
    let seen = painter.seen().into_iter();
    seen.filter_map(|saw| match saw {
        Saw::KeyPress { keycode, state } => Some((keycode, state)),
        _ => None,
    })
    .collect()
}

#[tokio::test]
async fn chords_hold_their_modifiers_and_nothing_stays_down() {
    let display = TestDisplay::start();
    let painter = Painter::start(&display.name, &[]);
    let mut options = display.options();
    options.timing.patience = std::time::Duration::from_millis(50);
    let mut driver = Driver::start(&options).await;
    for (key, expected) in [
        ("ctrl+shift+s", vec![(CONTROL, 0), (SHIFT, 4), (S, 5)]),
        ("ctrl+S", vec![(CONTROL, 0), (S, 4)]),
        ("F5", vec![(F5, 0)]),
        ("S", vec![(SHIFT, 0), (S, 1)]),
    ] {
        painter.forget();
        driver.press(key).await;
        eventually(key, || keys(&painter) == expected);
        let up = || painter.seen().iter().filter(|saw| matches!(saw, Saw::KeyRelease { .. })).count();
        eventually("every key to come up", || up() == expected.len());
    }
    painter.forget();
    let outcome = driver.type_text("aA\u{7}ß漢ß").await;
    assert!(outcome.message.starts_with("typed 6 characters"), "{}", outcome.message);
    // ß and 漢 are on no key of the layout: two were lent, and the second ß came from the same one.
    eventually("every key", || keys(&painter).len() == 6);
    let codes: Vec<u8> = keys(&painter).iter().map(|(keycode, _)| *keycode).collect();
    assert_eq!((codes[..3].to_vec(), codes[3] == codes[5], codes[3] == codes[4]), (vec![38, SHIFT, 38], true, false));
    driver.env.close().await;
}
