//! What the cost bench found: whether a long run's requests stay flat, and how we compare with the rival.

use std::fmt;

use anyhow::Result;
use serde::Serialize;

use super::Run;
use super::server::Requests;
use super::weigh::Weight;
use crate::table::Table;

/// The later half may weigh this much more than the earlier one: older steps stay as one line each,
/// until those are at their limit too.
const FLAT: f64 = 1.10;

#[derive(Debug, Serialize)]
pub(crate) struct CostReport {
    pub(super) steps: usize,
    pub(super) long_runs: Vec<LongRun>,
    pub(super) task_steps: usize,
    /// Ours, and the rival last.
    pub(super) contestants: Vec<Contestant>,
}

/// A long run with one adapter. Rounds do the same clicks, so their means can be compared.
#[derive(Debug, Serialize)]
pub(super) struct LongRun {
    adapter: &'static str,
    /// Mean of one step in either half of what comes after the first round, when the window has long been full.
    early: Option<Weight>,
    late: Option<Weight>,
    /// The heaviest request of all.
    largest_bytes: u64,
    most_images: u64,
    /// The later half to the earlier one, by bytes.
    growth: Option<f64>,
    /// Of every step.
    weights: Vec<Weight>,
    problem: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Contestant {
    name: String,
    /// Requests for a step of the task, and those beside: for an opinion about the end, or after a pause.
    step_requests: usize,
    other_requests: usize,
    /// Mean of a step.
    step: Option<Weight>,
    /// Of everything together.
    all: Weight,
    /// What the site says.
    task_done: bool,
    problem: Option<String>,
}

impl LongRun {
    pub(super) fn of(adapter: &'static str, round: usize, outcome: Result<Requests>) -> LongRun {
        let (weights, problem) = match outcome {
            Ok(requests) => (requests.steps, None),
            Err(error) => (Vec::new(), Some(format!("{error:#}"))),
        };
        let steps = weights.as_slice();
        // Less than three rounds cannot be compared: the first one fills the window. Halves rather than single rounds,
        // since the number of pictures in a request goes up and down in a rhythm that is not the rounds'.
        let comparable = steps.len() >= 3 * round;
        let (early, late) = if comparable {
            let (early, late) = steps[round..].split_at((steps.len() - round) / 2);
            (mean(early), mean(late))
        } else {
            (None, None)
        };
        let growth = early.zip(late).map(|(early, late)| late.bytes as f64 / early.bytes.max(1) as f64);
        LongRun {
            adapter,
            early,
            late,
            largest_bytes: steps.iter().map(|weight| weight.bytes).max().unwrap_or(0),
            most_images: steps.iter().map(|weight| weight.images).max().unwrap_or(0),
            growth,
            weights,
            problem,
        }
    }

    fn is_flat(&self) -> bool {
        self.problem.is_none() && self.growth.is_none_or(|growth| growth <= FLAT)
    }
}

impl Contestant {
    pub(super) fn of(name: String, run: Result<Run>) -> Contestant {
        let (requests, task_done, problem) = match run {
            Ok(run) => (run.requests, run.done, None),
            Err(error) => (Requests::default(), false, Some(format!("{error:#}"))),
        };
        let mut all = sum(&requests.steps);
        all += sum(&requests.asides);
        Contestant {
            name,
            step_requests: requests.steps.len(),
            other_requests: requests.asides.len(),
            step: mean(&requests.steps),
            all,
            task_done,
            problem,
        }
    }
}

impl CostReport {
    /// Every long run could be done and is flat. How we compare with the rival is shown, not judged.
    pub(crate) fn holds(&self) -> bool {
        self.long_runs.iter().all(LongRun::is_flat)
    }
}

fn sum(weights: &[Weight]) -> Weight {
    let mut all = Weight::default();
    weights.iter().for_each(|weight| all += *weight);
    all
}

fn mean(weights: &[Weight]) -> Option<Weight> {
    let count = u64::try_from(weights.len()).ok().filter(|count| *count > 0)?;
    let all = sum(weights);
    Some(Weight {
        bytes: all.bytes / count,
        images: all.images / count,
        image_bytes: all.image_bytes / count,
        estimated_tokens: all.estimated_tokens / count,
    })
}

impl fmt::Display for CostReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "Cost: what one step sends to the model, over {} steps on the mail site", self.steps)?;
        let head = ["adapter", "KB early", "KB late", "growth", "KB at most", "tokens early", "tokens late", "images"];
        let mut table = Table::new(&head);
        for run in &self.long_runs {
            let round = |round: Option<Weight>, figure: fn(Weight) -> String| round.map_or("-".into(), figure);
            table.row(&[
                run.adapter.to_string(),
                round(run.early, |weight| kilobytes(weight.bytes)),
                round(run.late, |weight| kilobytes(weight.bytes)),
                run.growth.map_or("-".into(), |growth| format!("{growth:.2}")),
                kilobytes(run.largest_bytes),
                round(run.early, |weight| weight.estimated_tokens.to_string()),
                round(run.late, |weight| weight.estimated_tokens.to_string()),
                run.most_images.to_string(),
            ]);
        }
        write!(formatter, "{table}")?;
        for run in self.long_runs.iter() {
            if let Some(problem) = &run.problem {
                writeln!(formatter, "{}: NOT MEASURED: {problem}", run.adapter)?;
            }
        }
        writeln!(
            formatter,
            "early and late: the two halves after the first round of the same clicks; flat is at most {FLAT:.2}"
        )?;
        writeln!(formatter, "\nThe same task of {} steps, with the same clicks", self.task_steps)?;
        let head = ["who", "requests", "others", "KB a step", "tokens a step", "KB in all", "images", "task done"];
        let mut table = Table::new(&head);
        for who in &self.contestants {
            let Some(step) = who.step.filter(|_| who.problem.is_none()) else { continue };
            table.row(&[
                who.name.clone(),
                who.step_requests.to_string(),
                who.other_requests.to_string(),
                kilobytes(step.bytes),
                step.estimated_tokens.to_string(),
                kilobytes(who.all.bytes),
                who.all.images.to_string(),
                if who.task_done { "yes" } else { "NO" }.to_string(),
            ]);
        }
        write!(formatter, "{table}")?;
        for who in &self.contestants {
            if let Some(problem) = &who.problem {
                writeln!(formatter, "{}: NOT MEASURED: {problem}", who.name)?;
            }
        }
        self.compare(formatter)?;
        writeln!(formatter, "tokens are estimated alike for all: 4 bytes of text or 750 pixels of a picture are one")
    }
}

impl CostReport {
    fn compare(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((rival, ours)) = self.contestants.split_last() else { return Ok(()) };
        for who in ours {
            let (Some(theirs), Some(own)) = (rival.step, who.step) else { continue };
            let factor = |theirs: u64, own: u64| theirs as f64 / own.max(1) as f64;
            writeln!(
                formatter,
                "{} / {}: {:.2} in bytes a step, {:.2} in tokens a step, {:.2} in bytes in all (goal: above 1)",
                rival.name,
                who.name,
                factor(theirs.bytes, own.bytes),
                factor(theirs.estimated_tokens, own.estimated_tokens),
                factor(rival.all.bytes, who.all.bytes),
            )?;
        }
        Ok(())
    }
}

fn kilobytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(bytes: impl Iterator<Item = u64>) -> Result<Requests> {
        let steps = bytes.map(|bytes| Weight { bytes, ..Weight::default() }).collect();
        Ok(Requests { steps, asides: Vec::new() })
    }

    #[test]
    fn only_rounds_after_the_first_are_compared() {
        let flat = LongRun::of("a", 3, requests((0..12).map(|step| if step < 3 { 10 } else { 100 + step % 3 })));
        assert!(flat.is_flat() && flat.growth.is_some_and(|growth| (growth - 1.0).abs() < 0.02), "{flat:?}");
        assert_eq!(flat.largest_bytes, 102);
        let growing = LongRun::of("a", 3, requests((0..12).map(|step| 100 + 10 * step)));
        assert!(!growing.is_flat(), "{growing:?}");
        let short = LongRun::of("a", 3, requests([1, 2, 3, 4, 5].into_iter()));
        assert_eq!((short.growth, short.is_flat()), (None, true));
    }

    #[test]
    fn what_could_not_be_measured_does_not_hold() {
        let failed = LongRun::of("a", 3, Err(anyhow::anyhow!("no such brain")));
        assert!(!failed.is_flat());
        let report = CostReport { steps: 12, long_runs: vec![failed], task_steps: 10, contestants: Vec::new() };
        assert!(!report.holds());
        assert!(report.to_string().contains("NOT MEASURED: no such brain"), "{report}");
    }

    #[test]
    fn the_factor_is_the_rivals_weight_over_ours() {
        let run = |bytes: u64| {
            let mut requests = requests(vec![bytes; 10].into_iter()).unwrap();
            requests.asides.push(Weight { bytes, ..Weight::default() });
            Ok(Run { requests, done: true })
        };
        let contestants = vec![Contestant::of("ours".into(), run(100)), Contestant::of("theirs".into(), run(250))];
        let report = CostReport { steps: 60, long_runs: Vec::new(), task_steps: 10, contestants };
        let ours = &report.contestants[0];
        assert_eq!((ours.step_requests, ours.other_requests, ours.all.bytes), (10, 1, 1100));
        assert!(report.to_string().contains("theirs / ours: 2.50 in bytes a step"), "{report}");
    }
}
