//! Names that are easily read wrongly: accents, a name that the application cut off, one letter, brackets. What is told
//! with confidence has to be right; the rest may be left open.

use std::path::{Path, PathBuf};

use surehand_checks::picture::decode;
use surehand_perceive::{OcrScope, Options, perceive};

/// From here on a name counts as read.
const SURE: f64 = 0.6;

struct Shot {
    file: &'static str,
    /// From top to bottom.
    names: &'static [&'static str],
    /// Names that nobody could read off this picture with an English model.
    open: &'static [&'static str],
    at_least: usize,
}

const SHOTS: &[Shot] = &[
    Shot {
        file: "default_1.png",
        names: &["Ill", "Loop 120", "Closed Hat Left Channel Two", "kick", "Vox", "Bässe"],
        open: &["Closed Hat Left Channel Two", "Bässe"],
        at_least: 3,
    },
    Shot {
        file: "classic_125.png",
        names: &["B", "Kick 2", "Bässe", "Zap!", "HH (open)", "kick", "Ride Bell", "Triangle"],
        open: &["Bässe"],
        at_least: 6,
    },
    Shot {
        file: "default_15.png", names: &["808", "Rim", "Tom Hi", "Conga", "Böngo"], open: &["Böngo"], at_least: 4
    },
    Shot {
        file: "accents.png",
        names: &["Vinyl", "C", "Piano", "Glöckchen", "Lead/Pad", "Noise 7", "909", "Caïsse", "Wood Block"],
        open: &["Glöckchen", "Caïsse"],
        at_least: 6,
    },
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/names")
}

#[test]
fn names_told_with_confidence_are_right() {
    let options = Options { ocr: OcrScope::Beside, ..Options::default() };
    for shot in SHOTS {
        let pixels = decode(&std::fs::read(folder().join(shot.file)).unwrap()).unwrap();
        let ui = perceive(&pixels, &options);
        if ui.notes.iter().any(|note| note.contains("not installed")) {
            return;
        }
        let rows: Vec<_> = ui.rows.iter().filter(|row| row.cells.len() >= 8).collect();
        assert_eq!(rows.len(), shot.names.len(), "{}", shot.file);
        let mut sure = 0;
        for (name, row) in shot.names.iter().zip(rows).filter(|(_, row)| row.label_conf >= SURE) {
            assert_eq!(row.label.as_deref(), Some(*name), "{}", shot.file);
            assert!(!shot.open.contains(name), "{}: {name} cannot be read", shot.file);
            sure += 1;
        }
        assert!(sure >= shot.at_least, "{}: only {sure} names are sure", shot.file);
    }
}
