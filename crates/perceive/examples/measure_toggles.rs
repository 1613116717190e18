//! Reads labelled pictures of forms and prints how many switches were told right, wrong, or left unknown.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use serde::Deserialize;
use surehand_checks::picture::decode;
use surehand_perceive::{OcrScope, Options, perceive};
use surehand_types::ui::{OnOff, PixelBox};

#[derive(Deserialize)]
struct Shot {
    #[serde(default)]
    toggles: Vec<TrueToggle>,
}

#[derive(Deserialize)]
struct TrueToggle {
    label: String,
    state: String,
    kind: String,
    #[serde(rename = "box")]
    bounds: [f64; 4],
}

fn main() -> Result<()> {
    let (mut right, mut wrong, mut unknown, mut missed, mut stray) = (0, 0, 0, 0, 0);
    let (mut labels_right, mut labels_wrong) = (0, 0);
    for folder in std::env::args().skip(1) {
        let folder = Path::new(&folder);
        let shots: BTreeMap<String, Shot> = serde_json::from_str(&std::fs::read_to_string(folder.join("truth.json"))?)?;
        for (name, shot) in &shots {
            let Ok(bytes) = std::fs::read(folder.join(name)) else { continue };
            let ui = perceive(&decode(&bytes)?, &Options { ocr: OcrScope::Beside, ..Options::default() });
            let mut used = vec![false; ui.toggles.len()];
            let mut line = String::new();
            for truth in &shot.toggles {
                let Some(index) = ui.toggles.iter().position(|toggle| overlaps(toggle.bbox, truth.bounds)) else {
                    missed += 1;
                    continue;
                };
                used[index] = true;
                let read = &ui.toggles[index];
                let state = match read.state {
                    OnOff::On => "on",
                    OnOff::Off => "off",
                    OnOff::Unknown => "unknown",
                };
                if state == "unknown" {
                    unknown += 1;
                } else if state == truth.state {
                    right += 1;
                } else {
                    wrong += 1;
                    line += &format!(" WRONG {state} for {} {:?}", truth.kind, truth.label);
                }
                match &read.label {
                    Some(label) if *label == truth.label => labels_right += 1,
                    Some(label) => {
                        line += &format!(" [{label:?} for {:?}]", truth.label);
                        labels_wrong += 1;
                    }
                    None => {}
                }
            }
            for (toggle, used) in ui.toggles.iter().zip(used) {
                if !used && toggle.state != OnOff::Unknown {
                    stray += 1;
                    line += &format!(" stray {:?} at {:?} {:?}", toggle.state, toggle.bbox, toggle.label);
                }
            }
            println!("{name}:{line}");
        }
    }
    println!("right {right} wrong {wrong} unknown {unknown} missed {missed} stray {stray}");
    println!("labels right {labels_right} wrong {labels_wrong}");
    Ok(())
}

fn overlaps(read: PixelBox, truth: [f64; 4]) -> bool {
    let [x0, y0, x1, y1] = read.map(f64::from);
    let (x, y) = ((x0 + x1) / 2.0, (y0 + y1) / 2.0);
    x >= truth[0] - 2.0 && x <= truth[2] + 2.0 && y >= truth[1] - 2.0 && y <= truth[3] + 2.0
}
