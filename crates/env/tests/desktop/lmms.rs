//! A real step sequencer: steps are toggled by clicking, and the file that it saves is the truth.

use std::path::Path;
use surehand_types::call::TargetQuery;

use serde_json::json;
use surehand_env::Environment;
use surehand_env::desktop::{DesktopOptions, DesktopSpec};
use surehand_types::EffectStatus::{Confirmed, NoEffect};

use crate::support::{Driver, eventually};

const SETTINGS: &str = include_str!("lmms/settings.xml");
const PROJECT: &str = include_str!("lmms/project.mmp");

/// A home in which LMMS asks nothing.
fn home(folder: &Path) -> String {
    let work = folder.join("work");
    for below in ["projects", "presets", "samples/gig", "samples/soundfonts", "plugins/ladspa", "plugins/vst"] {
        std::fs::create_dir_all(work.join(below)).unwrap();
    }
    let settings = SETTINGS.replace("WORK", &format!("{}/", work.display()));
    std::fs::write(folder.join(".lmmsrc.xml"), settings).unwrap();
    std::fs::write(folder.join("song.mmp"), PROJECT).unwrap();
    let root = if rustix::process::geteuid().is_root() { "--allowroot " } else { "" };
    let folder = folder.display();
    format!("HOME={folder} exec lmms {root}--geometry 1280x690+0+0 {folder}/song.mmp")
}

/// The steps that are on in the saved file, in order.
fn steps(file: &Path) -> Vec<u32> {
    let text = std::fs::read_to_string(file).unwrap();
    let notes = text.split("<note ").skip(1);
    let mut steps: Vec<u32> = notes
        .filter_map(|note| {
            let place = note.split("pos=\"").nth(1)?.split('"').next()?;
            place.parse::<u32>().ok().map(|place| place / 12)
        })
        .collect();
    steps.sort_unstable();
    steps
}

/// Where the one step is that is lit in the project, found by its colour: fonts and frames move it. Digits and
/// lamps are green too, but none is as wide.
fn lit_step(seen: &surehand_types::Observation) -> (i32, i32) {
    let pixels = &seen.frame.pixels;
    let lit = |x: u32, y: u32| {
        let [red, green, blue] = pixels.at(x, y).unwrap_or_default();
        red < 150 && green > 150 && blue.abs_diff(green) < 20
    };
    let starts = (0..pixels.height).flat_map(|y| (0..pixels.width).map(move |x| (x, y)));
    let (left, top) = starts.into_iter().find(|(x, y)| (0..16).all(|more| lit(x + more, *y))).unwrap();
    let right = (left..).take_while(|x| lit(*x, top)).count() as i32;
    let height = (top..).take_while(|y| lit(left, *y)).count() as i32;
    (left as i32 + right / 2, top as i32 + height / 2)
}

/// Distance between two steps in the editor's size that the project asks for.
const STEP: i32 = 27;

#[tokio::test]
async fn steps_are_toggled_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let spec = DesktopSpec::parse("xvfb:1280x720").unwrap();
    let options = DesktopOptions { app: Some(home(folder.path())), ..DesktopOptions::new(spec) };
    let mut driver = Driver::start(&options).await;
    let file = folder.path().join("song.mmp");
    assert_eq!(steps(&file), [0]);
    let seen = driver.env.observe().await.unwrap();
    let (x, y) = lit_step(&seen);
    assert_eq!(seen.title.as_deref(), Some("song - LMMS 1.2.2"));

    for step in [4, 8, 12] {
        let clicked = driver.click(x + STEP * step, y).await;
        clicked.expect(Confirmed);
        assert!(clicked.has_evidence("pixels"), "{:?}", clicked.effect);
    }
    driver.click(x + STEP * 8, y).await.expect(Confirmed);
    // The empty part of the editor below the track.
    driver.click(x + STEP * 4, y + 150).await;
    driver.click(x + STEP * 5, y + 150).await.expect(NoEffect);
    driver.press("ctrl+s").await.expect(Confirmed);
    eventually("the song to be saved", || steps(&file) == [0, 4, 12]);

    // While it plays, a meter and a clock move; a step is still a step, and nothing is still nothing.
    driver.press("space").await.expect(Confirmed);
    driver.click(x + STEP * 2, y).await.expect(Confirmed);
    driver.click(x + STEP * 5, y + 150).await.expect(NoEffect);
    driver.press("space").await.expect(Confirmed);
    driver
        .call(json!({"tool": "mouse", "action": "scroll", "coordinate": driver.grid(x, y), "amount": 10}))
        .await
        .expect(Confirmed);
    // Menus answer by name: the bar to whoever asks what lies there, its entries by taking the focus.
    let targets = driver.env.named_targets(&TargetQuery::default()).await.unwrap();
    let menu = targets.iter().find(|target| target.name == "File").unwrap().bounds.centre();
    let opened = driver.call(json!({"tool": "mouse", "action": "click", "coordinate": [menu.x, menu.y]})).await;
    assert!(opened.has_evidence("popup_opened"), "{:?}", opened.effect);
    assert_eq!(opened.aim.deed.unwrap().descriptor, "menuitem \"File\"");
    let below = json!({"tool": "mouse", "action": "move", "coordinate": [menu.x, menu.y + 30]});
    assert_eq!(driver.call(below).await.aim.deed.unwrap().descriptor, "menuitem \"New\"");
    driver.press("escape").await.expect(Confirmed);
    driver.press("ctrl+s").await;
    eventually("the song to be saved again", || steps(&file) == [0, 2, 4, 12]);
    driver.env.close().await;
}
