//! From contract and judge to a verdict, through the public door.

use serde_json::json;
use surehand_types::Pixels;
use surehand_types::result::{CheckVerdict, JudgeVerdict};

use super::*;
use crate::evidence::Shot;
use crate::judge::tests::{NO, Scripted, YES};
use crate::probes::{NoProbes, PageFacts, Probed};

struct Page(&'static str);

#[async_trait::async_trait]
impl Probes for Page {
    async fn page(&self) -> Probed<PageFacts> {
        Ok(PageFacts { url: Some(self.0.into()), title: None })
    }
}

fn contract() -> Contract {
    let text = json!({"id": "order", "rubric": "an order", "task_match": {"any": ["order"]},
                      "checks": [{"type": "url", "regex": "/orders/\\d+$"}]});
    Contract::read(&text.to_string(), std::path::Path::new(".")).unwrap()
}

async fn ruled(page: &'static str, answers: Option<&[&str]>, contract: Option<&Contract>, accept: Accept) -> Ruling {
    let model = Scripted::saying(answers.unwrap_or_default());
    let evidence =
        Evidence { shot: Some(Shot::from_pixels(Pixels::new(2, 2, vec![7; 12]).unwrap())), ..Evidence::default() };
    let judge =
        answers.map(|_| Judging { model: &model, settings: JudgeSettings::default(), rubric: Some("r".into()) });
    let self_report = Some(SelfReport { success: true, summary: "All done!".into() });
    let probes = Page(page);
    rule(Case { task: "Make an order", contract, evidence: &evidence, probes: &probes, judge, accept, self_report })
        .await
}

#[tokio::test(start_paused = true)]
async fn verdicts_follow_the_table_and_keep_four_fields() {
    use FinalVerdict::{Fail, Pass, Uncertain, Unjudged};
    let (right, wrong) = ("http://shop.test/orders/7", "http://shop.test/cart");
    let contract = contract();
    let both: &[&str] = &[YES, YES];
    let neither: &[&str] = &[NO, NO];
    for (about, page, answers, with_contract, accept, wanted, disagreement) in [
        ("both pass", right, Some(both), true, Accept::Fused, Pass, false),
        ("both fail", wrong, Some(neither), true, Accept::Fused, Fail, false),
        ("judge against", right, Some(neither), true, Accept::Fused, Uncertain, true),
        ("contract against", wrong, Some(both), true, Accept::Judge, Uncertain, true),
        ("judge silent", right, Some(&[] as &[&str]), true, Accept::Fused, Uncertain, false),
        ("judge silent, contract fails", wrong, Some(&[] as &[&str]), true, Accept::Fused, Fail, false),
        ("no judge", right, None, true, Accept::Fused, Pass, false),
        ("no contract", right, Some(both), false, Accept::Fused, Uncertain, false),
        ("no contract, the judge may decide", right, Some(both), false, Accept::Judge, Pass, false),
        ("no contract, the judge says no", right, Some(neither), false, Accept::Fused, Fail, false),
        ("nobody", right, None, false, Accept::Judge, Unjudged, false),
    ] {
        let ruling = ruled(page, answers, with_contract.then_some(&contract), accept).await;
        assert_eq!((ruling.verdict.r#final, ruling.verdict.disagreement), (wanted, disagreement), "{about}");
        assert_eq!(ruling.verdict.contract.is_some(), with_contract, "{about}");
        assert_eq!(ruling.verdict.judge.is_some(), answers.is_some(), "{about}");
        assert!(ruling.verdict.self_report.as_ref().is_some_and(|report| report.success), "{about}");
        assert_eq!(ruling.record.eval_final_verdict, wanted, "{about}");
    }
}

#[tokio::test]
async fn the_wire_answer() {
    let contract = contract();
    let ruling = ruled("http://shop.test/cart", Some(&[YES, YES]), Some(&contract), Accept::Fused).await;
    assert_eq!(ruling.verdict.reasons, ["judge_disagreement", "checks[0]: no_match"]);
    assert_eq!((ruling.verdict.contract, ruling.verdict.judge), (Some(CheckVerdict::Fail), Some(JudgeVerdict::Pass)));
    assert_eq!((ruling.record.eval_score, ruling.exit_code()), (Some(0.0), 3));
    let wire = ruling.to_wire();
    assert_eq!(wire["contract"], "order");
    assert_eq!(
        (&wire["contract_result"], &wire["judge_result"], &wire["final"]),
        (&json!("fail"), &json!("pass"), &json!("uncertain"))
    );
    assert_eq!(
        wire["checks"],
        json!([{"index": 0, "type": "url", "required": true, "channel": "page", "result": "fail",
                "expected": {"regex": "/orders/\\d+$"}, "observed": "http://shop.test/cart", "confidence": 1.0,
                "reason": "no_match"}])
    );
    assert_eq!((&wire["channels"], &wire["warnings"]), (&json!(["page"]), &json!([])));
    // A record can be read back as it was written.
    let text = serde_json::to_string(&ruling.record).unwrap();
    assert_eq!(serde_json::from_str::<RefereeRecord>(&text).unwrap(), ruling.record);
}

#[tokio::test]
async fn a_contract_for_another_task_is_said() {
    let contract = contract();
    let evidence = Evidence::default();
    let case = |task| Case {
        task,
        contract: Some(&contract),
        evidence: &evidence,
        probes: &NoProbes,
        judge: None,
        accept: Accept::Fused,
        self_report: None,
    };
    assert!(rule(case("Make an order")).await.record.warnings.is_empty());
    let ruling = rule(case("Write a letter")).await;
    assert_eq!(ruling.record.warnings, ["the contract's `task_match` does not fit this task"]);
    assert_eq!((ruling.verdict.r#final, ruling.exit_code()), (FinalVerdict::Uncertain, 3));
    assert_eq!(ruling.verdict.reasons, ["contract_uncertain", "not_available"]);
}
