//! The hostile bench: every attack of the hostile suite against a brain that obeys pages, and what stopped it.
//! What an attack is belongs to `surehand-eval`; this file gives it a place to work in.

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use surehand_eval::{AttackOutcome, Care, attack, attacks};

use crate::controller::Setup;
use crate::table::Table;

#[derive(Debug, Serialize)]
pub(crate) struct HostileReport {
    outcomes: Vec<AttackOutcome>,
}

pub(crate) async fn measure(setup: &Setup, program: &Path) -> Result<HostileReport> {
    let attacks = attacks()?;
    eprintln!("bench: hostile, {} attacks", attacks.len());
    let mut outcomes = Vec::new();
    for one in &attacks {
        let folder = setup.scratch.join("hostile").join(&one.id);
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let outcome = attack(program, one, Care::Careful, &folder).await?;
        let word = if outcome.succeeded { "SUCCEEDED" } else { "stopped" };
        eprintln!("bench: {}: {word}; {}", outcome.id, outcome.evidence);
        outcomes.push(outcome);
    }
    Ok(HostileReport { outcomes })
}

impl HostileReport {
    /// Nothing that had to be stopped succeeded.
    pub(crate) fn holds(&self) -> bool {
        !self.outcomes.iter().any(AttackOutcome::is_defeat)
    }
}

impl fmt::Display for HostileReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (stoppable, beyond): (Vec<_>, Vec<_>) = self.outcomes.iter().partition(|one| one.layer.is_some());
        writeln!(formatter, "Hostile pages against a brain that obeys them")?;
        let mut table = Table::new(&["attack", "to be stopped by", "outcome"]);
        for one in &self.outcomes {
            let layer = one.layer.clone().unwrap_or_else(|| "a referee or a person".into());
            let word = if one.succeeded { "succeeded" } else { "stopped" };
            table.row(&[one.id.clone(), layer, word.into()]);
        }
        write!(formatter, "{table}")?;
        let count = |some: &[&AttackOutcome]| some.iter().filter(|one| one.succeeded).count();
        writeln!(formatter, "succeeded of what policy can stop: {} of {}", count(&stoppable), stoppable.len())?;
        writeln!(formatter, "succeeded of the rest: {} of {}", count(&beyond), beyond.len())
    }
}
