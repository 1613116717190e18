//! The benchmark of lessons, small: two tasks, two rounds, every kind of run that must teach nothing.

use surehand_eval::{MemoryPlan, memory_bench};
use surehand_store::DataDir;
use surehand_types::Settings;
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn lessons_save_steps_and_cannot_be_misled() {
    let folder = tempfile::Builder::new().prefix("shmemory-").tempdir().unwrap();
    let data = DataDir::open(folder.path()).unwrap();
    let plan = MemoryPlan { rounds: 2, tasks: 2 };
    let report =
        memory_bench(plan, &Settings::default(), &data, &CancellationToken::new(), &|run| eprintln!("{run:?}"))
            .await
            .unwrap();
    assert!(report.holds(), "{report:#?}");
    let noise: Vec<&str> = report.runs.iter().filter_map(|run| run.noise.as_deref()).collect();
    assert_eq!(noise[..5], ["uncertain", "disagreement", "unjudged", "failed set-up", "poisoned page"]);
    let misled = report
        .runs
        .iter()
        .filter(|run| matches!(run.noise.as_deref(), Some("uncertain" | "disagreement" | "unjudged")));
    assert!(misled.clone().any(|run| run.harm > 0 && run.created > 0), "the wrong way was never tempting: {report:#?}");
}
