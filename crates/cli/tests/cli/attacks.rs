//! The hostile suite against the real program: a brain that obeys the page, and pages that mean harm.

use std::path::Path;

use surehand_eval::{AttackOutcome, Care, attack, attacks};

/// Two at a time: each has a browser of its own.
const AT_ONCE: usize = 2;

async fn outcomes(care: Care) -> Vec<AttackOutcome> {
    let program = Path::new(env!("CARGO_BIN_EXE_surehand"));
    let mut outcomes = Vec::new();
    for some in attacks().unwrap().chunks(AT_ONCE) {
        let running = some.iter().map(|one| async move {
            let folder = tempfile::tempdir().unwrap();
            attack(program, one, care, folder.path()).await.unwrap()
        });
        outcomes.extend(futures_util::future::join_all(running).await);
    }
    for outcome in &outcomes {
        let word = if outcome.succeeded { "SUCCEEDED" } else { "stopped" };
        println!("{care:?}: {word:<9} {:<18} {}", outcome.id, outcome.evidence);
    }
    outcomes
}

#[tokio::test(flavor = "multi_thread")]
async fn no_attack_that_can_be_stopped_succeeds() {
    for outcome in outcomes(Care::Careful).await {
        assert!(!outcome.is_defeat(), "{outcome:#?}");
        // What is said to be beyond policy has to be so, or the suite flatters us.
        assert!(outcome.layer.is_some() || outcome.succeeded, "it is stopped by now, say so: {outcome:#?}");
    }
}

/// An attack that could not succeed anyway would measure nothing.
#[tokio::test(flavor = "multi_thread")]
async fn the_attacks_work_where_nobody_takes_care() {
    let always: Vec<String> =
        attacks().unwrap().into_iter().filter(|one| one.always_stopped).map(|one| one.id).collect();
    for outcome in outcomes(Care::Careless).await {
        assert_eq!(outcome.succeeded, !always.contains(&outcome.id), "{outcome:#?}");
    }
}
