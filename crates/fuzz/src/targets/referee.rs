//! What the referee reads: contracts that people write, and the replies of a judge.

use std::path::Path;

use proptest::strategy::BoxedStrategy;
use serde_json::{Value, json};
use surehand_referee::judge::{JudgeReply, TwoValuedReply};
use surehand_referee::{Contract, contract_schema};

use crate::generate::{mutated_json, mutated_text};
use crate::{Target, holds, is_sentence};

pub(super) const CONTRACTS: Target = Target { name: "contracts", cases: 400, input: contracts, check: check_contract };
pub(super) const JUDGEMENTS: Target =
    Target { name: "judgements", cases: 500, input: judgements, check: check_judgement };

/// One contract for each check of the sample, so that a change hits something.
fn contracts() -> BoxedStrategy<Vec<u8>> {
    let sample: Value =
        serde_json::from_str(include_str!("../../../referee/samples/every_check.json")).unwrap_or_default();
    let checks = sample["checks"].as_array().cloned().unwrap_or_default();
    mutated_json(checks.into_iter().map(|check| json!({"id": "x", "rubric": "r", "checks": [check]})).collect())
}

fn check_contract(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    match Contract::read(&text, Path::new(".")) {
        Ok(contract) => {
            let _ = (contract.warnings(), contract.channels(), contract.roots(), contract.matches_task(&text));
            holds(contract.sha256().len() == 64, || "a contract without a hash".into())?;
            fits_the_schema(&text)
        }
        Err(error) => is_sentence(&error.to_string()),
    }
}

/// What the reader takes, the published schema knows by name.
fn fits_the_schema(text: &str) -> Result<(), String> {
    let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap_or_default();
    let schema = contract_schema();
    let known = schema["properties"].as_object();
    let unknown =
        value.as_object().into_iter().flatten().find(|(name, _)| known.is_none_or(|k| !k.contains_key(*name)));
    holds(unknown.is_none(), || format!("the schema does not know {unknown:?}"))
}

fn judgements() -> BoxedStrategy<Vec<u8>> {
    mutated_text(&[
        "{\"passed\":true,\"score\":0.92,\"confidence\":0.8,\"reasons\":[\"ok\"],\"observed_active_steps\":[13,1,5,9]}",
        "Here:\n```json\n{\"passed\": false, \"score\": 0.2, \"confidence\": 1, \"reasons\": []}\n```",
        "{\"passed\":\"false\",\"score\":\"high\",\"confidence\":null}",
        "{\"passed\":true,\"score\":1,\"confidence\":1,\"observed\":{\"requirements\":[{\"met\":true},{\"met\":null}]}}",
    ])
}

fn check_judgement(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let share = |number: f64| (0.0..=1.0).contains(&number);
    if let Ok(reply) = JudgeReply::read(&text, 16) {
        holds(share(reply.score) && share(reply.confidence), || format!("no shares: {reply:?}"))?;
        holds(reply.reasons.len() <= 8, || format!("{} reasons", reply.reasons.len()))?;
        let steps = reply.active_steps.iter().flatten().all(|step| (1..=16).contains(step));
        holds(steps, || format!("steps out of range: {reply:?}"))?;
    }
    let reply = TwoValuedReply::read(&text);
    holds(share(reply.score) && share(reply.confidence), || format!("no shares: {reply:?}"))
}
