//! Paired arms: every task is run with either value of one setting, in turns, so that whatever else the machine does
//! meets both. The figures are made in `compare`.

use serde::Serialize;

use crate::arms::Toggle;
use crate::episode::{Episode, Stage};
use crate::error::EvalError;

/// Everything that was run, in the order of pairs and tasks.
#[derive(Debug, Clone, Serialize)]
pub struct Ablation {
    pub suite: String,
    pub about: String,
    pub toggle: String,
    /// The value of either arm.
    pub values: [String; 2],
    pub note: Option<String>,
    pub pairs_asked: u32,
    pub pairs: Vec<Pair>,
    /// Ended before all pairs were run; what there is is still whole pairs.
    pub interrupted: bool,
}

/// One task with both arms, under the same seed.
#[derive(Debug, Clone, Serialize)]
pub struct Pair {
    pub number: u32,
    pub seed: Option<u64>,
    /// Which arm went first.
    pub first: usize,
    pub task: String,
    pub arms: [Episode; 2],
}

/// Told after every run.
#[derive(Debug)]
pub struct Progress<'a> {
    pub pair: u32,
    pub pairs: u32,
    pub value: &'a str,
    pub episode: &'a Episode,
}

/// Runs all pairs, or as many as there were until somebody cancelled.
pub async fn ablate(
    stage: &Stage<'_>,
    toggle: &Toggle,
    pairs: u32,
    mut progress: impl FnMut(Progress<'_>),
) -> Result<Ablation, EvalError> {
    let mut ablation = Ablation {
        suite: stage.suite.name.clone(),
        about: stage.suite.about.clone(),
        toggle: toggle.name.clone(),
        values: toggle.arms.each_ref().map(|arm| arm.value.clone()),
        note: toggle.note.clone(),
        pairs_asked: pairs,
        pairs: Vec::new(),
        interrupted: false,
    };
    for number in 1..=pairs {
        let seed = seed(&stage.suite.seeds, number);
        // In turns: what an earlier run leaves behind in caches must not always help the same arm.
        let first = usize::from(number % 2 == 0);
        for task in &stage.suite.tasks {
            let mut played = [None, None];
            for arm in [first, 1 - first] {
                let Some(episode) = stage.play(task, &toggle.arms[arm].settings, seed).await? else {
                    ablation.interrupted = true;
                    return Ok(ablation);
                };
                progress(Progress { pair: number, pairs, value: &toggle.arms[arm].value, episode: &episode });
                played[arm] = Some(episode);
            }
            if let [Some(with), Some(without)] = played {
                let arms = [with, without];
                ablation.pairs.push(Pair { number, seed, first, task: task.id.clone(), arms });
            }
        }
    }
    Ok(ablation)
}

fn seed(seeds: &[u64], pair: u32) -> Option<u64> {
    let place = usize::try_from(pair.saturating_sub(1)).unwrap_or(0);
    (!seeds.is_empty()).then(|| seeds[place % seeds.len()])
}

#[cfg(test)]
mod tests {
    use super::seed;

    #[test]
    fn seeds_go_round() {
        assert_eq!(seed(&[], 1), None);
        assert_eq!(
            (1..=4).map(|pair| seed(&[7, 8, 9], pair)).collect::<Vec<_>>(),
            [Some(7), Some(8), Some(9), Some(7)]
        );
    }
}
