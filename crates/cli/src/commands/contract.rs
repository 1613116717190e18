//! `surehand contract`: what a contract file has to look like, and whether one does.

use std::path::Path;

use serde_json::json;
use surehand_referee::{Contract, contract_schema};

use crate::args_referee::{ContractArguments, ContractCommand};
use crate::exit::Failure;
use crate::output::say;
use surehand_conduct::statement_problem;

pub(crate) fn contract(arguments: ContractArguments) -> Result<i32, Failure> {
    match arguments.command {
        ContractCommand::Check { file, json } => Ok(check(&file, json)),
        ContractCommand::Schema => {
            say!("{}", serde_json::to_string_pretty(&contract_schema()).unwrap_or_default());
            Ok(0)
        }
    }
}

fn check(file: &Path, as_json: bool) -> i32 {
    let read = Contract::load(file).map_err(|error| error.to_string());
    let read = read.and_then(|contract| match statement_problem(&contract) {
        Some(problem) => Err(problem),
        None => Ok(contract),
    });
    let (checks, warnings, channels) = match &read {
        Ok(contract) => (contract.check_count(), contract.warnings(), contract.channels()),
        Err(_) => Default::default(),
    };
    let problem = read.as_ref().err().cloned();
    if as_json {
        let id = read.as_ref().ok().map(|contract| contract.id());
        say!(
            "{}",
            json!({"ok": read.is_ok(), "id": id, "checks": checks, "channels": channels, "warnings": warnings, "problem": problem})
        );
    } else if let Some(problem) = &problem {
        eprintln!("surehand: {}: {problem}", file.display());
    } else {
        let noun = if checks == 1 { "check" } else { "checks" };
        let places: Vec<&str> = channels.iter().map(|channel| channel.as_str()).collect();
        say!("ok: {checks} {noun}, from {}", if places.is_empty() { "nowhere".into() } else { places.join(", ") });
        for warning in warnings {
            say!("note: {warning}");
        }
    }
    if read.is_ok() { 0 } else { 2 }
}
