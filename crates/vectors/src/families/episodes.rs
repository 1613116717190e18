//! Family `episodes`: whole runs through the product's own loop, with a scripted brain and a scripted world.

mod player;
mod world;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use surehand_checks::action::Action;
use surehand_checks::before::GuardList;
use surehand_run::{Declared, FormValue, Nobody, RunConfig, VerifyRules, run};
use surehand_trace::{MemoryEvents, MemoryFrames, TraceWriter};
use surehand_types::settings::Source;
use surehand_types::{Redactor, RunResult, Settings, StepRecord, Termination};
use tokio_util::sync::CancellationToken;

use self::player::Player;
use self::world::{Scene, World};
use crate::{Case, Place, same};

/// Far longer than any episode takes.
const LONGEST: Duration = Duration::from_secs(60);

#[derive(Debug, Deserialize)]
struct Episode {
    task: String,
    max_steps: u32,
    start: Scene,
    brain_script: Vec<Line>,
    observations: Vec<Scene>,
    #[serde(default)]
    verify_verdicts: Vec<bool>,
    #[serde(default)]
    form_values: Vec<Labelled>,
    #[serde(default)]
    pending_form_labels: Option<Vec<String>>,
    #[serde(default)]
    plan_steps: Option<usize>,
    #[serde(default)]
    toggles: BTreeMap<String, bool>,
}

#[derive(Debug, Clone, Deserialize)]
struct Line {
    action: Action,
    #[serde(default)]
    text: String,
}

#[derive(Debug, Deserialize)]
struct Labelled {
    label: String,
    value: String,
}

pub(super) fn run_case(case: &Case, _place: Place<'_>) -> Result<(), String> {
    if case.kind != "episode" {
        return Err(format!("kind {} is not known", case.kind));
    }
    let episode: Episode = super::input(&case.input)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("no runtime: {error}"))?;
    let answer = runtime.block_on(play(episode))?;
    same(&case.expect, &answer)
}

async fn play(episode: Episode) -> Result<Value, String> {
    let mut settings = Settings::default();
    settings.set("profile", "vectors", Source::Flag)?;
    for (name, on) in &episode.toggles {
        settings.set(name, if *on { "on" } else { "off" }, Source::Flag)?;
    }
    let folder = std::env::temp_dir().join(format!("surehand-vectors-{}", std::process::id()));
    let config = RunConfig {
        run_id: "episode".into(),
        task: episode.task,
        start_url: None,
        started_at: String::new(),
        max_steps: episode.max_steps,
        timeout: Some(LONGEST),
        target_wait: Duration::ZERO,
        toggles: settings.changed(),
        frames_folder: folder.clone(),
        version: "vectors".into(),
        redactor: Redactor::default(),
        verify: VerifyRules::new(&settings),
        governor: surehand_checks::before::governor::GovernorRules::of(&settings),
        resumed: None,
        referee: None,
        lessons: None,
        reins: surehand_run::Reins::default(),
        keeper: None,
        before: surehand_run::Before::default(),
        declared: Declared {
            values: episode
                .form_values
                .into_iter()
                .map(|given| FormValue { label: given.label, value: given.value })
                .collect(),
            pending_form_labels: episode.pending_form_labels,
            plan_steps: episode.plan_steps,
            ..Declared::default()
        },
    };
    let world = World::new(episode.start, episode.observations);
    let done_by_world = world.actions();
    let player = Player::new(episode.brain_script, episode.verify_verdicts);
    let verify_calls = player.verify_calls();
    let trace = TraceWriter::new(
        "episode",
        Box::new(MemoryEvents::default()),
        Arc::new(MemoryFrames::default()),
        Redactor::default(),
        Vec::new(),
    );
    let result = run(
        config,
        Box::new(world),
        Box::new(player),
        Box::new(Nobody),
        trace,
        GuardList::default(),
        CancellationToken::new(),
    )
    .await;
    let _ = std::fs::remove_dir_all(folder);
    let actions = done_by_world.lock().map(|actions| actions.clone()).unwrap_or_default();
    let asked = verify_calls.load(std::sync::atomic::Ordering::Relaxed);
    Ok(answer(&result, &actions, asked))
}

fn answer(result: &RunResult, actions: &[Value], verify_calls: u32) -> Value {
    let ended_by_last =
        |number: usize| number + 1 == result.trajectory.len() && ends_with_its_step(result.termination_reason);
    let steps: Vec<Value> =
        result.trajectory.iter().enumerate().map(|(number, step)| told(step, ended_by_last(number))).collect();
    json!({
        "termination_reason": result.termination_reason,
        "success": result.success,
        "total_steps": result.steps,
        "env_actions": actions,
        "verify_calls": verify_calls,
        "done_rejections_by_reason": result.done_rejections_by_reason,
        "perceptual_summary": result.perceptual_summary,
        "loop_recoveries_by_reason": result.loop_recoveries_by_reason,
        "steps": steps,
    })
}

fn ends_with_its_step(reason: Termination) -> bool {
    matches!(reason, Termination::Done | Termination::DoneFailed | Termination::DoneUnverified | Termination::EnvDone)
}

fn told(step: &StepRecord, done: bool) -> Value {
    let predicted = match &step.predicted_outcome {
        None => String::new(),
        Some(Value::String(raw)) => raw.clone(),
        Some(other) => other.to_string(),
    };
    let results: Vec<Value> = step
        .predicate_results
        .iter()
        .map(|result| json!({ "predicate": result.predicate, "result": result.result }))
        .collect();
    json!({
        "action": step.call.as_ref().map(player::action_of_given),
        "feedback": step.feedback,
        "done": done,
        "done_rejected_reason": step.done_rejected_reason.clone().unwrap_or_default(),
        "action_effect_observed": step.action_effect_observed,
        "loop_recovery_reason": step.loop_recovery_reason.clone().unwrap_or_default(),
        "predicted_outcome": predicted,
        "predicate_results": results,
        "world_model_error_component": step.reward_components.get("world_model_error"),
    })
}
