//! What made a dead action work: told from what merely came before.

use surehand_memory::{RunFacts, learn};
use surehand_types::ErrorCode;
use surehand_types::result::FinalVerdict::Pass;

use crate::support::{Did, Script, click, day, press, wait, write};

const SIGN_IN: Option<(&str, &str)> = Some(("button", "Sign in"));
const NECESSARY: Option<(&str, &str)> = Some(("button", "Only necessary"));
const EMAIL: Option<(&str, &str)> = Some(("textbox", "Email"));
const PASSWORD: Option<(&str, &str)> = Some(("textbox", "Password"));
const TOAST: Option<(&str, &str)> = Some(("button", "Hide tip"));

/// What a brain has in mind with everything it does.
const GOAL: &str = "sign in with the work account";

const LAYER: &str = "div#consent-layer \"We value your privacy Northbeam uses cookies\"";
const BANNER: &str = "We value your privacy Northbeam uses cookies to keep you signed in and to learn…";
const IN_BANNER: &[&str] = &["We value your privacy", "Only necessary", "Accept all"];
const WENT: &str = "something went from body, elsewhere";

const NECESSARY_DID_IT: &str = "Clicking the button \"Sign in\" had no effect, as something lay over it; it worked after clicking the button \"Only necessary\".";

fn script() -> Script {
    Script::new("r1", "sign in to the CRM", "https://crm.test/login")
}

fn rules(script: Script) -> Vec<String> {
    learn(&RunFacts::of(&script.verdict(Pass).result), day(0)).into_iter().map(|lesson| lesson.rule).collect()
}

trait Told {
    fn dead_under_the_banner(self) -> Script;
    fn dead_under_a_veil(self, target: Option<(&str, &str)>) -> Script;
    fn dismissed(self) -> Script;
    fn filled(self) -> Script;
    fn signed_in(self) -> Script;
}

impl Told for Script {
    fn dead_under_the_banner(self) -> Script {
        self.step(click(), SIGN_IN, GOAL, Did::Nothing).covered_by(LAYER, BANNER, IN_BANNER)
    }

    /// Nothing is written on it, and what can be clicked stands elsewhere.
    fn dead_under_a_veil(self, target: Option<(&str, &str)>) -> Script {
        self.step(click(), target, GOAL, Did::Nothing).covered_by("div#veil", "", &[])
    }

    fn dismissed(self) -> Script {
        self.step(click(), NECESSARY, GOAL, Did::Worked)
            .seen("mutation", WENT)
            .around("We value your privacy", &["We value your privacy", "Accept all"])
    }

    fn filled(mut self) -> Script {
        for (field, text) in [(EMAIL, "dana@northbeam.example"), (PASSWORD, "harbor-lights-42")] {
            self = self
                .step(click(), field, "fill it in", Did::Worked)
                .seen("focus", "focus moved to the field")
                .around("Sign in", &[])
                .step(write(text), field, "fill it in", Did::Worked)
                .seen("value", "the field holds another text");
        }
        self
    }

    fn signed_in(self) -> Script {
        self.step(click(), SIGN_IN, GOAL, Did::Worked).seen("navigation", "another document was loaded")
    }
}

#[test]
fn what_took_the_cover_away_is_named_and_not_what_came_last() {
    let run = script().dead_under_the_banner().dead_under_the_banner().dismissed().filled().signed_in();
    assert_eq!(rules(run), [NECESSARY_DID_IT]);
    let veiled = script().dead_under_a_veil(SIGN_IN).dismissed().filled().signed_in();
    assert_eq!(rules(veiled), [NECESSARY_DID_IT]);
    // It fades: the wait is part of it, and a menu that opens meanwhile is not.
    let faded = script().dead_under_the_banner().dismissed().step(wait(), None, "", Did::Unknown).signed_in();
    assert_eq!(rules(faded), [NECESSARY_DID_IT]);
    let menu = script()
        .dead_under_a_veil(SIGN_IN)
        .dismissed()
        .step(click(), Some(("button", "Language")), "", Did::Worked)
        .seen("mutation", "something appeared in menu")
        .signed_in();
    assert_eq!(rules(menu), [NECESSARY_DID_IT]);
    // A layer that is hidden and not removed is named by what is said of it.
    let hidden = script()
        .dead_under_the_banner()
        .dismissed()
        .seen("mutation", &format!("a property changed of {LAYER}, elsewhere"))
        .step(wait(), None, "", Did::Unknown)
        .signed_in();
    assert_eq!(rules(hidden), [NECESSARY_DID_IT]);
}

#[test]
fn where_it_still_lay_and_where_it_was_gone_bound_the_search() {
    // A tip was closed before the layer was met again.
    let still = script()
        .dead_under_a_veil(SIGN_IN)
        .step(click(), TOAST, "", Did::Worked)
        .seen("mutation", WENT)
        .dead_under_a_veil(EMAIL)
        .dismissed()
        .signed_in();
    assert_eq!(rules(still), [NECESSARY_DID_IT]);
    // And after what it had covered could be reached.
    let gone = script()
        .dead_under_a_veil(SIGN_IN)
        .dead_under_a_veil(EMAIL)
        .dismissed()
        .filled()
        .step(click(), TOAST, "", Did::Worked)
        .seen("mutation", WENT)
        .signed_in();
    let email_as_well = NECESSARY_DID_IT.replace("button \"Sign in\"", "textbox \"Email\"");
    assert_eq!(rules(gone), [NECESSARY_DID_IT.to_string(), email_as_well]);
    // In the layer itself, the last thing: that the first did not take it away is shown by the last being there.
    let chosen = script()
        .dead_under_the_banner()
        .step(click(), Some(("switch", "Analytics")), "", Did::Worked)
        .seen("mutation", "a property changed of switch")
        .around("We value your privacy", &[])
        .dismissed()
        .signed_in();
    assert_eq!(rules(chosen), [NECESSARY_DID_IT]);
    // By itself: it was reached before anything was done.
    let by_itself = script()
        .dead_under_a_veil(SIGN_IN)
        .step(serde_json::json!({"tool": "mouse", "action": "move"}), SIGN_IN, "", Did::Worked)
        .seen("pixels", "what was hit was painted anew")
        .step(click(), TOAST, "", Did::Worked)
        .seen("mutation", WENT)
        .signed_in();
    assert_eq!(rules(by_itself).iter().filter(|rule| rule.contains("Hide tip")).count(), 0);
    let waited = script().dead_under_a_veil(SIGN_IN).step(wait(), None, "", Did::Unknown).signed_in();
    assert_eq!(
        rules(waited),
        ["Clicking the button \"Sign in\" had no effect, as something lay over it; it worked after waiting."]
    );
    // A click on the layer is what closes some.
    let closed = script()
        .dead_under_the_banner()
        .step(click(), EMAIL, "", Did::Worked)
        .covered_by(LAYER, BANNER, IN_BANNER)
        .seen("mutation", WENT)
        .filled()
        .signed_in();
    assert_eq!(
        rules(closed),
        [NECESSARY_DID_IT.replace("button \"Only necessary\"", "textbox \"Email\"")],
        "the click went to the layer"
    );
}

#[test]
fn of_several_that_may_have_uncovered_it_none_is_named() {
    let none = Vec::<String>::new();
    let both = script()
        .dead_under_a_veil(SIGN_IN)
        .step(click(), TOAST, "", Did::Worked)
        .seen("mutation", WENT)
        .dismissed()
        .signed_in();
    assert_eq!(rules(both), none);
    let waited = script().dead_under_a_veil(SIGN_IN).dismissed().step(wait(), None, "", Did::Unknown).signed_in();
    assert_eq!(rules(waited), none);
    let unseen = script()
        .dead_under_a_veil(SIGN_IN)
        .step(click(), TOAST, "", Did::Unknown)
        .step(click(), Some(("button", "Language")), "", Did::Worked)
        .signed_in();
    assert_eq!(rules(unseen), none);
    let typed = script().dead_under_a_veil(SIGN_IN).filled().signed_in();
    assert_eq!(rules(typed), none, "typing takes nothing away");
}

#[test]
fn clearing_the_way_is_not_another_way() {
    let none = Vec::<String>::new();
    assert_eq!(rules(script().dead_under_the_banner().dismissed()), none, "the same thought, and nothing more");
    let entered = script().dead_under_the_banner().dismissed().step(press("Enter"), SIGN_IN, "", Did::Worked);
    assert_eq!(rules(entered), none, "the click may have worked as well by then");
    let around = script().dead_under_the_banner().step(press("Enter"), SIGN_IN, "", Did::Worked);
    assert_eq!(
        rules(around),
        ["Clicking the button \"Sign in\" had no effect, as something lay over it; pressing Enter worked."]
    );
}

#[test]
fn a_dead_action_without_a_cover_is_held_to_the_same() {
    let none = Vec::<String>::new();
    let dead = || script().step(click(), SIGN_IN, GOAL, Did::Nothing);
    let works_after = |what: &str| [format!("Clicking the button \"Sign in\" had no effect; it worked after {what}.")];
    let terms = |script: Script| script.step(click(), Some(("checkbox", "Terms")), "", Did::Worked);
    assert_eq!(rules(dead().filled().signed_in()), none, "either field, or both");
    assert_eq!(rules(terms(dead()).filled().signed_in()), none);
    assert_eq!(rules(terms(dead()).step(wait(), None, "", Did::Unknown).signed_in()), none);
    assert_eq!(rules(terms(dead().step(click(), TOAST, "", Did::Unknown)).signed_in()), none);
    assert_eq!(rules(terms(dead()).step(press("Enter"), SIGN_IN, "", Did::Worked)), none);
    // One thing that counts, whatever was done by the way, came to nothing or could not be done.
    let one = terms(dead().step(click(), EMAIL, "", Did::Worked).seen("focus", "focus moved to textbox"))
        .step(click(), TOAST, "", Did::Nothing)
        .step(click(), NECESSARY, "", Did::Error(ErrorCode::Denied, "not allowed"));
    assert_eq!(rules(one.signed_in()), works_after("clicking the checkbox \"Terms\""));
    assert_eq!(rules(terms(terms(dead())).signed_in()), works_after("clicking the checkbox \"Terms\""));
    // What failed once more in the same way is told of by the later failure.
    assert_eq!(
        rules(terms(dead()).step(click(), SIGN_IN, "", Did::Nothing).step(wait(), None, "", Did::Unknown).signed_in()),
        works_after("waiting")
    );
}

#[test]
fn the_goal_in_mind_does_not_make_a_step_on_the_way_a_way() {
    // The same thought all the time, and the success is far off.
    let mut run = script().step(click(), SIGN_IN, GOAL, Did::Nothing);
    for field in ["Email", "Password", "Code", "Company", "Team", "Region", "Language"] {
        run = run.step(write(field), Some(("textbox", field)), GOAL, Did::Worked);
    }
    assert_eq!(rules(run.signed_in()), Vec::<String>::new());
}
