//! From flags and settings to whoever judges an outcome: the contract, its folders, the judge's model, the databases.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use surehand_brain::prompt::Surface;
use surehand_brain::{BrainSpec, eyes};
use surehand_checks::before::allowlist::{Allowlist, OffLimits};
use surehand_env::browser::Secrets;
use surehand_referee::{Accept, Contract, ContractError, Folders, JudgeSettings};
use surehand_run::{Database, Referee};
use surehand_store::{read_sqlite, syntax_problem};
use surehand_types::Settings;
use surehand_types::vision::VisionModel;

use crate::brains::model_options;
use crate::browser::allowlist;
use crate::error::ConductError;

/// What is said of the referee beside the settings.
#[derive(Debug, Clone, Default)]
pub struct RefereeChoice {
    pub contract: Option<PathBuf>,
    /// Folders by name, each `NAME=DIR`.
    pub roots: Vec<String>,
    /// `http` checks ask only those whom the run's browser may reach: the contract came from outside.
    pub within_allowlist: bool,
}

/// Everything wrong with it is found here, before anything starts.
pub fn referee(
    settings: &Settings,
    choice: &RefereeChoice,
    secrets: &Arc<Secrets>,
    off_limits: &OffLimits,
) -> Result<Option<Referee>, ConductError> {
    let contract = choice.contract.as_deref().map(load_contract).transpose()?;
    if let Some(contract) = &contract {
        expect_secrets(contract, secrets)?;
    }
    let judge = judge(settings)?;
    if contract.is_none() && judge.is_none() {
        return Ok(None);
    }
    let folders = folders(contract.as_ref(), &choice.roots)?;
    Ok(Some(Referee {
        contract,
        folders,
        judge,
        judge_settings: JudgeSettings::of(settings),
        accept: if settings.text("accept") == "judge" { Accept::Judge } else { Accept::Fused },
        database: Some(Arc::new(SqliteFiles)),
        secrets: Arc::clone(secrets),
        reach: if choice.within_allowlist { reach(settings, off_limits)? } else { None },
    }))
}

/// Whom a contract that came from outside may ask: whomever the run's browser may.
fn reach(settings: &Settings, off_limits: &OffLimits) -> Result<Option<Arc<Allowlist>>, ConductError> {
    Ok(match allowlist(settings)? {
        Some(list) => Some(Arc::new(Allowlist::clone(&list).but(off_limits.clone()))),
        None if off_limits.is_empty() => None,
        None => Some(Arc::new(Allowlist::everywhere_but(off_limits.clone()))),
    })
}

/// A contract with nothing wrong that can be known without looking at the world.
pub fn load_contract(file: &Path) -> Result<Contract, ConductError> {
    without_problem(Contract::load(file))
}

/// The same for one that is given as text, for a run that has these secrets and no other folders.
pub fn check_contract(text: &str, folder: &Path, secrets: &Secrets) -> Result<(), ConductError> {
    let contract = without_problem(Contract::read(text, folder))?;
    expect_secrets(&contract, secrets)?;
    if !contract.reference_images().is_empty() {
        return Err(ConductError::usage("reference_images: a contract in a request has no files beside it"));
    }
    match contract.roots().first() {
        Some(root) => Err(ConductError::usage(format!(
            "the contract looks into a folder that it calls {root:?}, and a contract in a request has none but its run's own"
        ))),
        None => Ok(()),
    }
}

fn without_problem(read: Result<Contract, ContractError>) -> Result<Contract, ConductError> {
    let contract = read.map_err(|error| ConductError::usage(error.to_string()))?;
    match statement_problem(&contract) {
        Some(problem) => Err(ConductError::usage(problem)),
        None => Ok(contract),
    }
}

/// The first statement that SQLite cannot read, as one sentence.
pub fn statement_problem(contract: &Contract) -> Option<String> {
    contract
        .statements()
        .into_iter()
        .find_map(|(place, sql)| syntax_problem(sql).map(|why| format!("{place}: SQLite cannot read it: {why}")))
}

/// Headers may name secrets; those have to be there before a run is made for nothing.
pub fn expect_secrets(contract: &Contract, secrets: &Secrets) -> Result<(), ConductError> {
    let unknown = contract
        .header_values()
        .into_iter()
        .find_map(|(place, value)| secrets.unknown_in(value).map(|why| format!("{place}: {why}")));
    match unknown {
        Some(sentence) => Err(ConductError::usage(format!("{sentence}\nhint: --secret NAME=env:VARIABLE"))),
        None => Ok(()),
    }
}

pub fn judge(settings: &Settings) -> Result<Option<Box<dyn VisionModel>>, ConductError> {
    let Some(spec) = settings.optional_text("judge_model") else { return Ok(None) };
    match BrainSpec::parse(spec)? {
        BrainSpec::Model(model) => {
            Ok(Some(eyes(&model, &model_options(settings, Surface::Browser), settings.duration("judge_timeout"))?))
        }
        _ => Err(ConductError::usage(format!(
            "{spec:?} cannot be a judge: it has to be a model that sees\nhint: --judge anthropic, openai, gemini or chat:MODEL@URL"
        ))),
    }
}

/// The contract's own folder, and those that were named.
pub fn folders(contract: Option<&Contract>, named: &[String]) -> Result<Folders, ConductError> {
    let own = contract.map(|contract| contract.folder().to_path_buf()).unwrap_or_else(|| PathBuf::from("."));
    let mut folders = Folders::new(own);
    for pair in named {
        let (name, folder) =
            pair.split_once('=').filter(|(name, folder)| !name.is_empty() && !folder.is_empty()).ok_or_else(|| {
                ConductError::usage(format!(
                    "--root {pair:?} is not of the form NAME=DIR\nhint: --root exports=/srv/exports"
                ))
            })?;
        if !Path::new(folder).is_dir() {
            return Err(ConductError::usage(format!("--root {name}={folder}: there is no such folder")));
        }
        folders = folders.with(name, folder);
    }
    let missing = contract
        .iter()
        .flat_map(|contract| contract.roots())
        .find(|root| !named.iter().any(|pair| pair.split_once('=').is_some_and(|(name, _)| name == *root)));
    match missing {
        Some(root) => Err(ConductError::usage(format!(
            "the contract looks into a folder that it calls {root:?}, and nobody said where that is\nhint: --root {root}=DIR"
        ))),
        None => Ok(folders),
    }
}

/// Databases are files that the store knows how to read.
#[derive(Debug, Clone, Copy)]
pub struct SqliteFiles;

#[async_trait]
impl Database for SqliteFiles {
    async fn read(&self, file: &Path, sql: &str, deadline: Duration) -> Result<(Vec<Vec<Value>>, bool), String> {
        read_sqlite(file, sql, deadline).await
    }
}
