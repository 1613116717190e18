//! Reads every labelled picture of the given folders (`truth.json` beside them) and prints how many
//! frames, rows, cells, labels and mutes were read right, left unknown, or read wrong, and how long it took.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Deserialize;
use surehand_checks::picture::decode;
use surehand_perceive::{Options, perceive};
use surehand_types::ui::{OnOff, UiRow, UiState};

/// What the referee asks of a label before it picks a row by it.
const LABEL_FLOOR: f64 = 0.6;

#[derive(Deserialize)]
struct Shot {
    rows: Vec<TrueRow>,
}

#[derive(Deserialize)]
struct TrueRow {
    name: String,
    steps: u32,
    active: Vec<u32>,
    #[serde(default)]
    muted: bool,
    #[serde(default = "yes")]
    visible: bool,
}

fn yes() -> bool {
    true
}

#[derive(Default, Debug)]
struct Tally {
    frames: usize,
    /// Every row is in view.
    clear: usize,
    clear_exact: usize,
    visible_rows: usize,
    visible_rows_exact: usize,
    cells_right: usize,
    cells_unknown: usize,
    cells_wrong: usize,
    /// Cells claimed in rows that are no row of the truth.
    stray: usize,
    /// Cells claimed in rows that are partly covered.
    hidden_claimed: usize,
    /// Labels from `LABEL_FLOOR` on; below it a label is no claim.
    labels_right: usize,
    labels_wrong: usize,
    labels_below: usize,
    labels_none: usize,
    mutes_right: usize,
    mutes_wrong: usize,
    mutes_unknown: usize,
}

fn main() -> Result<()> {
    let mut options = Options::default();
    let mut verbose = false;
    let mut folders = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "-v" => verbose = true,
            "--ocr" => options.ocr = surehand_perceive::OcrScope::Beside,
            _ => folders.push(argument),
        }
    }
    for folder in folders {
        measure(Path::new(&folder), &options, verbose)?;
    }
    Ok(())
}

fn measure(folder: &Path, options: &Options, verbose: bool) -> Result<()> {
    let text = std::fs::read_to_string(folder.join("truth.json")).context("truth.json")?;
    let shots: BTreeMap<String, Shot> = serde_json::from_str(&text)?;
    let mut tally = Tally::default();
    let mut times = Vec::new();
    for (name, shot) in &shots {
        let Ok(bytes) = std::fs::read(folder.join(name)) else { continue };
        let pixels = decode(&bytes)?;
        let started = Instant::now();
        let ui = perceive(&pixels, options);
        times.push(started.elapsed().as_secs_f64() * 1000.0);
        let line = count(shot, &ui, &mut tally);
        if verbose && !line.is_empty() {
            println!("{name}: {line}");
            for note in &ui.notes {
                println!("    {note}");
            }
        }
    }
    times.sort_by(f64::total_cmp);
    let part = |share: f64| times.get(((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1)));
    println!("{}: {tally:#?}", folder.display());
    println!("ms p50 {:.0} p95 {:.0}", part(0.5).unwrap_or(&0.0), part(0.95).unwrap_or(&0.0));
    Ok(())
}

/// Rows are paired top to bottom in the way that agrees best; a truth without a row is a gap.
fn count(shot: &Shot, ui: &UiState, tally: &mut Tally) -> String {
    let found: Vec<&UiRow> = ui.rows.iter().filter(|row| row.cells.len() >= 4).collect();
    let pairs = paired(&shot.rows, &found);
    let mut line = String::new();
    let mut exact = true;
    for (truth, row) in shot.rows.iter().zip(&pairs) {
        tally.visible_rows += usize::from(truth.visible);
        let (mut right, mut unknown, mut wrong) = (0, truth.steps, 0);
        if let Some(row) = row {
            (right, unknown, wrong) = compare(truth, row);
            match &row.label {
                Some(_) if row.label_conf < LABEL_FLOOR => tally.labels_below += 1,
                Some(label) if *label == truth.name => tally.labels_right += 1,
                Some(label) => {
                    line += &format!(" [label {label:?} {:.2} for {:?}]", row.label_conf, truth.name);
                    tally.labels_wrong += 1;
                }
                None => tally.labels_none += 1,
            }
            match row.enabled {
                OnOff::Unknown => tally.mutes_unknown += 1,
                state if (state == OnOff::Off) == truth.muted => tally.mutes_right += 1,
                _ => {
                    line += &format!(" [mute of {:?}]", truth.name);
                    tally.mutes_wrong += 1;
                }
            }
        }
        if truth.visible {
            tally.cells_right += right as usize;
            tally.cells_unknown += unknown as usize;
            tally.visible_rows_exact += usize::from(unknown + wrong == 0);
            exact &= unknown + wrong == 0;
        } else {
            tally.hidden_claimed += (right + wrong) as usize;
        }
        tally.cells_wrong += wrong as usize;
        if wrong > 0 {
            line += &format!(" WRONG {wrong} in {:?}", truth.name);
        } else if unknown > 0 && truth.visible {
            line += &format!(" unknown {unknown} in {:?}", truth.name);
        }
    }
    for row in &found {
        let claimed = row.cells.iter().filter(|cell| cell.state != OnOff::Unknown).count();
        if claimed > 0 && !pairs.iter().flatten().any(|pair| std::ptr::eq(*pair, *row)) {
            tally.stray += claimed;
            line += &format!(" stray row at {:?}", row.bbox);
        }
    }
    tally.frames += 1;
    if shot.rows.iter().all(|row| row.visible) {
        tally.clear += 1;
        tally.clear_exact += usize::from(exact);
    }
    line
}

/// Right, unknown, wrong. A claimed cell of a row with another count is wrong unless its index holds.
fn compare(truth: &TrueRow, row: &UiRow) -> (u32, u32, u32) {
    let (mut right, mut wrong) = (0, 0);
    let claims_count = row.complete == OnOff::On && row.cells.iter().any(|cell| cell.state != OnOff::Unknown);
    for cell in row.cells.iter().filter(|cell| cell.state != OnOff::Unknown) {
        let on = truth.active.contains(&cell.index);
        if cell.index <= truth.steps && (cell.state == OnOff::On) == on {
            right += 1;
        } else {
            wrong += 1;
        }
    }
    if claims_count && row.cells.len() as u32 != truth.steps {
        wrong += 1;
    }
    (right, truth.steps.saturating_sub(right + wrong), wrong)
}

fn paired<'a>(truth: &[TrueRow], found: &[&'a UiRow]) -> Vec<Option<&'a UiRow>> {
    let gain = |truth: &TrueRow, row: &UiRow| {
        let (right, _, wrong) = compare(truth, row);
        let label = if row.label.as_ref() == Some(&truth.name) { 40.0 } else { 0.0 };
        let count = if row.cells.len() as u32 == truth.steps { 3.0 } else { 0.0 };
        1.0 + label + count + f64::from(right) - 2.0 * f64::from(wrong)
    };
    let (rows, columns) = (truth.len(), found.len());
    let mut best = vec![vec![0.0f64; columns + 1]; rows + 1];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            best[i][j] = (gain(&truth[i], found[j]) + best[i + 1][j + 1]).max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = vec![None; rows];
    while i < rows && j < columns {
        if (best[i][j] - gain(&truth[i], found[j]) - best[i + 1][j + 1]).abs() < 1e-9 {
            pairs[i] = Some(found[j]);
            (i, j) = (i + 1, j + 1);
        } else if (best[i][j] - best[i + 1][j]).abs() < 1e-9 {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}
