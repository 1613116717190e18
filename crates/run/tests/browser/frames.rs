//! Frames before and after an action, and the copies that outsiders get: what is drawn on a copy
//! is never in the frame itself.

use std::sync::Arc;

use serde_json::json;
use surehand_checks::picture::{MASK_COLOUR, decode_png};
use surehand_run::FrameFiles;
use surehand_types::frame::{Encoding, Fence, FrameSource};
use surehand_types::{Observation, Pixels};

use crate::stage::Stage;

/// The picture as it lies in the file.
fn written(files: &mut FrameFiles, observation: &Observation) -> Pixels {
    let file = files.frame(observation).unwrap();
    let pixels = decode_png(&std::fs::read(&file.path).unwrap()).unwrap();
    assert_eq!((file.width, file.height), (pixels.width, pixels.height));
    pixels
}

/// How many pixels differ inside and outside a square of this half width around a point.
fn differences(one: &Pixels, other: &Pixels, (x, y): (i32, i32), half: i32) -> (usize, usize) {
    assert_eq!((one.width, one.height), (other.width, other.height));
    let (mut inside, mut outside) = (0, 0);
    for row in 0..one.height {
        for column in 0..one.width {
            if one.at(column, row) != other.at(column, row) {
                let near = (column as i32 - x).abs() <= half && (row as i32 - y).abs() <= half;
                *if near { &mut inside } else { &mut outside } += 1;
            }
        }
    }
    (inside, outside)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_frame_after_a_visible_change_is_another_one_and_fenced() {
    let mut stage = Stage::open().await;
    let before = stage.look().await;
    let kept = before.frame.pixels.as_ref().clone();
    let shared = Arc::clone(&before.frame.pixels);

    // The banner that covered the page goes away.
    let after = stage.click("button", "Only necessary").await.observation;
    assert_eq!(after.frame.fence, Fence::DrawnAfterCommit);
    assert!(after.frame.id > before.frame.id && after.frame.captured_at_ms >= before.frame.captured_at_ms);
    assert!(!after.frame.stale);
    assert_eq!((after.frame.source, after.frame.encoding), (FrameSource::Capture, Encoding::Png));
    assert!(before.frame.comparable_with(&after.frame));
    assert!(*after.frame.pixels != kept, "the banner is still drawn");
    assert!(*shared == kept && *before.frame.pixels == kept, "the frame before was changed");
    assert_eq!((after.frame.pixels.width, after.frame.pixels.height), (1280, 720));
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cursor_is_drawn_on_copies_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::open().await;
    stage.click("button", "Only necessary").await;
    // Two places without anything that reacts to a pointer above them.
    let first = stage.act(json!({"tool": "mouse", "action": "move", "coordinate": [600, 60]})).await.observation;
    let second = stage.act(json!({"tool": "mouse", "action": "move", "coordinate": [900, 60]})).await.observation;
    let at = |observation: &Observation| (observation.cursor.x, observation.cursor.y);
    assert_eq!((at(&first), at(&second)), ((768, 43), (1152, 43)));
    assert!(first.frame.pixels == second.frame.pixels, "something is drawn where the cursor is");

    let mut files = FrameFiles::new(folder.path()).unwrap();
    let clean = first.frame.pixels.as_ref().clone();
    for observation in [&first, &second] {
        let shown = written(&mut files, observation);
        let (inside, outside) = differences(&clean, &shown, at(observation), 40);
        assert!(inside > 100, "no cursor at {:?}: {inside} pixels differ", at(observation));
        assert_eq!(outside, 0);
        assert!(*observation.frame.pixels == clean, "the frame itself was drawn on");
    }
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_covered_on_copies_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::open().await;
    stage.click("button", "Only necessary").await;
    stage.click("textbox", "Password").await;
    let seen = stage.type_text("harbor-lights-42").await.observation;
    assert_eq!(seen.masks.len(), 1, "{:?}", seen.masks);
    let mask = seen.masks[0];
    let centre = (((mask.x0 + mask.x1) / 2.0) as u32, ((mask.y0 + mask.y1) / 2.0) as u32);
    let clean = seen.frame.pixels.as_ref().clone();
    let mut files = FrameFiles::new(folder.path()).unwrap();
    // The pointer would be in the way of the mask.
    let mut aside = seen.clone();
    aside.cursor = surehand_types::ViewPoint { x: 5, y: 5 };
    assert_eq!(written(&mut files, &aside).at(centre.0, centre.1), Some(MASK_COLOUR));
    assert_ne!(clean.at(centre.0, centre.1), Some(MASK_COLOUR));
    assert!(*seen.frame.pixels == clean);
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unchanged_observation_needs_no_second_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::open().await;
    let seen = stage.look().await;
    let mut files = FrameFiles::new(folder.path()).unwrap();
    let (first, again) = (files.frame(&seen).unwrap(), files.frame(&seen).unwrap());
    assert_eq!(first, again);
    let mut moved = seen.clone();
    moved.cursor.x += 50;
    assert_ne!(files.frame(&moved).unwrap().sha256, first.sha256);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    stage.close().await;
}
