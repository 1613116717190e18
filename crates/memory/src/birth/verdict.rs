//! What a verdict teaches: which checks a failed run did not meet, and that the parties did not agree. The words are
//! those of the contract's author and ours; what pages showed is left out.

use surehand_types::result::FinalVerdict;

use crate::facts::{ActionClass, FailedCheck, RunFacts};
use crate::fingerprint::{FailureText, place_key};
use crate::lesson::{Delta, Draft, task_key};
use crate::sanitise;

/// Checks of one run that become lessons.
const CHECKS: usize = 3;

pub(super) fn drafts(run: &RunFacts) -> Vec<Draft> {
    if run.disagreement {
        return vec![disagreement(run)];
    }
    // What the lesson says is that calling it done was wrong.
    if run.verdict != FinalVerdict::Fail || !run.strong || !run.called_done {
        return Vec::new();
    }
    run.failed_checks.iter().take(CHECKS).map(|check| unmet(run, check)).collect()
}

fn unmet(run: &RunFacts, check: &FailedCheck) -> Draft {
    let kind = plain(&check.kind);
    let named = check.name.as_deref().and_then(sanitise::name).map(|name| format!(" \"{name}\"")).unwrap_or_default();
    let rule = format!(
        "A run of this task that was called done did not meet the check {kind}{named} ({}). Look at that before calling \
         it done.",
        plain(&check.reason)
    );
    draft(
        run,
        rule,
        &format!("check {kind} {}", plain(&check.reason)),
        vec!["verdict_fail".into(), format!("check_{kind}")],
    )
}

/// Corrective: it asks for a plainer result, and takes no side.
fn disagreement(run: &RunFacts) -> Draft {
    let rule = "Contract and judge did not agree about the result of this task. Make the result plain to see before \
                calling it done.";
    draft(run, rule.into(), "judge disagreement", vec!["disagreement".into()])
}

fn draft(run: &RunFacts, rule: String, error: &str, mut tags: Vec<String>) -> Draft {
    let state = contract_of(run);
    let action = ActionClass::Done.as_str();
    tags.push(format!("on_{action}"));
    Draft {
        rule,
        triggers: vec![
            FailureText { error, state: &state, action }.fingerprint(),
            place_key(&run.origin, &task_key(&run.task)),
        ],
        tags,
        origin: run.origin.clone(),
        task: task_key(&run.task),
        learned_in: task_key(&run.task),
        delta: Delta { state, action: action.into(), ..Delta::default() },
        source: run.source(),
    }
}

/// The contract as lessons name it; empty where there was none.
pub(crate) fn contract_of(run: &RunFacts) -> String {
    run.contract.as_deref().map(plain).unwrap_or_default()
}

/// Codes and ids: letters, digits and underscores.
fn plain(code: &str) -> String {
    let plain: String = code
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { ' ' })
        .take(60)
        .collect();
    crate::words::collapsed(&plain)
}
