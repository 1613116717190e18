//! Prints what is read off one picture, a line per row, and writes an annotated copy if a second path is given.

use anyhow::{Context, Result};
use surehand_checks::picture::{decode, encode_png};
use surehand_perceive::{OcrScope, Options, annotate, perceive};
use surehand_types::ui::OnOff;

fn main() -> Result<()> {
    let path = std::env::args().nth(1).context("a picture")?;
    let pixels = decode(&std::fs::read(path)?)?;
    let ui = perceive(&pixels, &Options { ocr: OcrScope::Beside, ..Options::default() });
    for grid in &ui.grids {
        println!("grid {}x{} pitch {:.2?} at {:?} conf {:.2}", grid.rows, grid.cols, grid.pitch, grid.bbox, grid.conf);
    }
    for row in &ui.rows {
        let sign = |state| match state {
            OnOff::On => '#',
            OnOff::Off => '.',
            OnOff::Unknown => '?',
        };
        let cells: String = row.cells.iter().map(|cell| sign(cell.state)).collect();
        println!(
            "{:?} complete {:?} enabled {:?} {cells} {:?} {:.2}",
            row.bbox, row.complete, row.enabled, row.label, row.label_conf
        );
    }
    for toggle in &ui.toggles {
        println!("toggle {:?} {:?} {:?} {:.2}", toggle.bbox, toggle.state, toggle.label, toggle.conf);
    }
    for field in &ui.fields {
        println!("field {:?} {:?} {:?}", field.bbox, field.label, field.value);
    }
    for note in &ui.notes {
        println!("note {note}");
    }
    if let Some(target) = std::env::args().nth(2) {
        std::fs::write(target, encode_png(&annotate(&pixels, &ui))?)?;
    }
    Ok(())
}
