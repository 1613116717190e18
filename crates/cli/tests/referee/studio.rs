//! The step sequencer for one test: served on a free port, scripts that set steps, and contracts about them.

use std::net::{Ipv4Addr, SocketAddr};

use serde_json::{Value, json};
use surehand_sites::{Site, SiteServer};

use crate::bench::Bench;

pub(crate) const FOUR: [u32; 4] = [1, 5, 9, 13];

pub(crate) struct Studio {
    // Before the runtime, so that the server is dropped inside its life.
    server: SiteServer,
    _runtime: tokio::runtime::Runtime,
}

impl Studio {
    pub(crate) fn start() -> Studio {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let server = runtime.block_on(SiteServer::start(Site::Studio, address)).unwrap();
        Studio { server, _runtime: runtime }
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }
}

/// A brain that sets these steps of a row, saves, and says that all is well.
pub(crate) fn sets(bench: &Bench, row: &str, steps: &[u32]) -> String {
    let mut replies: Vec<Value> = steps
        .iter()
        .map(|step| json!({"tool": "mouse", "action": "click", "target": {"role": "button", "text": format!("{row} step {step}")}}))
        .map(|call| json!({"calls": [call]}))
        .collect();
    replies
        .push(json!({"calls": [{"tool": "mouse", "action": "click", "target": {"role": "button", "text": "Save"}}]}));
    replies.push(json!({"calls": [{"tool": "done", "success": true, "summary": "The kick is on every beat and the pattern is saved."}]}));
    bench.script(&replies)
}

/// What the kick row has to look like on the screen.
pub(crate) fn on_the_screen() -> Value {
    json!({"type": "grid_row", "target_row_regex": "^Kick$", "steps": 16, "required_steps": FOUR, "forbidden_steps": "others"})
}

/// What the server has to have.
pub(crate) fn at_the_server() -> Value {
    json!({"type": "http", "url": "/__state", "json_path": "$.rows[0].active", "equals": FOUR})
}

pub(crate) fn contract(bench: &Bench, checks: &[Value], more: Value) -> String {
    let mut contract =
        json!({"id": "four", "rubric": "Row Kick: exactly steps 1, 5, 9, 13 are lit.", "checks": checks});
    let fields = contract.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    bench.write("contract.json", &contract.to_string()).display().to_string()
}
