//! Whole plans through the machine, with outcomes that are made up here.

mod asked;
mod resumed;

use serde_json::{Value, json};
use surehand_types::ThreeValued;

use super::*;
use crate::extraction::{Evidence, FrameName};
use crate::problem::Problems;

/// What was asked for, in short, and how it ended.
struct Run {
    lines: Vec<String>,
    ending: Ending,
}

fn machine(plan: Value, given: Value) -> Machine {
    let plan = Plan::from_value(&plan).unwrap_or_else(|problems: Problems| panic!("{problems}"));
    let inputs = Inputs::resolve(&plan, given.as_object().unwrap()).unwrap();
    Machine::new(plan, inputs)
}

fn run(plan: Value, given: Value, answer: impl FnMut(&Work) -> Outcome) -> Run {
    run_with(machine(plan, given), Used { steps: 1, milliseconds: 1000, micro_dollars: 10_000 }, answer)
}

fn run_with(mut machine: Machine, used: Used, mut answer: impl FnMut(&Work) -> Outcome) -> Run {
    let mut lines = Vec::new();
    for _ in 0..10_000 {
        decide(&mut machine);
        if let Work::Finished(ending) = machine.next() {
            return Run { lines, ending: ending.clone() };
        }
        lines.push(line(machine.next()));
        let outcome = answer(machine.next());
        machine.report(outcome, used).unwrap();
    }
    panic!("the plan does not end");
}

/// Until there is something to do.
fn decide(machine: &mut Machine) -> Vec<Note> {
    let mut notes = Vec::new();
    while matches!(machine.next(), Work::Undecided) {
        notes.extend(machine.count_unreported(Used::default()));
    }
    notes
}

fn line(work: &Work) -> String {
    let id = &work.step().unwrap().id;
    let what = match work {
        Work::Navigate { url, .. } => url.clone(),
        Work::Act { intent, .. } => intent.clone(),
        Work::Fill { fields, .. } => {
            fields.iter().map(|field| format!("{}={}", field.label, field.value)).collect::<Vec<_>>().join(" ")
        }
        Work::Extract { what, .. } => what.clone(),
        Work::Verify { predicates, .. } | Work::Evaluate { predicates, .. } => {
            predicates.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        }
        Work::Ask { question, .. } => question.clone(),
        Work::Undecided | Work::Finished(_) => String::new(),
    };
    format!("{} {id}: {what}", work.name())
}

fn yes(count: usize) -> Vec<ThreeValued> {
    vec![ThreeValued::yes("seen"); count]
}

/// Everything goes well, and pages have nothing on them.
fn well(work: &Work) -> Outcome {
    let answers = yes(work.predicates().len());
    match work {
        Work::Extract { .. } => extracted(json!({})),
        Work::Verify { .. } | Work::Evaluate { .. } => Outcome::Evaluated { results: answers },
        Work::Ask { answer: Wanted::Approval, .. } => Outcome::Answered(Answer::Approved),
        Work::Ask { answer: Wanted::Recovery { .. }, .. } => Outcome::Answered(Answer::Stop),
        Work::Ask { answer: Wanted::Choice(choices), .. } => Outcome::Answered(Answer::Text(choices[0].clone())),
        Work::Ask { .. } => Outcome::Answered(Answer::Text("an answer".into())),
        _ => Outcome::Done { done_when: answers },
    }
}

fn broken(sentence: &str) -> Outcome {
    Outcome::Failed { sentence: sentence.into(), again: Again::Possible }
}

/// With evidence for everything.
fn extracted(value: Value) -> Outcome {
    fn places(value: &Value, path: String, found: &mut Vec<String>) {
        match value {
            Value::Object(map) if !map.is_empty() => {
                map.iter().for_each(|(name, value)| places(value, format!("{path}.{name}"), found))
            }
            Value::Array(list) if !list.is_empty() => {
                list.iter().enumerate().for_each(|(at, value)| places(value, format!("{path}[{at}]"), found))
            }
            _ => found.push(path),
        }
    }
    let mut found = Vec::new();
    places(&value, String::new(), &mut found);
    let seen =
        |field| Evidence { field, frame: FrameName::Number(1), r#box: None, selector: Some("#x".into()), text: None };
    Outcome::Extracted { value, evidence: found.into_iter().map(seen).collect(), done_when: Vec::new() }
}

fn act(id: &str) -> Value {
    json!({"id": id, "type": "act", "intent": format!("do {id}")})
}

fn with(mut step: Value, more: Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        step[name] = value.clone();
    }
    step
}

fn plan(steps: Value) -> Value {
    json!({"name": "test", "steps": steps})
}

#[test]
fn steps_come_in_order_with_their_values() {
    let plan = json!({"name": "x", "start_url": "{{site}}/", "values": {"site": {}, "pw": {"type": "secret"},
            "people": {"type": "rows"}, "colours": {"type": "list", "default": ["red", "blue"]}},
        "steps": [
            {"id": "open", "type": "navigate", "url": "{{site}}/new"},
            {"id": "each", "type": "loop", "over": "{{people}}", "as": "person", "steps": [
                {"id": "form", "type": "fill", "fields": {"Name": "{{person.name}}", "Key": "{{pw}}"}},
                {"id": "tint", "type": "loop", "over": "{{colours}}", "steps": [
                    {"id": "paint", "type": "act", "intent": "paint {{person.name}} {{row}}, {{loop_number}}"}]}],
             "between": [{"id": "again", "type": "act", "intent": "next after {{loop_number}}"}]},
            {"id": "sure", "type": "ask", "question": "All {{people.0.name}}?", "save_as": "said"},
            {"id": "told", "type": "act", "intent": "say {{said}}"}]});
    let given = json!({"site": "http://x", "people": [{"name": "Ada"}, {"name": "Bob"}]});
    let done = run(plan, given, well);
    assert_eq!(
        done.lines,
        [
            "navigate start_url: http://x/",
            "navigate open: http://x/new",
            "fill form: Name=Ada Key=<secret:pw>",
            "act paint: paint Ada red, 1",
            "act paint: paint Ada blue, 2",
            "act again: next after 2",
            "fill form: Name=Bob Key=<secret:pw>",
            "act paint: paint Bob red, 1",
            "act paint: paint Bob blue, 2",
            "ask sure: All Ada?",
            "act told: say an answer",
        ]
    );
    assert_eq!((done.ending.status, done.ending.used.steps), (Status::Done, 11));
}

#[test]
fn pages_are_collected_until_there_is_no_next_one() {
    let schema = json!({"type": "object", "required": ["rows", "more"], "properties": {"more": {"type": "boolean"},
        "rows": {"type": "array", "items": {"type": "object", "required": ["email"], "properties": {"email": {"type": "string"}}}}}});
    let plan = json!({"name": "x", "output": {"tables": {"people": {"key": ["email"]}}, "values": {"last": "{{page.rows.0.email}}"},
            "schema": {"type": "object", "properties": {"people": {"type": "array", "minItems": 3}}}},
        "steps": [{"id": "pages", "type": "loop", "max_times": 5, "until": {"value": "{{page.more}}", "equals": false},
            "steps": [{"id": "read", "type": "extract", "what": "rows", "output_schema": schema, "save_as": "page",
                       "collect": {"into": "people", "from": "rows"}}],
            "between": [{"id": "next", "type": "act", "intent": "go on"}]}]});
    let pages = [
        json!({"rows": [{"email": "a"}, {"email": "b"}], "more": true}),
        json!({"rows": [{"email": "b"}, {"email": "c"}], "more": false}),
    ];
    let mut at = 0;
    let paged = |work: &Work| match work {
        Work::Extract { .. } => {
            at += 1;
            extracted(pages[at - 1].clone())
        }
        other => well(other),
    };
    let done = run(plan.clone(), json!({}), paged);
    assert_eq!(done.lines, ["extract read: rows", "act next: go on", "extract read: rows"]);
    assert_eq!(done.ending.output, json!({"people": [{"email": "a"}, {"email": "b"}, {"email": "c"}], "last": "b"}));
    let seen: Vec<&str> = done.ending.evidence.iter().map(|entry| entry.field.as_str()).collect();
    assert_eq!(seen, ["people[0].email", "people[1].email", "people[2].email"]);

    let for_ever = |work: &Work| match work {
        Work::Extract { .. } => extracted(json!({"rows": [{"email": "a"}], "more": true})),
        other => well(other),
    };
    let endless = run(plan.clone(), json!({}), for_ever);
    assert_eq!(endless.lines.len(), 9);
    assert!(endless.ending.sentence.contains("made 5 passes, its bound"), "{:?}", endless.ending);
    let few = run(plan, json!({}), |work| match work {
        Work::Extract { .. } => extracted(json!({"rows": [{"email": "a"}], "more": false})),
        other => well(other),
    });
    assert_eq!(few.ending.status, Status::Failed);
    assert!(few.ending.sentence.contains("does not follow its schema: people"), "{:?}", few.ending);
    assert_eq!(few.ending.output["people"], json!([{"email": "a"}]));
}

#[test]
fn failures_follow_the_policy_of_the_step() {
    let check = |policy: &str, fails: usize, lines: &[&str], status: Status| {
        let steps = json!([with(act("a"), json!({"on_failure": policy})), act("b")]);
        let mut left = fails;
        let done = run(plan(steps), json!({}), |work| {
            if work.step().unwrap().id == "a" && !matches!(work, Work::Ask { .. }) && left > 0 {
                left -= 1;
                return broken("no luck");
            }
            match work {
                Work::Ask { answer: Wanted::Recovery { may_retry }, .. } => {
                    assert!(*may_retry);
                    Outcome::Answered(Answer::Skip)
                }
                other => well(other),
            }
        });
        assert_eq!(
            (done.lines.as_slice(), done.ending.status),
            (lines.iter().map(ToString::to_string).collect::<Vec<_>>().as_slice(), status),
            "{policy}"
        );
        assert_eq!(done.ending.failures, (fails - left) as u64, "{policy}");
    };
    check("stop", 1, &["act a: do a"], Status::Failed);
    check("skip", 1, &["act a: do a", "act b: do b"], Status::Done);
    check("retry 2", 2, &["act a: do a", "act a: do a", "act a: do a", "act b: do b"], Status::Done);
    check("retry 1", 2, &["act a: do a", "act a: do a"], Status::Failed);
    check("retry 1 then skip", 2, &["act a: do a", "act a: do a", "act b: do b"], Status::Done);
    check("ask", 1, &["act a: do a", "ask a: Step `a` failed: no luck. What now?", "act b: do b"], Status::Done);
}

#[test]
fn a_failure_inside_of_a_loop_is_the_loops_to_decide() {
    let check = |policy: Option<&str>, lines: &[&str], status: Status| {
        let mut each = json!({"id": "each", "type": "loop", "over": "{{list}}", "steps": [act("one"),
            {"id": "two", "type": "act", "intent": "two {{row}}"}]});
        if let Some(policy) = policy {
            each["on_failure"] = json!(policy);
        }
        let plan = json!({"name": "x", "values": {"list": {"type": "list", "default": ["a", "b"]}}, "steps": [each]});
        let mut failed = false;
        let done = run(plan, json!({}), |work| {
            if !failed && matches!(work, Work::Act { intent, .. } if intent == "two a") {
                failed = true;
                return broken("gone");
            }
            well(work)
        });
        let found: Vec<&str> = done.lines.iter().map(|line| line.split(": ").nth(1).unwrap()).collect();
        assert_eq!((found.as_slice(), done.ending.status), (lines, status), "{policy:?}");
        done.ending
    };
    let ending = check(None, &["do one", "two a"], Status::Failed);
    assert_eq!((ending.sentence.as_str(), ending.step.as_deref()), ("step `two`: gone", Some("each")));
    let ending = check(Some("skip"), &["do one", "two a", "do one", "two b"], Status::Done);
    assert_eq!(ending.skipped, 1);
    check(Some("retry 1"), &["do one", "two a", "do one", "two a", "do one", "two b"], Status::Done);
}

#[test]
fn done_is_believed_only_when_its_predicates_hold() {
    let steps = json!([with(
        act("a"),
        json!({"done_when": ["url_contains:/x", "element_appears:Saved"], "on_failure": "retry 1"})
    )]);
    let check = |second: ThreeValued, part: &str| {
        let mut told = None;
        let done = run(plan(steps.clone()), json!({}), |work| {
            told = work.step().unwrap().last_failure.clone();
            Outcome::Done { done_when: vec![ThreeValued::yes("http://h/x"), second.clone()] }
        });
        assert_eq!(done.lines.len(), if part.is_empty() { 1 } else { 2 });
        assert!(done.ending.sentence.contains(part), "{:?}", done.ending);
        assert_eq!(told.unwrap_or_default(), done.ending.sentence);
    };
    check(ThreeValued::yes("there"), "");
    check(ThreeValued::no("not there"), "it is not done: element_appears:Saved does not hold (not there)");
    check(ThreeValued::not_measured("no bridge"), "cannot be told");
}

#[test]
fn conditions_are_three_valued() {
    let condition = json!({"any": [{"all": ["element_appears:A", {"not": "element_appears:B"}]}, {"value": "{{n}}", "at_least": 5}]});
    let plan = json!({"name": "x", "values": {"n": {"type": "number"}}, "steps": [
        {"id": "which", "type": "if", "condition": condition, "then": [act("yes")], "else": [act("no")]}]});
    let check = |n: i64, answers: Option<[Option<bool>; 2]>, expected: &str| {
        let done = run(plan.clone(), json!({"n": n}), |work| match work {
            Work::Evaluate { .. } => {
                let answer = |known: Option<bool>| match known {
                    Some(true) => ThreeValued::yes(""),
                    Some(false) => ThreeValued::no(""),
                    None => ThreeValued::not_measured(""),
                };
                Outcome::Evaluated { results: answers.unwrap().into_iter().map(answer).collect() }
            }
            other => well(other),
        });
        let last = done.lines.last().unwrap();
        assert!(last.contains(expected), "{n} {answers:?}: {last} {:?}", done.ending);
        assert_eq!(done.ending.status == Status::Failed, expected == "evaluate", "{:?}", done.ending);
    };
    check(5, None, "act yes");
    check(4, Some([Some(true), Some(false)]), "act yes");
    check(4, Some([Some(true), Some(true)]), "act no");
    check(4, Some([Some(false), None]), "act no");
    check(4, Some([None, Some(true)]), "act no");
    check(4, Some([Some(true), None]), "evaluate");
}

#[test]
fn what_cannot_be_compared_is_decided_by_what_stands_beside_it() {
    let broken = json!({"value": "{{n}}", "at_least": 5});
    let empty = |wanted: bool| json!({"value": "{{none}}", "empty": wanted});
    let check = |condition: Value, expected: &str| {
        let plan = json!({"name": "x", "values": {"n": {"default": "many"}, "none": {"default": ""}}, "steps": [
            {"id": "which", "type": "if", "condition": condition, "then": [act("yes")], "else": [act("no")]}]});
        let done = run(plan, json!({}), well);
        let found = done.lines.last().cloned().unwrap_or(done.ending.sentence);
        assert!(found.contains(expected), "{condition}: {found}");
    };
    check(json!({"all": [empty(false), broken]}), "act no");
    check(json!({"all": [broken, empty(false)]}), "act no");
    check(json!({"any": [broken, empty(true)]}), "act yes");
    check(json!({"any": [{"not": broken}, "url_contains:/"]}), "act yes");
    check(json!({"all": [empty(true), broken]}), "`\"many\"` is no number");
    check(json!({"not": broken}), "`\"many\"` is no number");
    check(broken, "`\"many\"` is no number");
}

#[test]
fn gates_come_before_the_work_and_a_no_is_final() {
    let gated = with(
        act("pay"),
        json!({"gates": [{"value": "{{n}}", "at_most": 9}, "url_contains:/cart", {"approval": "Pay {{n}}?"}], "on_failure": "retry 3"}),
    );
    let plan = json!({"name": "x", "values": {"n": {"type": "number", "default": 7}}, "steps": [gated]});
    let done = run(plan.clone(), json!({}), well);
    assert_eq!(done.lines, ["evaluate pay: url_contains:/cart", "ask pay: Pay 7?", "act pay: do pay"]);
    let denied = run(plan.clone(), json!({}), |work| match work {
        Work::Ask { .. } => Outcome::Answered(Answer::Denied { reason: "too dear".into() }),
        other => well(other),
    });
    assert_eq!(denied.lines.len(), 2);
    assert_eq!(denied.ending.sentence, "a person did not allow it: too dear");
    let closed = run(plan, json!({"n": 10}), well);
    assert!(closed.lines.is_empty());
    assert!(closed.ending.sentence.contains("gate 1 is closed"), "{:?}", closed.ending);
    assert_eq!(closed.ending.failures, 4);
}

#[test]
fn budgets_end_steps_and_plans() {
    let steps =
        json!([with(act("a"), json!({"budget": {"max_steps": 2}, "on_failure": "retry 9 then skip"})), act("b")]);
    let tries =
        |plan: Value, used: Used| {
            run_with(machine(plan, json!({})), used, |work| {
                if work.step().unwrap().id == "a" { broken("no") } else { well(work) }
            })
        };
    let one = Used { steps: 1, milliseconds: 1000, micro_dollars: 10_000 };
    let done = tries(plan(steps.clone()), one);
    assert_eq!(done.lines, ["act a: do a", "act a: do a", "act b: do b"]);
    for (budget, what) in [
        (json!({"max_steps": 2}), "number of steps"),
        (json!({"max_time": "2s"}), "time"),
        (json!({"max_cost": 0.02}), "money"),
    ] {
        let done = tries(with(plan(steps.clone()), json!({"budget": budget})), one);
        assert_eq!((done.lines.len(), done.ending.status), (2, Status::OutOfBudget));
        assert_eq!(done.ending.sentence, format!("the plan's {what} is used up"));
    }
    let machine = machine(
        with(
            plan(steps),
            json!({"budget": {"max_steps": 9, "max_time": 60}, "step_budget": {"max_time": "5s", "max_steps": 4}}),
        ),
        json!({}),
    );
    let Work::Act { budget, .. } = machine.next() else { panic!() };
    assert_eq!(*budget, BudgetLeft { steps: Some(2), milliseconds: Some(5000), micro_dollars: None });
}

#[test]
fn what_the_plan_is_granted_ends_it_also_where_only_looking_is_done() {
    let inner = json!({"id": "sure", "type": "verify", "done_when": ["url_contains:/"]});
    let loops = json!([{"id": "outer", "type": "loop", "max_times": 10_000, "while": "url_contains:/", "steps": [
        {"id": "inner", "type": "loop", "max_times": 10_000, "while": "url_contains:/", "steps": [inner]}]}]);
    let mut granted = machine(plan(loops), json!({}));
    granted.grant(Budget { max_time: Some(crate::plan::Span(60_000)), ..Budget::default() });
    let looks = Used { steps: 0, milliseconds: 1000, micro_dollars: 0 };
    let done = run_with(granted.clone(), looks, well);
    assert_eq!((done.lines.len(), done.ending.status), (60, Status::OutOfBudget));

    let own = with(plan(json!([act("a"), act("b")])), json!({"budget": {"max_steps": 9}}));
    let mut both = machine(own, json!({}));
    both.grant(Budget { max_steps: Some(1), ..Budget::default() });
    both.count_unreported(Used::default());
    let Work::Act { budget, .. } = both.next() else { panic!() };
    assert_eq!(budget.steps, Some(1), "the tighter one counts");
    let done = run_with(both, Used { steps: 1, ..Used::default() }, well);
    assert_eq!(done.lines, ["act a: do a"]);
}

#[test]
fn a_plan_that_finishes_on_its_last_cent_is_done() {
    let done = run(with(plan(json!([act("a"), act("b")])), json!({"budget": {"max_steps": 2}})), json!({}), well);
    assert_eq!(done.ending.status, Status::Done);
}

#[test]
fn acts_know_which_fields_are_still_open() {
    let fill = |id: &str, form: &str, label: &str| json!({"id": id, "type": "fill", "form": form, "fields": {label: "x"}, "on_failure": "skip"});
    let steps = json!([
        act("look"), fill("one", "f", "Name"), fill("two", "f", "Mail"), fill("other", "g", "Search"),
        with(act("send"), json!({"submits": "f"})),
        {"id": "away", "type": "navigate", "url": "http://x/"}, fill("three", "h", "Late"),
        with(act("own"), json!({"values": {"City": "Rome"}}))]);
    let mut seen = Vec::new();
    run(plan(steps), json!({}), |work| {
        if let Work::Act { step, pending_form_labels, later_fills, .. } = work {
            seen.push((step.id.clone(), pending_form_labels.clone(), later_fills.join(" ")));
        }
        if work.step().unwrap().id == "two" { broken("not there") } else { well(work) }
    });
    let expected = [
        ("look".to_string(), Some(vec![]), "Name Mail Search".to_string()),
        ("send".to_string(), Some(vec!["Mail".to_string()]), String::new()),
        ("own".to_string(), None, String::new()),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn nothing_of_an_earlier_pass_is_used_in_a_later_one() {
    let read = json!({"id": "read", "type": "extract", "what": "x", "output_schema": {}, "save_as": "got", "on_failure": "skip"});
    let plan = json!({"name": "x", "values": {"list": {"type": "list", "default": [1, 2]}}, "steps": [
        {"id": "each", "type": "loop", "over": "{{list}}", "on_failure": "skip", "steps": [read, {"id": "use", "type": "act", "intent": "use {{got}}"}]}]});
    let mut first = true;
    let done = run(plan, json!({}), |work| match work {
        Work::Extract { .. } if std::mem::take(&mut first) => extracted(json!("one")),
        Work::Extract { .. } => broken("no"),
        other => well(other),
    });
    assert_eq!(done.lines, ["extract read: x", "act use: use one", "extract read: x"]);
    assert_eq!(done.ending.skipped, 2);
}

#[test]
fn a_step_may_be_called_as_the_opening_is() {
    let steps = json!([act("a"), {"id": "start_url", "type": "navigate", "url": "http://x/b"}]);
    let mut openings = Vec::new();
    let done = run(with(plan(steps), json!({"start_url": "http://x/a"})), json!({}), |work| {
        openings.push(work.step().unwrap().is_opening());
        well(work)
    });
    assert_eq!(done.lines, ["navigate start_url: http://x/a", "act a: do a", "navigate start_url: http://x/b"]);
    assert_eq!(openings, [true, false, false]);
}

#[test]
fn addresses_and_values_from_data_are_not_trusted() {
    let check = |given: &str, part: &str| {
        let plan =
            json!({"name": "x", "values": {"u": {}}, "steps": [{"id": "go", "type": "navigate", "url": "{{u}}"}]});
        let done = run(plan, json!({"u": given}), well);
        assert!(done.lines.is_empty() && done.ending.sentence.contains(part), "{given}: {:?}", done.ending);
    };
    check("javascript:alert(1)", "no web address");
    check("file:///etc/passwd", "no web address");
    check("shop", "no address");
    check("https://x/<secret:pw>", "placeholder");
}

#[test]
fn what_does_not_answer_the_work_changes_nothing() {
    let mut machine = machine(plan(json!([with(act("a"), json!({"done_when": ["url_changed"]}))])), json!({}));
    let before = (machine.next().clone(), machine.position().clone());
    for wrong in [
        Outcome::Evaluated { results: yes(1) },
        Outcome::Done { done_when: vec![] },
        Outcome::Answered(Answer::Approved),
    ] {
        assert!(machine.report(wrong, Used { steps: 1, ..Used::default() }).is_err());
    }
    assert_eq!((machine.next().clone(), machine.position().clone()), before);
    machine.report(Outcome::Done { done_when: yes(1) }, Used::default()).unwrap();
    assert_eq!(machine.report(broken("x"), Used::default()), Err(ReportError::Finished));
}

#[test]
fn loops_without_work_come_to_an_end() {
    let mut inner =
        json!([{"id": "never", "type": "if", "condition": {"value": "{{n}}", "equals": 2}, "then": [act("a")]}]);
    for depth in 0..4 {
        inner = json!([{"id": format!("l{depth}"), "type": "loop", "max_times": 10_000, "on_failure": "skip", "while": {"value": "{{n}}", "equals": 1}, "steps": inner}]);
    }
    let done =
        run(json!({"name": "x", "values": {"n": {"type": "number", "default": 1}}, "steps": inner}), json!({}), well);
    assert!(done.ending.sentence.contains("found nothing to do"), "{:?}", done.ending);
}

#[test]
fn so_many_failures_end_the_plan_and_a_retry_may_reopen_the_page() {
    let steps = json!([{"id": "go", "type": "navigate", "url": "http://x/a"}, with(act("a"), json!({"on_failure": "retry 9"}))]);
    let policy = json!({"recovery": {"max_failures": 2, "before_retry": "reopen"}});
    let done =
        run(with(plan(steps), policy), json!({}), |work| if work.name() == "act" { broken("no") } else { well(work) });
    assert_eq!(done.lines, ["navigate go: http://x/a", "act a: do a", "navigate a: http://x/a", "act a: do a"]);
    assert!(done.ending.sentence.contains("failure 2 of at most 2"), "{:?}", done.ending);
}

#[test]
fn extractions_are_refused_with_what_is_wrong() {
    let read = json!({"id": "read", "type": "extract", "what": "x", "save_as": "got", "on_failure": "retry 1",
        "output_schema": {"type": "object", "properties": {"n": {"type": "integer"}}}});
    let mut told = Vec::new();
    let done = run(plan(json!([read])), json!({}), |work| {
        told.push(work.step().unwrap().last_failure.clone().unwrap_or_default());
        let Outcome::Extracted { value, evidence, .. } =
            extracted(json!({"n": if told.len() == 1 { json!("7") } else { json!(7) }}))
        else {
            panic!()
        };
        let evidence = if told.len() == 1 { Vec::new() } else { evidence };
        Outcome::Extracted { value, evidence, done_when: Vec::new() }
    });
    assert_eq!(done.ending.status, Status::Done);
    assert!(told[1].contains("n: \"7\" is not of type \"integer\"; n: there is no evidence for `n`"), "{told:?}");
}
