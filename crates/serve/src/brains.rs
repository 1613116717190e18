//! Whether anybody could decide in a run of this server: said when it starts and by `/readyz`, and not only by the first
//! run that fails.

use std::sync::Arc;
use std::time::{Duration, Instant};

use surehand_brain::prompt::Surface;
use surehand_brain::{BrainSpec, open};
use surehand_conduct::brain_options;
use surehand_types::Settings;

use crate::order::{PROVIDERS, default_brain};
use crate::server::Server;

/// Scripts are read for it, and clients are made.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

impl Server {
    /// One sentence for each brain that is offered and cannot be used.
    pub fn brain_problems(&self) -> Vec<String> {
        let settings = self.settings();
        let offered = self.config.offer.brains.iter().map(String::as_str).chain(settings.optional_text("brain"));
        let mut problems: Vec<String> = offered.filter_map(|spec| problem(spec, &settings)).collect();
        if default_brain(self, &settings).is_none() && PROVIDERS.iter().all(|name| problem(name, &settings).is_some()) {
            problems.push("no brain is offered, and no provider's key is set; hint: --brain SPEC offers one".into());
        }
        problems
    }

    /// How many there are, for anybody who asks how the server is: which and why is for its operator.
    pub(crate) async fn brain_warnings(self: &Arc<Server>) -> Vec<String> {
        let mut seen = self.brains_seen.lock().await;
        let count = match *seen {
            Some((at, count)) if at.elapsed() < LOOK_AGAIN => count,
            _ => {
                let server = Arc::clone(self);
                let problems = tokio::task::spawn_blocking(move || server.brain_problems()).await.unwrap_or_default();
                *seen = Some((Instant::now(), problems.len()));
                problems.len()
            }
        };
        match count {
            0 => Vec::new(),
            1 => vec!["one brain cannot be used; what the server wrote when it started says which and why".into()],
            more => {
                vec![format!("{more} brains cannot be used; what the server wrote when it started says which and why")]
            }
        }
    }
}

fn problem(spec: &str, settings: &Settings) -> Option<String> {
    let read = BrainSpec::parse(spec).ok()?;
    // Whether a program works is seen by starting it, which is for runs.
    if matches!(read, BrainSpec::Exec(_)) {
        return None;
    }
    let opened = open(&read, brain_options(settings, Vec::new(), Surface::Browser));
    opened.err().map(|error| format!("the brain {spec} cannot be used: {error}"))
}
