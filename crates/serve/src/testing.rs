//! What several tests of this crate need: a server that conducts nothing, and the result of a run.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use surehand_store::{DataDir, JobStore, Store};
use surehand_types::{RunResult, Settings};

use crate::access::Access;
use crate::server::{Offer, Server, ServerConfig};

pub(crate) async fn server(folder: &Path) -> Arc<Server> {
    let data = DataDir::open(folder).unwrap();
    let config = ServerConfig {
        settings: Settings::default(),
        access: Access::open(),
        offer: Offer::default(),
        hosts: Vec::new(),
        version: String::new(),
        otlp: None,
        webhooks: None,
    };
    let (store, jobs) = (Store::open(&data).await.unwrap(), JobStore::open(&data).await.unwrap());
    Server::open(config, store, jobs).await.unwrap()
}

pub(crate) fn result(run_id: &str, reason: &str) -> RunResult {
    let result = json!({
        "schema_version": 1, "run_id": run_id, "task": "t", "start_url": null, "brain": "b", "started_at": "",
        "success": false, "summary": null, "output": null, "termination_reason": reason, "error": null,
        "steps": 1, "turns": 1, "duration_s": 1.0, "cost": 0.0,
        "verdict": {"self_report": null, "contract": null, "judge": null, "final": "unjudged",
            "reasons": [], "disagreement": false},
        "downloads": [], "done_rejections_by_reason": {}, "perceptual_summary": {},
        "effect_summary": {"confirmed": 0, "no_effect": 0, "unverifiable": 0, "refused": 0},
        "predicate_summary": {}, "loop_recoveries_by_reason": {}, "governor": {"blocks": 0, "retries": 0},
        "lessons": {"injected": 0, "created": 0, "promoted": 0, "suppressed": 0},
        "toggles": {}, "trajectory": []
    });
    serde_json::from_value(result).unwrap()
}
