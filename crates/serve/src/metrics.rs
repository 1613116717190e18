//! What the instance counts, for Prometheus. What runs do is counted from events of traces, so a figure here and a line
//! of a trace can never say different things. Runs that are over without an event of it are counted from the queue.

use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use surehand_store::JobState;
use surehand_types::Termination;
use surehand_types::event::{Envelope, Event};

/// Bounds of the brain's answering times, in seconds.
const BRAIN_SECONDS: [f64; 9] = [0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 120.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Status {
    status: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reason {
    reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Ending {
    reason: String,
    verdict: String,
}

#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    runs: Family<Ending, Counter>,
    steps: Counter,
    effects: Family<Status, Counter>,
    gate_rejections: Family<Reason, Counter>,
    brain_seconds: Histogram,
    brain_dollars: Counter<f64, AtomicU64>,
    jobs: Family<Status, Gauge>,
    webhooks: Family<Status, Counter>,
    spans: Family<Status, Counter>,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut metrics = Metrics {
            registry: Registry::with_prefix("surehand"),
            runs: Family::default(),
            steps: Counter::default(),
            effects: Family::default(),
            gate_rejections: Family::default(),
            brain_seconds: Histogram::new(BRAIN_SECONDS),
            brain_dollars: Counter::default(),
            jobs: Family::default(),
            webhooks: Family::default(),
            spans: Family::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("runs", "Runs that have ended, by reason and verdict", metrics.runs.clone());
        registry.register("steps", "Steps that were taken", metrics.steps.clone());
        registry.register("effects", "Effects of actions, by what was seen of them", metrics.effects.clone());
        let words = "Claims of being done that the gate refused, by reason";
        registry.register("gate_rejections", words, metrics.gate_rejections.clone());
        registry.register("brain_seconds", "Time that brains took to answer", metrics.brain_seconds.clone());
        registry.register("brain_dollars", "What brains cost", metrics.brain_dollars.clone());
        registry.register("webhooks", "Tries to tell others of ends, by what they came to", metrics.webhooks.clone());
        registry.register("spans", "Spans for the collector, by what became of them", metrics.spans.clone());
        registry.register("jobs", "Runs in the queue, by state", metrics.jobs.clone());
        metrics
    }

    pub(crate) fn heard(&self, envelope: &Envelope) {
        match &envelope.event {
            Event::Replied { think_ms, usage, .. } => {
                self.brain_seconds.observe(think_ms / 1000.0);
                if let Some(usage) = usage {
                    self.brain_dollars.inc_by(usage.cost_usd.max(0.0));
                }
            }
            Event::Step(step) => {
                self.steps.inc();
                if let Some(effect) = &step.effect {
                    let status =
                        serde_json::to_value(effect.status).ok().and_then(|it| it.as_str().map(str::to_string));
                    self.effects.get_or_create(&Status { status: status.unwrap_or_default() }).inc();
                }
                if let Some(reason) = &step.done_rejected_reason {
                    self.gate_rejections.get_or_create(&Reason { reason: reason.clone() }).inc();
                }
            }
            // One that was put away has not ended: it goes on, and ends once.
            Event::RunEnded { result } if result.termination_reason != Termination::Paused => {
                let verdict = serde_json::to_value(result.verdict.r#final).ok();
                let verdict = verdict.and_then(|it| it.as_str().map(str::to_string)).unwrap_or_default();
                let reason = result.termination_reason.as_str().to_string();
                self.runs.get_or_create(&Ending { reason, verdict }).inc();
            }
            _ => {}
        }
    }

    /// A run came to a state of the queue. One that could not be started, or that was cancelled while it did not run, has
    /// no end in a trace, and is over all the same.
    pub(crate) fn over_without_end(&self, state: JobState) {
        if matches!(state, JobState::Failed | JobState::Cancelled) {
            let (reason, verdict) = (state.as_str().to_string(), "unjudged".to_string());
            self.runs.get_or_create(&Ending { reason, verdict }).inc();
        }
    }

    pub(crate) fn webhook_tried(&self, outcome: &str) {
        self.webhooks.get_or_create(&Status { status: outcome.into() }).inc();
    }

    pub(crate) fn spans_sent(&self, outcome: &str, count: usize) {
        self.spans.get_or_create(&Status { status: outcome.into() }).inc_by(count as u64);
    }

    /// How many runs are in a state of the queue at this moment.
    pub(crate) fn note_jobs(&self, state: &str, count: u64) {
        self.jobs.get_or_create(&Status { status: state.into() }).set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    pub(crate) fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use surehand_types::RunResult;
    use surehand_types::result::Verdict;

    use super::*;

    fn ended(reason: Termination) -> Envelope {
        let result = RunResult {
            schema_version: 1,
            run_id: "r1".into(),
            task: String::new(),
            start_url: None,
            brain: String::new(),
            started_at: String::new(),
            success: false,
            summary: None,
            output: None,
            termination_reason: reason,
            error: None,
            steps: 1,
            turns: 1,
            duration_s: 1.0,
            cost: 0.0,
            verdict: Verdict::unjudged(None),
            referee: None,
            downloads: Vec::new(),
            done_rejections_by_reason: Default::default(),
            perceptual_summary: Default::default(),
            effect_summary: Default::default(),
            gate_summary: Default::default(),
            plan: None,
            audit: None,
            predicate_summary: Default::default(),
            loop_recoveries_by_reason: Default::default(),
            brain_summary: None,
            governor: Default::default(),
            lessons: Default::default(),
            toggles: Default::default(),
            trajectory: Vec::new(),
        };
        let event = Event::RunEnded { result: Box::new(result) };
        Envelope { v: 1, seq: 1, at: String::new(), run_id: "r1".into(), event }
    }

    #[test]
    fn a_run_that_was_put_away_is_counted_when_it_ends() {
        let metrics = Metrics::new();
        for reason in [Termination::Paused, Termination::Paused, Termination::Done] {
            metrics.heard(&ended(reason));
        }
        let text = metrics.text().unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("surehand_runs_total{")).collect();
        assert_eq!(lines, ["surehand_runs_total{reason=\"done\",verdict=\"unjudged\"} 1"]);
    }
}
