//! What the fault bench found: three matrices, the goals, errors by kind and by noise, every wrong case.

use std::fmt;

use serde::Serialize;
use surehand_sites::fault::{Fate, KINDS, NOISES};

use super::matrix::{Matrix, Share};
use super::trial::{Outcome, Said};
use crate::table::Table;

#[derive(Debug, Serialize)]
pub(crate) struct VerifyReport {
    pub(super) judges: Vec<Judge>,
    pub(super) goals: Vec<Goal>,
    pub(super) kinds: Vec<Group>,
    pub(super) noises: Vec<Group>,
    /// Cases that were not what they claim to be, by their run.
    pub(super) unsound: Vec<u64>,
    pub(super) outcomes: Vec<Outcome>,
}

/// One way to judge a click.
#[derive(Debug, Serialize)]
pub(super) struct Judge {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// `None` where it was not asked.
    pub(super) matrix: Option<Matrix>,
}

#[derive(Debug, Serialize)]
pub(super) struct Goal {
    pub(super) words: &'static str,
    pub(super) measured: Option<Share>,
    /// `None` where nothing was measured.
    pub(super) met: Option<bool>,
}

/// All clicks of one kind or beside one noise: how many our judgement got wrong, and the others.
#[derive(Debug, Serialize)]
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) fate: Option<Fate>,
    pub(super) clicks: usize,
    /// The opposite of the truth.
    pub(super) wrong: usize,
    pub(super) unverifiable: usize,
    pub(super) other: usize,
    pub(super) hash_wrong: usize,
    pub(super) probe_wrong: Option<usize>,
}

impl VerifyReport {
    pub(super) fn of(outcomes: Vec<Outcome>) -> VerifyReport {
        let matrix_of = |said: fn(&Outcome) -> Said| {
            Matrix::of(outcomes.iter().map(|outcome| (outcome.case.kind.fate, said(outcome))))
        };
        let ours = matrix_of(|outcome| outcome.ours);
        let asked = outcomes.iter().filter_map(|outcome| Some((outcome.case.kind.fate, outcome.probe?)));
        let probe = outcomes.iter().any(|outcome| outcome.probe.is_some()).then(|| Matrix::of(asked));
        let kinds = KINDS
            .iter()
            .map(|kind| Group::of(kind.name, kind.about, Some(kind.fate), &outcomes, |outcome| outcome.case.kind.name));
        let noises = NOISES.iter().map(|noise| Group::of(noise, "", None, &outcomes, |outcome| outcome.case.noise));
        let judges = vec![
            Judge { name: "ours", about: "Surehand's effect", matrix: Some(ours) },
            Judge {
                name: "hash only",
                about: "the hash of the frame or of its part around the click differs",
                matrix: Some(matrix_of(|outcome| outcome.hash)),
            },
            Judge { name: "probe only", about: "any change of the page's tree since the click", matrix: probe },
        ];
        VerifyReport {
            judges,
            goals: goals(&ours),
            kinds: kinds.filter(|group| group.clicks > 0).collect(),
            noises: noises.filter(|group| group.clicks > 0).collect(),
            unsound: outcomes.iter().filter(|outcome| !outcome.is_sound()).map(|outcome| outcome.run).collect(),
            outcomes,
        }
    }

    /// Everything that our judgement did not get right, sorted by kind.
    pub(super) fn wrong(&self) -> Vec<&Outcome> {
        let mut wrong: Vec<&Outcome> = self.outcomes.iter().filter(|outcome| outcome.is_wrong()).collect();
        wrong.sort_by_key(|outcome| (outcome.case.kind.fate == Fate::Live, outcome.case.kind.name, outcome.run));
        wrong
    }
}

fn goals(ours: &Matrix) -> Vec<Goal> {
    let goal = |words, fate, said, holds: fn(f64) -> bool| {
        let measured = ours.share(fate, said);
        Goal { words, measured, met: measured.map(|share| holds(share.percent)) }
    };
    vec![
        goal("dead called no_effect: at least 99 %", Fate::Dead, Said::NoEffect, |percent| percent >= 99.0),
        goal("live called no_effect: at most 1 %", Fate::Live, Said::NoEffect, |percent| percent <= 1.0),
        goal("dead called unverifiable: at most 5 %", Fate::Dead, Said::Unverifiable, |percent| percent <= 5.0),
        goal("live called unverifiable: at most 5 %", Fate::Live, Said::Unverifiable, |percent| percent <= 5.0),
    ]
}

impl Goal {
    pub(super) fn verdict(&self) -> &'static str {
        match self.met {
            Some(true) => "met",
            Some(false) => "missed",
            None => "not measured",
        }
    }

    pub(super) fn found(&self) -> String {
        self.measured.map_or("no such click".into(), |share| share.to_string())
    }
}

impl Group {
    fn of(
        name: &'static str,
        about: &'static str,
        fate: Option<Fate>,
        outcomes: &[Outcome],
        key: fn(&Outcome) -> &'static str,
    ) -> Group {
        let mine: Vec<&Outcome> = outcomes.iter().filter(|outcome| key(outcome) == name).collect();
        let count = |of: &dyn Fn(&Outcome) -> bool| mine.iter().filter(|outcome| of(outcome)).count();
        let fate_of = |outcome: &Outcome| outcome.case.kind.fate;
        let opposite = |outcome: &Outcome| {
            matches!((outcome.ours, fate_of(outcome)), (Said::Confirmed, Fate::Dead) | (Said::NoEffect, Fate::Live))
        };
        let was_asked = mine.iter().any(|outcome| outcome.probe.is_some());
        Group {
            name,
            about,
            fate,
            clicks: mine.len(),
            wrong: count(&opposite),
            unverifiable: count(&|outcome| outcome.ours == Said::Unverifiable),
            other: count(&|outcome| outcome.ours == Said::Other),
            hash_wrong: count(&|outcome| !outcome.hash.is_right(fate_of(outcome))),
            probe_wrong: was_asked
                .then(|| count(&|outcome| outcome.probe.is_some_and(|said| !said.is_right(fate_of(outcome))))),
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.wrong + self.unverifiable + self.other > 0
    }
}

impl fmt::Display for VerifyReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "Fault bench: {} clicks on controls whose fate is known", self.outcomes.len())?;
        let head: Vec<&str> = ["judge and truth"].into_iter().chain(Said::ALL.map(Said::words)).collect();
        let mut table = Table::new(&head);
        for judge in &self.judges {
            for (truth, fate) in [("dead", Fate::Dead), ("live", Fate::Live)] {
                let cells = match judge.matrix {
                    Some(matrix) => matrix.row(fate).map(|count| count.to_string()),
                    None => ["not measured", "", "", ""].map(str::to_string),
                };
                table.row(&[&[format!("{}, {truth}", judge.name)], cells.as_slice()].concat());
            }
        }
        writeln!(formatter, "{table}")?;
        for goal in &self.goals {
            writeln!(formatter, "{}: {}: {}", goal.verdict(), goal.words, goal.found())?;
        }
        for (what, groups) in [("kind", &self.kinds), ("noise", &self.noises)] {
            let failing: Vec<&Group> = groups.iter().filter(|group| group.has_errors()).collect();
            if failing.is_empty() {
                writeln!(formatter, "\nno {what} has errors")?;
                continue;
            }
            let mut table =
                Table::new(&[what, "clicks", "opposite", "unverifiable", "other", "hash wrong", "probe wrong"]);
            for group in failing {
                let probe = group.probe_wrong.map_or("?".into(), |count| count.to_string());
                let figures = [group.clicks, group.wrong, group.unverifiable, group.other, group.hash_wrong];
                let mut cells = vec![group.name.to_string()];
                cells.extend(figures.map(|figure| figure.to_string()));
                cells.push(probe);
                table.row(&cells);
            }
            write!(formatter, "\n{table}")?;
        }
        let wrong = self.wrong();
        if !wrong.is_empty() {
            writeln!(formatter, "\nNot judged right:")?;
        }
        for outcome in wrong {
            writeln!(formatter, "{}", outcome.in_words())?;
        }
        if !self.unsound.is_empty() {
            writeln!(formatter, "\nCases whose page did not tell that it did what its kind says:")?;
        }
        for outcome in self.outcomes.iter().filter(|outcome| self.unsound.contains(&outcome.run)) {
            writeln!(formatter, "{} {:?}", outcome.path(), outcome.witness)?;
        }
        Ok(())
    }
}
