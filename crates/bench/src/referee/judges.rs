//! Judges whose errors are known: a model behind the real question and the real reading of replies, which knows the
//! truth and gets it wrong in a fixed share of the cases.

use surehand_types::vision::{VisionFuture, VisionModel, VisionReply, VisionRequest};

use super::cases::Case;

pub(super) struct ScriptedJudge {
    pub(super) name: &'static str,
    /// Percent of cases in which it says the opposite.
    wrong_percent: u64,
    /// Says pass whatever it sees.
    agrees_always: bool,
}

pub(super) const JUDGES: &[ScriptedJudge] = &[
    ScriptedJudge { name: "wrong in 5 %", wrong_percent: 5, agrees_always: false },
    ScriptedJudge { name: "wrong in 20 %", wrong_percent: 20, agrees_always: false },
    ScriptedJudge { name: "always says pass", wrong_percent: 0, agrees_always: true },
];

impl ScriptedJudge {
    pub(super) fn about(&self, case: &Case) -> ScriptedAnswer {
        // By the case's name: the same every time, and independent of the other judges' errors.
        let wrong = hash(&format!("{} {}", self.name, case.id)) % 100 < self.wrong_percent;
        ScriptedAnswer { passed: self.agrees_always || case.right != wrong }
    }
}

pub(super) struct ScriptedAnswer {
    passed: bool,
}

impl VisionModel for ScriptedAnswer {
    fn name(&self) -> &str {
        "scripted"
    }

    fn ask<'a>(&'a self, _request: &'a VisionRequest) -> VisionFuture<'a> {
        let (passed, score) = (self.passed, if self.passed { 0.9 } else { 0.1 });
        let text =
            format!("{{\"passed\": {passed}, \"score\": {score}, \"confidence\": 0.9, \"reasons\": [\"as seen\"]}}");
        Box::pin(async move { Ok(VisionReply { text, model: "scripted".into(), cost: 0.0 }) })
    }
}

/// FNV-1a, the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
