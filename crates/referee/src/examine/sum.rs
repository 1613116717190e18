//! How the findings of single checks become the result of a contract.

use surehand_types::referee::{Channel, CheckEvidence, CheckResult};
use surehand_types::result::CheckVerdict;

use super::{ContractReport, Crop, Grounds};
use crate::contract::{Authority, Contract, PassRule};

/// The rules about several checks: an unknown among the required ones leaves the contract open.
pub(super) fn add_up(contract: &Contract, checks: Vec<CheckEvidence>, crops: Vec<Crop>) -> ContractReport {
    let required: Vec<&CheckEvidence> = checks.iter().filter(|check| check.required).collect();
    let count = |result: CheckResult| required.iter().filter(|check| check.result == result).count();
    let (passed, failed, unknown) = (count(CheckResult::Pass), count(CheckResult::Fail), count(CheckResult::Unknown));
    let passes = |check: &&&CheckEvidence| check.result == CheckResult::Pass;
    // The brain's own answer proves nothing, however well-formed it is.
    let proof = required.iter().filter(passes).any(|check| check.channel != Channel::Output);
    let holds = match contract.pass_rule() {
        PassRule::All => failed == 0,
        PassRule::Any => passed > 0,
    };
    let mut reasons = Vec::new();
    let result = if required.is_empty() {
        None
    } else if unknown > 0 {
        let open = required.iter().filter(|check| check.result == CheckResult::Unknown);
        for check in open {
            let code = check.reason.split(':').next().unwrap_or_default().to_owned();
            if !reasons.contains(&code) {
                reasons.push(code);
            }
        }
        Some(CheckVerdict::Uncertain)
    } else if !holds {
        Some(CheckVerdict::Fail)
    } else if !proof {
        reasons.push("output_only".to_owned());
        Some(CheckVerdict::Uncertain)
    } else {
        Some(CheckVerdict::Pass)
    };
    let beside = required.iter().filter(passes).any(|check| check.channel.is_beside_pixels());
    let grounds = match (beside, contract.authority()) {
        (true, _) => Grounds::AnotherChannel,
        (false, Authority::Pixels) => Grounds::PixelsDeclared,
        (false, Authority::Fused) => Grounds::PixelsOnly,
    };
    let score = (!required.is_empty()).then(|| match contract.pass_rule() {
        PassRule::All => passed as f64 / required.len() as f64,
        PassRule::Any => f64::from(u8::from(passed > 0)),
    });
    ContractReport {
        id: contract.id().into(),
        sha256: contract.sha256().into(),
        result,
        score,
        reasons,
        channels: contract.channels(),
        warnings: contract.warnings(),
        grounds,
        checks,
        crops,
    }
}
