//! What the referee bench found: how well grids are read and how fast, and the verdicts of every arm beside the truth.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use surehand_perceive::{OcrScope, Options, perceive};
use surehand_referee::exact_interval;
use surehand_types::UiState;
use surehand_types::result::FinalVerdict;
use surehand_types::ui::{OnOff, UiRow};

use super::frames::{LabelledFrame, LabelledRow};
use super::judges::JUDGES;
use super::{Arm, Judged, verdict};
use crate::statistics::Times;
use crate::table::Table;

/// Milliseconds that a frame may take to be read, without and with its labels.
const GOALS_MS: [f64; 2] = [150.0, 400.0];
const EXACT_GOAL: f64 = 0.98;
const UNCERTAIN_GOAL: f64 = 0.15;

#[derive(Debug, Default, Serialize)]
pub(crate) struct RefereeReport {
    pub(super) reading: Reading,
    sets: Vec<Set>,
}

/// Perception beside the labels, by cells.
#[derive(Debug, Default, Serialize)]
pub(super) struct Reading {
    frames: usize,
    /// Frames whose rows can all be seen, and those of them that were read without a gap or an error.
    whole_frames: usize,
    exact_frames: usize,
    cells: usize,
    read: usize,
    /// Reported as certain and not so.
    wrong: Vec<String>,
    plain_ms: Vec<f64>,
    with_labels_ms: Vec<f64>,
}

#[derive(Debug, Serialize)]
struct Set {
    name: &'static str,
    arms: Vec<ArmCounts>,
    /// What the contract alone made of each kind of case.
    kinds: BTreeMap<&'static str, KindCounts>,
}

#[derive(Debug, Default, Serialize)]
struct KindCounts {
    cases: u64,
    passed: u64,
    failed: u64,
    uncertain: u64,
}

#[derive(Debug, Serialize)]
struct ArmCounts {
    arm: String,
    decides: bool,
    right: u64,
    wrong: u64,
    false_passes: u64,
    false_fails: u64,
    /// Of the cases in which everything can be seen.
    clean: u64,
    clean_uncertain: u64,
    uncertain: u64,
    named: Vec<String>,
}

impl Reading {
    pub(super) fn add(&mut self, frame: &LabelledFrame) -> Result<()> {
        let started = Instant::now();
        perceive(&frame.pixels, &Options { ocr: OcrScope::Off, ..Options::default() });
        self.plain_ms.push(started.elapsed().as_secs_f64() * 1000.0);
        let started = Instant::now();
        let state = perceive(&frame.pixels, &Options { ocr: OcrScope::Beside, ..Options::default() });
        self.with_labels_ms.push(started.elapsed().as_secs_f64() * 1000.0);
        self.frames += 1;
        let whole = frame.rows.iter().all(|row| row.visible);
        let mut exact = whole;
        let labelled: Vec<&LabelledRow> = frame.rows.iter().filter(|row| row.visible).collect();
        for (place, row) in labelled.iter().enumerate() {
            self.cells += row.steps as usize;
            let Some(seen) = matching(&state, &labelled, place) else {
                exact = false;
                continue;
            };
            for cell in &seen.cells {
                let is_on = row.active.contains(&cell.index);
                match cell.state {
                    OnOff::Unknown => exact = false,
                    state if state == OnOff::of(is_on) => self.read += 1,
                    _ => {
                        exact = false;
                        self.wrong.push(format!("{} {} step {}", frame.name, row.name, cell.index));
                    }
                }
            }
        }
        self.whole_frames += usize::from(whole);
        self.exact_frames += usize::from(exact);
        Ok(())
    }
}

/// From top to bottom where as many rows of that length were seen as are labelled; by name elsewhere, since a row that
/// was not seen would shift all others.
fn matching<'a>(state: &'a UiState, labelled: &[&LabelledRow], place: usize) -> Option<&'a UiRow> {
    let steps = labelled[place].steps;
    let alike: Vec<&UiRow> = state.rows.iter().filter(|seen| seen.cells.len() == steps as usize).collect();
    let before = labelled[..place].iter().filter(|row| row.steps == steps).count();
    if alike.len() == labelled.iter().filter(|row| row.steps == steps).count() {
        return alike.get(before).copied();
    }
    alike.into_iter().find(|seen| seen.label.as_deref() == Some(labelled[place].name.as_str()))
}

impl RefereeReport {
    pub(super) fn count(&mut self, name: &'static str, judged: &[Judged]) {
        let mut arms = vec![counts("contract alone", true, judged, Arm::Contract)];
        for (index, judge) in JUDGES.iter().enumerate() {
            arms.push(counts(&format!("judge alone, {}", judge.name), false, judged, Arm::Judge(index)));
        }
        for (index, judge) in JUDGES.iter().enumerate() {
            arms.push(counts(&format!("both, judge {}", judge.name), true, judged, Arm::Fused(index)));
        }
        let mut kinds: BTreeMap<&'static str, KindCounts> = BTreeMap::new();
        for one in judged {
            let counts = kinds.entry(one.case.kind).or_default();
            counts.cases += 1;
            match verdict(one, Arm::Contract) {
                FinalVerdict::Pass => counts.passed += 1,
                FinalVerdict::Fail => counts.failed += 1,
                FinalVerdict::Uncertain | FinalVerdict::Unjudged => counts.uncertain += 1,
            }
        }
        self.sets.push(Set { name, arms, kinds });
    }

    /// Nothing that the referee decides is a false pass, and no cell was read wrongly.
    pub(crate) fn holds(&self) -> bool {
        let passes = self.sets.iter().flat_map(|set| &set.arms).all(|arm| !arm.decides || arm.false_passes == 0);
        passes && self.reading.wrong.is_empty()
    }
}

fn counts(name: &str, decides: bool, judged: &[Judged], arm: Arm) -> ArmCounts {
    let mut counts = ArmCounts {
        arm: name.to_string(),
        decides,
        right: 0,
        wrong: 0,
        false_passes: 0,
        false_fails: 0,
        clean: 0,
        clean_uncertain: 0,
        uncertain: 0,
        named: Vec::new(),
    };
    for one in judged {
        let said = verdict(one, arm);
        let open = matches!(said, FinalVerdict::Uncertain | FinalVerdict::Unjudged);
        counts.right += u64::from(one.case.right);
        counts.wrong += u64::from(!one.case.right);
        counts.uncertain += u64::from(open);
        counts.clean += u64::from(one.case.clean);
        counts.clean_uncertain += u64::from(one.case.clean && open);
        match (said, one.case.right) {
            (FinalVerdict::Pass, false) => {
                counts.false_passes += 1;
                if decides {
                    counts.named.push(format!("FALSE PASS: {}", one.case.id));
                }
            }
            (FinalVerdict::Fail, true) => {
                counts.false_fails += 1;
                if decides {
                    counts.named.push(format!("false fail: {}", one.case.id));
                }
            }
            _ => {}
        }
    }
    counts
}

impl fmt::Display for RefereeReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reading = &self.reading;
        writeln!(formatter, "Referee: grids read off screenshots")?;
        let share = reading.exact_frames as f64 / reading.whole_frames.max(1) as f64;
        writeln!(
            formatter,
            "frames {}, with every row in view {}, of those exact {} ({:.1} %, goal {:.0} %); cells read {} of {}, wrong {} (goal 0)",
            reading.frames,
            reading.whole_frames,
            reading.exact_frames,
            share * 100.0,
            EXACT_GOAL * 100.0,
            reading.read,
            reading.cells,
            reading.wrong.len()
        )?;
        for wrong in reading.wrong.iter().take(10) {
            writeln!(formatter, "  wrong: {wrong}")?;
        }
        for (name, samples, goal) in
            [("without texts", &reading.plain_ms, GOALS_MS[0]), ("with labels", &reading.with_labels_ms, GOALS_MS[1])]
        {
            if let Some(times) = Times::of(samples) {
                writeln!(
                    formatter,
                    "one frame {name}: {:.0} ms at p50, {:.0} ms at p95 (goal at 1280x720: {goal:.0} ms)",
                    times.p50_ms, times.p95_ms
                )?;
            }
        }
        for set in &self.sets {
            writeln!(formatter, "\nVerdicts on {}", set.name)?;
            let head = [
                "arm",
                "right",
                "wrong",
                "false passes",
                "at most (95 %)",
                "false fails",
                "uncertain",
                "of clean ones",
            ];
            let mut table = Table::new(&head);
            for arm in &set.arms {
                let [_, high] = exact_interval(arm.false_passes, arm.wrong);
                let clean = arm.clean_uncertain as f64 / arm.clean.max(1) as f64;
                table.row(&[
                    arm.arm.clone(),
                    arm.right.to_string(),
                    arm.wrong.to_string(),
                    arm.false_passes.to_string(),
                    format!("{:.2} %", high * 100.0),
                    arm.false_fails.to_string(),
                    arm.uncertain.to_string(),
                    format!("{:.1} %", clean * 100.0),
                ]);
            }
            write!(formatter, "{table}")?;
            let mut table = Table::new(&["contract alone, by kind", "cases", "pass", "fail", "uncertain"]);
            for (kind, counts) in &set.kinds {
                let figures = [counts.cases, counts.passed, counts.failed, counts.uncertain];
                let mut cells = vec![(*kind).to_string()];
                cells.extend(figures.map(|figure| figure.to_string()));
                table.row(&cells);
            }
            write!(formatter, "{table}")?;
            for named in set.arms.iter().take(1).flat_map(|arm| &arm.named).take(10) {
                writeln!(formatter, "  {named}")?;
            }
        }
        writeln!(
            formatter,
            "goals: no false pass where the contract has a say; at most {:.0} % of the clean cases uncertain",
            UNCERTAIN_GOAL * 100.0
        )
    }
}
