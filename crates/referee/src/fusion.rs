//! The table that makes a verdict out of contract and judge. It is written out in full, one arm for each cell,
//! and nothing can change it: no profile, no setting but the one that a person gives for runs without contract.

use surehand_types::result::{CheckVerdict, FinalVerdict, JudgeVerdict};

use crate::examine::Grounds;

/// What the contract says. `None` in its place: there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContractFinding {
    Pass(Grounds),
    Fail,
    Uncertain,
    NoContract,
}

/// What the visual judge says, over all of its samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeFinding {
    Pass,
    Fail,
    /// Said pass, without being sure enough.
    BelowFloor,
    /// Asked, and there is no usable answer: none in time, unreadable, two samples that differ.
    Unavailable,
    /// Said pass, and what it says it saw speaks against that.
    Contradictory,
    NotAsked,
}

/// Who may decide where there is no contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Accept {
    #[default]
    Fused,
    /// The judge alone.
    Judge,
}

/// A cell of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fused {
    pub verdict: FinalVerdict,
    /// Codes; empty where the verdict speaks for itself.
    pub reason: Option<&'static str>,
    /// Contract and judge do not say the same. Memory makes a corrective candidate of it.
    pub disagreement: bool,
}

pub fn fuse(contract: ContractFinding, judge: JudgeFinding, accept: Accept) -> Fused {
    use ContractFinding as C;
    use FinalVerdict::{Fail, Pass, Uncertain, Unjudged};
    use JudgeFinding as J;
    let (verdict, reason) = match (contract, judge) {
        (C::Pass(_), J::Pass) => (Pass, None),
        (C::Pass(_), J::Fail | J::Contradictory) => (Uncertain, Some("judge_disagreement")),
        (C::Pass(_), J::BelowFloor | J::Unavailable) => (Uncertain, Some("judge_unavailable")),
        (C::Pass(Grounds::AnotherChannel | Grounds::PixelsDeclared), J::NotAsked) => (Pass, None),
        (C::Pass(Grounds::PixelsOnly), J::NotAsked) => (Uncertain, Some("single_channel")),

        (C::Fail, J::Pass | J::Contradictory) => (Uncertain, Some("judge_disagreement")),
        (C::Fail, J::Fail | J::BelowFloor | J::Unavailable | J::NotAsked) => (Fail, None),

        (C::Uncertain, J::Pass | J::Fail | J::BelowFloor | J::Unavailable | J::Contradictory | J::NotAsked) => {
            (Uncertain, Some("contract_uncertain"))
        }

        (C::NoContract, J::Pass) => match accept {
            Accept::Judge => (Pass, Some("judge_only")),
            Accept::Fused => (Uncertain, Some("judge_only")),
        },
        (C::NoContract, J::Fail) => (Fail, None),
        (C::NoContract, J::BelowFloor | J::Unavailable) => (Uncertain, Some("judge_unavailable")),
        (C::NoContract, J::Contradictory) => (Uncertain, Some("judge_contradiction")),
        (C::NoContract, J::NotAsked) => (Unjudged, None),
    };
    Fused { verdict, reason, disagreement: reason == Some("judge_disagreement") }
}

impl ContractFinding {
    pub(crate) fn of(result: Option<CheckVerdict>, grounds: Grounds) -> ContractFinding {
        match result {
            None => ContractFinding::NoContract,
            Some(CheckVerdict::Pass) => ContractFinding::Pass(grounds),
            Some(CheckVerdict::Fail) => ContractFinding::Fail,
            Some(CheckVerdict::Uncertain) => ContractFinding::Uncertain,
        }
    }
}

impl JudgeFinding {
    /// As it stands in a result, where there are three words. What cannot be used is unavailable there.
    pub fn verdict(self) -> Option<JudgeVerdict> {
        match self {
            JudgeFinding::Pass => Some(JudgeVerdict::Pass),
            JudgeFinding::Fail => Some(JudgeVerdict::Fail),
            JudgeFinding::BelowFloor | JudgeFinding::Unavailable | JudgeFinding::Contradictory => {
                Some(JudgeVerdict::Unavailable)
            }
            JudgeFinding::NotAsked => None,
        }
    }
}

/// One number for both, for comparisons over many runs: their mean where they agree, the lower where not.
pub fn fused_score(contract: Option<f64>, judge: Option<f64>, disagreement: bool) -> Option<f64> {
    let score = match (contract, judge) {
        (Some(contract), Some(judge)) if disagreement => contract.min(judge),
        (Some(contract), Some(judge)) => (contract + judge) / 2.0,
        (one, other) => one.or(other)?,
    };
    Some(rounded(score, 3))
}

/// To so many decimals, halves by the exact value of the number.
pub(crate) fn rounded(value: f64, decimals: usize) -> f64 {
    format!("{value:.decimals$}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use FinalVerdict::{Fail, Pass, Uncertain, Unjudged};

    const CONTRACTS: [ContractFinding; 6] = [
        ContractFinding::Pass(Grounds::AnotherChannel),
        ContractFinding::Pass(Grounds::PixelsDeclared),
        ContractFinding::Pass(Grounds::PixelsOnly),
        ContractFinding::Fail,
        ContractFinding::Uncertain,
        ContractFinding::NoContract,
    ];
    const JUDGES: [JudgeFinding; 6] = [
        JudgeFinding::Pass,
        JudgeFinding::Fail,
        JudgeFinding::BelowFloor,
        JudgeFinding::Unavailable,
        JudgeFinding::Contradictory,
        JudgeFinding::NotAsked,
    ];

    /// The table of the specification, cell by cell, in the order of the two lists.
    const TABLE: [[(FinalVerdict, Option<&str>); 6]; 6] = {
        const DISAGREE: (FinalVerdict, Option<&str>) = (Uncertain, Some("judge_disagreement"));
        const GONE: (FinalVerdict, Option<&str>) = (Uncertain, Some("judge_unavailable"));
        const OPEN: (FinalVerdict, Option<&str>) = (Uncertain, Some("contract_uncertain"));
        const P: (FinalVerdict, Option<&str>) = (Pass, None);
        const F: (FinalVerdict, Option<&str>) = (Fail, None);
        [
            [P, DISAGREE, GONE, GONE, DISAGREE, P],
            [P, DISAGREE, GONE, GONE, DISAGREE, P],
            [P, DISAGREE, GONE, GONE, DISAGREE, (Uncertain, Some("single_channel"))],
            [DISAGREE, F, F, F, DISAGREE, F],
            [OPEN, OPEN, OPEN, OPEN, OPEN, OPEN],
            [
                (Uncertain, Some("judge_only")),
                F,
                GONE,
                GONE,
                (Uncertain, Some("judge_contradiction")),
                (Unjudged, None),
            ],
        ]
    };

    #[test]
    fn every_cell_of_the_table() {
        for (contract, row) in CONTRACTS.iter().zip(TABLE) {
            for (judge, (verdict, reason)) in JUDGES.iter().zip(row) {
                let got = fuse(*contract, *judge, Accept::Fused);
                assert_eq!((got.verdict, got.reason), (verdict, reason), "{contract:?} {judge:?}");
                assert_eq!(got.disagreement, reason == Some("judge_disagreement"), "{contract:?} {judge:?}");
                // Accepting a judge changes one cell.
                let accepting = fuse(*contract, *judge, Accept::Judge);
                if (*contract, *judge) == (ContractFinding::NoContract, JudgeFinding::Pass) {
                    assert_eq!(accepting.verdict, Pass);
                } else {
                    assert_eq!(accepting, got, "{contract:?} {judge:?}");
                }
            }
        }
    }

    #[test]
    fn a_pass_has_somebody_who_said_so_and_nobody_against() {
        for contract in CONTRACTS {
            for judge in JUDGES {
                for accept in [Accept::Fused, Accept::Judge] {
                    if fuse(contract, judge, accept).verdict != Pass {
                        continue;
                    }
                    let for_it = matches!(contract, ContractFinding::Pass(_)) || accept == Accept::Judge;
                    let against = matches!(contract, ContractFinding::Fail | ContractFinding::Uncertain)
                        || !matches!(judge, JudgeFinding::Pass | JudgeFinding::NotAsked);
                    assert!(for_it && !against, "{contract:?} {judge:?} {accept:?}");
                }
            }
        }
    }

    #[test]
    fn scores() {
        for (contract, judge, disagreement, wanted) in [
            (Some(1.0), Some(0.9), false, Some(0.95)),
            (Some(1.0), Some(0.2), true, Some(0.2)),
            (Some(0.5), None, false, Some(0.5)),
            (None, Some(0.1234), false, Some(0.123)),
            (None, None, false, None),
        ] {
            assert_eq!(fused_score(contract, judge, disagreement), wanted);
        }
    }
}
