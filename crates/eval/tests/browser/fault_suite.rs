//! What telling a stubborn brain is worth, on a part of the fault suite.

use surehand_eval::{Comparison, Toggle, ablate};
use surehand_types::Settings;
use surehand_types::settings::Source;

use crate::place::Place;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_brain_that_is_told_of_dead_clicks_needs_half_the_steps() {
    let mut place = Place::new("fault").await;
    place.suite.keep_only("dead-beside-live").unwrap();
    let mut settings = Settings::default();
    // Dead clicks are waited for in full; this is about what follows from them.
    settings.set("no_effect_patience", "0.8", Source::Flag).unwrap();
    let toggle = Toggle::parse("effect_verify", &settings).unwrap();
    let mut told = Vec::new();
    let ablation = ablate(&place.stage(), &toggle, 2, |progress| told.push(progress.value.to_string())).await.unwrap();
    // In pairs, and who goes first alternates from pair to pair.
    assert_eq!(told, ["on", "off", "off", "on"]);
    assert_eq!(ablation.pairs.iter().map(|pair| pair.first).collect::<Vec<_>>(), [0, 1]);
    assert!(!ablation.interrupted);
    let runs: Vec<&str> = ablation.pairs.iter().flat_map(|pair| &pair.arms).map(|one| one.run_id.as_str()).collect();
    for run in &runs {
        assert!(place.store.timeline(run).await.is_ok(), "every arm is a run that can be looked at");
    }
    let comparison = Comparison::new(&ablation);
    let figure = |name: &str| comparison.figures.iter().find(|figure| figure.name == name).unwrap().arms;
    assert_eq!(figure("achieved (truth)"), [2.0, 2.0], "{ablation:?}");
    assert_eq!(figure("false successes"), [0.0, 0.0]);
    let [on, off] = figure("steps per run");
    assert!(on <= off / 2.0, "{on} steps against {off}");
    assert_eq!(figure("calls without effect"), [2.0, 0.0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_cancelled_is_left_out_and_said() {
    let place = Place::new("fault").await;
    let toggle = Toggle::parse("done_gate", &Settings::default()).unwrap();
    let cancel = place.cancel.clone();
    let ablation = ablate(&place.stage(), &toggle, 3, |_| cancel.cancel()).await.unwrap();
    assert!(ablation.interrupted && ablation.pairs.is_empty(), "one arm is no pair: {ablation:?}");
}
