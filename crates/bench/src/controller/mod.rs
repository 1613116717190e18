//! The controllers that are compared. All do the same STEP on the same page with the same browser:
//! look, click, learn what happened, settle, look again; each tells its times and what its second
//! frame really showed.

mod bare;
mod pipe;
mod playwright;
mod surehand;

use std::path::PathBuf;

use anyhow::Result;

pub(crate) use self::bare::Bare;
pub(crate) use self::playwright::{Playwright, Toolchain};
pub(crate) use self::surehand::{Surehand, SurehandStep};
use crate::args::Format;
use crate::panel::Witness;
use crate::site::Aiming;

/// What every controller is told.
#[derive(Debug, Clone)]
pub(crate) struct Setup {
    pub(crate) browser: PathBuf,
    pub(crate) url: String,
    pub(crate) format: Format,
    pub(crate) aiming: Aiming,
    pub(crate) scratch: PathBuf,
}

/// One STEP.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) total_ms: f64,
    /// Without the look at the beginning; Surehand has none, as it keeps the frame of the step before.
    pub(crate) without_first_look_ms: f64,
    pub(crate) witness: Witness,
}

/// A controller with its browser open.
#[derive(Debug)]
pub(crate) enum Controller {
    Surehand(Box<Surehand>),
    Bare(Bare),
    Playwright(Playwright),
}

impl Controller {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Controller::Surehand(_) => "surehand",
            Controller::Bare(_) => "bare cdp",
            Controller::Playwright(_) => "playwright",
        }
    }

    pub(crate) async fn steps(&mut self, count: u64) -> Result<Vec<Sample>> {
        if let Controller::Playwright(playwright) = self {
            return playwright.steps(count).await;
        }
        let mut samples = Vec::new();
        for _ in 0..count {
            samples.push(match self {
                Controller::Surehand(surehand) => surehand.step().await?.sample,
                Controller::Bare(bare) => bare.step().await?,
                Controller::Playwright(_) => continue,
            });
        }
        Ok(samples)
    }

    /// Clicks that were sent and that the page did not count.
    pub(crate) async fn missed(&mut self) -> Result<u64> {
        match self {
            Controller::Surehand(surehand) => surehand.missed().await,
            Controller::Bare(bare) => bare.missed().await,
            Controller::Playwright(playwright) => Ok(playwright.missed()),
        }
    }

    pub(crate) async fn close(self) {
        match self {
            Controller::Surehand(surehand) => surehand.close().await,
            Controller::Bare(bare) => bare.close().await,
            Controller::Playwright(playwright) => playwright.close().await,
        }
    }
}
