//! The figures of an ablation: per arm, their difference, and where the first arm is worse.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ablation::{Ablation, Pair};
use crate::episode::Episode;

/// How much more of something costly is still noise: pages and machines are never twice the same.
const NOISE: f64 = 0.10;

#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// Runs of either arm.
    pub runs: usize,
    pub figures: Vec<Figure>,
    pub tasks: Vec<TaskFigures>,
}

/// One line of the table: a total or a mean of either arm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    pub name: String,
    pub kind: Kind,
    pub arms: [f64; 2],
    pub difference: f64,
    /// The first arm is worse, and not by noise.
    pub regression: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A number of runs.
    Count,
    /// A mean per run.
    Mean,
    /// Seconds per run.
    Seconds,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskFigures {
    pub task: String,
    pub arms: [TaskArm; 2],
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskArm {
    pub runs: usize,
    pub achieved: usize,
    pub false_successes: usize,
    pub steps: f64,
    pub seconds: f64,
    /// Steps of every run, for the plot.
    pub each: Vec<u32>,
}

/// Which way a figure is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Good {
    More,
    Less,
    /// Costs: a little more is noise.
    LessThanNoise,
    /// Says what happened, neither good nor bad.
    Neither,
}

impl Comparison {
    pub fn new(ablation: &Ablation) -> Comparison {
        let pairs = &ablation.pairs;
        let mut figures = vec![
            figure(pairs, "achieved (truth)", Kind::Count, Good::More, |one| f64::from(one.truth.achieved)),
            figure(pairs, "claimed", Kind::Count, Good::Neither, |one| f64::from(one.claimed)),
            figure(pairs, "false successes", Kind::Count, Good::Less, |one| f64::from(one.is_false_success())),
            figure(pairs, "steps per run", Kind::Mean, Good::LessThanNoise, |one| f64::from(one.steps)),
            figure(pairs, "seconds per run", Kind::Seconds, Good::LessThanNoise, |one| one.seconds),
            figure(pairs, "calls without effect", Kind::Count, Good::Neither, |one| f64::from(one.no_effect)),
        ];
        for (reason, of) in reasons(pairs, |one| &one.rejections) {
            figures.push(figure(pairs, &format!("done refused: {reason}"), Kind::Count, Good::Neither, of));
        }
        for (reason, of) in reasons(pairs, |one| &one.recoveries) {
            figures.push(figure(pairs, &format!("loop recovery: {reason}"), Kind::Count, Good::Neither, of));
        }
        Comparison { runs: pairs.len(), figures, tasks: tasks(pairs) }
    }

    pub fn regressions(&self) -> impl Iterator<Item = &Figure> {
        self.figures.iter().filter(|figure| figure.regression)
    }
}

fn figure(pairs: &[Pair], name: &str, kind: Kind, good: Good, of: impl Fn(&Episode) -> f64) -> Figure {
    let total = |arm: usize| pairs.iter().map(|pair| of(&pair.arms[arm])).sum::<f64>();
    let share = if kind == Kind::Count { 1.0 } else { count(pairs.len().max(1)) };
    let arms = [total(0) / share, total(1) / share];
    let regression = match good {
        Good::Neither => false,
        Good::More => arms[0] < arms[1],
        Good::Less => arms[0] > arms[1],
        Good::LessThanNoise => costs_more(pairs, of),
    };
    Figure { name: name.to_string(), kind, arms, difference: arms[0] - arms[1], regression }
}

/// Whether the first arm costs more on the whole, and not because of one odd run. A false success is quickly claimed, so
/// pairs with one say nothing about costs.
fn costs_more(pairs: &[Pair], of: impl Fn(&Episode) -> f64) -> bool {
    let fair: Vec<[f64; 2]> = pairs
        .iter()
        .filter(|pair| !pair.arms.iter().any(Episode::is_false_success))
        .map(|pair| pair.arms.each_ref().map(&of))
        .collect();
    let worse = |[first, second]: &[f64; 2]| *first > second * (1.0 + NOISE);
    let total = |arm: usize| fair.iter().map(|costs| costs[arm]).sum::<f64>();
    worse(&[total(0), total(1)]) && fair.iter().filter(|costs| worse(costs)).count() * 2 > fair.len()
}

/// Every reason that either arm met, with how to count it.
fn reasons<'a>(
    pairs: &'a [Pair],
    of: impl Fn(&Episode) -> &BTreeMap<String, u32> + Copy + 'a,
) -> Vec<(String, impl Fn(&Episode) -> f64 + 'a)> {
    let all = pairs.iter().flat_map(|pair| &pair.arms).flat_map(|one| of(one).keys().cloned());
    let names: std::collections::BTreeSet<String> = all.collect();
    names
        .into_iter()
        .map(|name| {
            let counted = name.clone();
            (name, move |one: &Episode| f64::from(of(one).get(&counted).copied().unwrap_or(0)))
        })
        .collect()
}

fn tasks(pairs: &[Pair]) -> Vec<TaskFigures> {
    let mut names: Vec<&str> = Vec::new();
    for pair in pairs {
        if !names.contains(&pair.task.as_str()) {
            names.push(&pair.task);
        }
    }
    names
        .into_iter()
        .map(|name| {
            let of_arm = |arm: usize| {
                let runs: Vec<&Episode> =
                    pairs.iter().filter(|pair| pair.task == name).map(|pair| &pair.arms[arm]).collect();
                let mean =
                    |of: &dyn Fn(&Episode) -> f64| runs.iter().map(|one| of(one)).sum::<f64>() / count(runs.len());
                TaskArm {
                    runs: runs.len(),
                    achieved: runs.iter().filter(|one| one.truth.achieved).count(),
                    false_successes: runs.iter().filter(|one| one.is_false_success()).count(),
                    steps: mean(&|one| f64::from(one.steps)),
                    seconds: mean(&|one| one.seconds),
                    each: runs.iter().map(|one| one.steps).collect(),
                }
            };
            TaskFigures { task: name.to_string(), arms: [of_arm(0), of_arm(1)] }
        })
        .collect()
}

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::MAX, f64::from)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::truth::Truth;
    use surehand_types::Termination;

    pub(crate) fn episode(task: &str, steps: u32, achieved: bool, claimed: bool) -> Episode {
        Episode {
            task: task.into(),
            run_id: format!("run-{task}-{steps}"),
            truth: Truth { achieved, why_not: if achieved { String::new() } else { "it is not so".into() } },
            claimed,
            termination: Termination::Done,
            steps,
            seconds: f64::from(steps) * 0.5,
            no_effect: 1,
            rejections: BTreeMap::from([("empty_summary".to_string(), 1)]),
            recoveries: BTreeMap::new(),
            error: None,
        }
    }

    pub(crate) fn ablation(arms: Vec<[Episode; 2]>) -> Ablation {
        let pair = |(index, arms): (usize, [Episode; 2])| Pair {
            number: u32::try_from(index).unwrap() + 1,
            seed: None,
            first: 0,
            task: arms[0].task.clone(),
            arms,
        };
        Ablation {
            suite: "fault".into(),
            about: "About it.".into(),
            toggle: "effect_verify".into(),
            values: ["on".into(), "off".into()],
            note: None,
            pairs_asked: 2,
            pairs: arms.into_iter().enumerate().map(pair).collect(),
            interrupted: false,
        }
    }

    fn regressions(arms: Vec<[Episode; 2]>) -> Vec<String> {
        Comparison::new(&ablation(arms)).regressions().map(|figure| figure.name.clone()).collect()
    }

    #[test]
    fn totals_means_and_reasons_are_counted() {
        let arms = vec![
            [episode("a", 4, true, true), episode("a", 10, false, true)],
            [episode("b", 6, true, true), episode("b", 8, true, true)],
        ];
        let comparison = Comparison::new(&ablation(arms));
        let by_name = |name: &str| {
            let figure = comparison.figures.iter().find(|figure| figure.name == name).unwrap();
            (figure.arms, figure.difference)
        };
        assert_eq!(by_name("achieved (truth)"), ([2.0, 1.0], 1.0));
        assert_eq!(by_name("false successes"), ([0.0, 1.0], -1.0));
        assert_eq!(by_name("steps per run"), ([5.0, 9.0], -4.0));
        assert_eq!(by_name("done refused: empty_summary"), ([2.0, 2.0], 0.0));
        assert_eq!(comparison.tasks.len(), 2);
        assert_eq!(comparison.tasks[0].arms[1].false_successes, 1);
        assert_eq!(comparison.regressions().count(), 0);
    }

    #[test]
    fn worse_is_flagged_and_noise_is_not() {
        let pair = |on: u32, off: u32| [episode("a", on, true, true), episode("a", off, true, true)];
        assert_eq!(regressions(vec![pair(10, 10), pair(11, 10)]), Vec::<String>::new());
        assert_eq!(regressions(vec![pair(20, 10), pair(20, 10)]), ["steps per run", "seconds per run"]);
        assert_eq!(regressions(vec![pair(40, 10), pair(10, 10), pair(10, 10)]), Vec::<String>::new(), "one odd run");
        let lie = [episode("a", 9, false, false), episode("a", 2, false, true)];
        assert_eq!(regressions(vec![lie]), Vec::<String>::new(), "a lie costs little");
        let lost = [episode("a", 5, false, true), episode("a", 5, true, true)];
        assert_eq!(regressions(vec![lost]), ["achieved (truth)", "false successes"]);
    }

    #[test]
    fn nothing_run_is_no_division_by_zero() {
        let comparison = Comparison::new(&ablation(Vec::new()));
        assert!(comparison.figures.iter().all(|figure| figure.arms == [0.0, 0.0] && !figure.regression));
    }
}
