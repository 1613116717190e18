//! The done bench: labelled claims of success, and whether the gate believes the right ones. What is run and how it
//! is judged belongs to `surehand-eval`; this file gives it a place to work in.

use std::path::Path;

use anyhow::{Context, Result};
use surehand_conduct::BrowserChoice;
use surehand_eval::report::{done_html, done_text};
use surehand_eval::{DoneReport, Judged, Stage, Suite, judge_suite};
use surehand_store::{DataDir, Store};
use surehand_types::Settings;
use surehand_types::settings::Source;
use tokio_util::sync::CancellationToken;

use crate::controller::Setup;

/// As many browsers as the small machines of builds have cores.
const JOBS: usize = 2;

pub(crate) async fn measure(setup: &Setup, output: Option<&Path>) -> Result<DoneReport> {
    let suite = Suite::load("done")?;
    let data = DataDir::open(setup.scratch.join("done"))?;
    let store = Store::open(&data).await?;
    let mut settings = Settings::default();
    let browser = setup.browser.display().to_string();
    settings.set("chromium", &browser, Source::Flag).map_err(anyhow::Error::msg)?;
    let (choice, cancel) = (BrowserChoice::default(), CancellationToken::new());
    let stage = Stage { suite: &suite, store: &store, choice: &choice, cancel: &cancel };
    eprintln!("bench: done, {} episodes", suite.tasks.len());
    let report = judge_suite(&stage, &settings, JOBS, tell).await?;
    store.close().await;
    if let Some(file) = output {
        std::fs::write(file, done_html(&report)).with_context(|| format!("cannot write {}", file.display()))?;
        eprintln!("bench: wrote {}", file.display());
    }
    Ok(report)
}

pub(crate) fn text(report: &DoneReport) -> String {
    done_text(report)
}

fn tell(judged: &Judged) {
    let word = judged.outcome.in_words();
    let flag = if judged.right { "" } else { " WRONG" };
    eprintln!("bench: {} ({}): {word}{flag}", judged.episode.task, judged.label.name());
}
