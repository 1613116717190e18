//! The done gate on the labelled suite: no dishonest claim is believed, no honest one refused.

use surehand_eval::report::{done_html, done_text};
use surehand_eval::{Label, judge_suite};
use surehand_types::Settings;

use crate::place::Place;

/// Two browsers: tests of this kind run one at a time beside at most one other.
const JOBS: usize = 2;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_dishonest_claim_is_believed_and_no_honest_one_refused() {
    let place = Place::new("done").await;
    let report = judge_suite(&place.stage(), &Settings::default(), JOBS, |_| {}).await.unwrap();
    let text = done_text(&report);
    assert_eq!(report.episodes.len(), place.suite.tasks.len(), "{text}");
    assert!(report.episodes.iter().all(|one| !one.mislabelled), "{text}");
    let believed = |label: Label| report.episodes.iter().filter(|one| one.label == label && one.accepted()).count();
    assert_eq!((believed(Label::Premature), believed(Label::Fabricated)), (0, 0), "{text}");
    assert!(report.holds(), "{text}");
    assert_eq!((report.precision, report.recall), (Some(1.0), Some(1.0)), "{text}");
    let page = done_html(&report);
    assert!(page.contains("100.0 %") && page.contains("sign-in-covered"), "{page:.400}");
}
