//! Whether anybody could decide in a run of this server: said when it starts and by `/readyz`, and not only by the first
//! run that fails.

use surehand_brain::prompt::Surface;
use surehand_brain::{BrainSpec, open};
use surehand_conduct::brain_options;
use surehand_types::Settings;

use crate::order::default_brain;
use crate::server::Server;

/// Those that a request may name where nothing is offered, if their key is there.
const PROVIDERS: &[&str] = &["anthropic", "openai", "gemini"];

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
