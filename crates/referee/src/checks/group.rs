//! Several checks as one: one of them has to hold, or none of them may.

use serde_json::{Value, json};
use surehand_types::referee::CheckResult;

use crate::contract::{Group, GroupRule};
use crate::finding::Finding;

pub(crate) fn judge(rule: &Group, findings: &[Finding]) -> Finding {
    let told: Vec<Value> = rule
        .checks
        .iter()
        .zip(findings)
        .map(|(check, finding)| {
            json!({"type": check.kind.name(), "result": finding.result, "reason": finding.reason, "observed": finding.observed})
        })
        .collect();
    let observed = json!({"checks": told});
    let with = |result: CheckResult| findings.iter().find(|finding| finding.result == result);
    let unknown = with(CheckResult::Unknown);
    match (rule.rule, with(CheckResult::Pass), unknown) {
        (GroupRule::AnyOf, Some(_), _) => Finding::pass(observed),
        (GroupRule::NoneOf, Some(_), _) => Finding::fail("unwanted_match", observed),
        (_, None, Some(open)) => Finding::unknown(open.reason.clone(), observed),
        (GroupRule::AnyOf, None, None) => Finding::fail("none_holds", observed),
        (GroupRule::NoneOf, None, None) => Finding::pass(observed),
    }
}
