//! One sentence for each thing that is wrong, with its place, all at once.

use serde_json::{Value, json};
use surehand_plan::{Plan, limits};

fn problems(plan: &Value) -> String {
    Plan::from_value(plan).map_or_else(|problems| problems.to_string(), |_| String::new())
}

fn of_steps(steps: Value) -> String {
    let values = json!({"site": {"default": "http://x"}, "pw": {"type": "secret"}, "people": {"type": "rows", "columns": ["name", "email"]},
        "tags": {"type": "list"}, "n": {"type": "number"}});
    problems(&json!({"name": "x", "values": values, "output": {"tables": {"t": {}}}, "steps": steps}))
}

/// One step of which one thing is wrong.
fn check(step: Value, expected: &str) {
    let mut step = step;
    if step.get("id").is_none() {
        step["id"] = json!("a");
    }
    let found = of_steps(json!([step]));
    assert!(found.contains(expected), "{step}\n  found {found}\n  wanted {expected}");
    assert_eq!(found.lines().count(), 1, "{step}\n{found}");
}

fn act() -> Value {
    json!({"id": "inner", "type": "act", "intent": "look"})
}

#[test]
fn fields_of_steps() {
    check(
        json!({"type": "act", "intent": "x", "done_wen": []}),
        "steps[0].done_wen: a step of type act has no field `done_wen`. hint: did you mean `done_when`?",
    );
    check(
        json!({"type": "act", "intent": "x", "url": "http://x"}),
        "steps[0].url: a step of type act has no field `url`",
    );
    check(
        json!({"type": "akt", "intent": "x"}),
        "steps[0].type: there is no type of step `akt`. hint: did you mean `act`?",
    );
    check(json!({"intent": "x"}), "steps[0].type: `type` is missing");
    check(json!({"type": "act"}), "steps[0].intent: an act says nothing about what to do");
    check(json!({"type": "act", "intent": 3}), "steps[0].intent: a text is wanted, this is `3`");
    check(json!({"type": "act", "intent": "x", "id": "a b"}), "steps[0].id: `a b` cannot be a name");
    check(json!({"type": "navigate"}), "steps[0].url: `url` is missing");
    check(json!({"type": "navigate", "url": "ftp://x"}), "steps[0].url: `ftp://x` is no web address");
    check(json!({"type": "navigate", "url": "javascript:{{site}}"}), "is no web address");
    check(json!({"type": "fill", "fields": {}}), "steps[0].fields: there is nothing to fill in");
    check(json!({"type": "fill", "fields": {"Name": 3}}), "steps[0].fields.Name: a text is wanted");
    check(json!({"type": "extract", "what": "x", "output_schema": {}}), "steps[0]: what is extracted goes nowhere");
    check(
        json!({"type": "extract", "what": "x", "save_as": "p"}),
        "steps[0].output_schema: `output_schema` is missing",
    );
    check(
        json!({"type": "extract", "what": "x", "save_as": "p", "output_schema": {"type": "objekt"}}),
        "steps[0].output_schema: this is no JSON Schema",
    );
    check(
        json!({"type": "extract", "what": "x", "collect": "nope", "output_schema": {}}),
        "steps[0].collect: the output has no table `nope`",
    );
    check(
        json!({"type": "extract", "what": "x", "save_as": "site", "output_schema": {}}),
        "steps[0].save_as: `site` is already the name of something else",
    );
    check(
        json!({"type": "extract", "what": "x", "save_as": "p", "output_schema": {}, "evidence": "none"}),
        "steps[0].evidence: `evidence` cannot be `\"none\"`",
    );
    check(json!({"type": "verify"}), "steps[0]: there is nothing to verify");
    check(json!({"type": "ask", "question": " "}), "steps[0].question: `question` is empty");
    check(json!({"type": "ask", "question": "x", "choices": ["a"]}), "steps[0].choices: one choice is none");
    check(
        json!({"type": "act", "intent": "x", "on_failure": "retry often"}),
        "steps[0].on_failure: `on_failure` cannot be `\"retry often\"`",
    );
    check(
        json!({"type": "act", "intent": "x", "budget": {"max_steps": 0}}),
        "steps[0].budget.max_steps: `max_steps` is a whole number from 1",
    );
    check(
        json!({"type": "act", "intent": "x", "budget": {"max_time": "soon"}}),
        "steps[0].budget.max_time: `\"soon\"` is no length of time",
    );
    check(
        json!({"type": "act", "intent": "x", "budget": {"max_cost": -1}}),
        "steps[0].budget.max_cost: `-1` is no amount of dollars",
    );
    check(json!({"type": "act", "intent": "x", "submits": "f"}), "steps[0].submits: no fill has the form `f`");
}

#[test]
fn names_and_predicates() {
    check(
        json!({"type": "act", "intent": "see {{sit}}"}),
        "steps[0].intent: nothing before this has the name `sit`. hint: did you mean `site`?",
    );
    check(json!({"type": "act", "intent": "see {{site"}), "steps[0].intent: `{{site` is not closed");
    check(json!({"type": "act", "intent": "see {{site.x}}"}), "`site` has no `x`. hint: it has no fields");
    check(json!({"type": "act", "intent": "see {{people.name}}"}), "hint: it is a list");
    check(json!({"type": "act", "intent": "pass {{loop_number}}"}), "inside of a loop only");
    check(
        json!({"type": "act", "intent": "x", "required": ["peple"]}),
        "steps[0].required[0]: nothing before this has the name `peple`",
    );
    check(
        json!({"type": "act", "intent": "x", "done_when": ["url_contain:/a"]}),
        "steps[0].done_when[0]: `url_contain:/a` is no predicate. hint: did you mean `url_contains`?",
    );
    check(
        json!({"type": "act", "intent": "x", "done_when": ["url_contains:{{nope}}"]}),
        "steps[0].done_when[0]: nothing before this has the name `nope`",
    );
    check(
        json!({"type": "act", "intent": "x", "gates": ["url_changed"]}),
        "steps[0].gates[0]: `url_changed` compares with an earlier moment",
    );
    check(
        json!({"type": "verify", "done_when": ["url_contains:/", "frame_stable"]}),
        "steps[0].done_when[1]: `frame_stable` compares with an earlier moment",
    );
    check(
        json!({"type": "act", "intent": "x", "gates": [{"approval": ""}]}),
        "steps[0].gates[0].approval: `approval` is empty",
    );
    check(json!({"type": "navigate", "url": "http://x/{{pw}}"}), "steps[0].url: a secret cannot stand here");
    check(json!({"type": "ask", "question": "is it <secret:pw>?"}), "a secret cannot stand here");
    check(
        json!({"type": "fill", "fields": {"Key": "<secret:a b>"}}),
        "looks like the placeholder of a secret, but is none",
    );
    let first = json!({"id": "p", "type": "extract", "what": "x", "save_as": "page", "output_schema": {"type": "object", "properties": {"total": {}}}});
    let found = of_steps(json!([first, {"id": "b", "type": "act", "intent": "{{page.totl}}"}]));
    assert_eq!(found, "steps[1].intent: `page` has no `totl`. hint: did you mean `total`?");
}

#[test]
fn conditions() {
    let with = |condition: Value| json!({"type": "if", "condition": condition, "then": [act()]});
    check(with(json!(3)), "steps[0].condition: a condition cannot be a number");
    check(with(json!({"al": []})), "steps[0].condition: this is no condition");
    check(with(json!({"all": []})), "steps[0].condition.all: `all` is empty");
    check(
        with(json!({"any": ["url_contains:/a", {"not": "x"}]})),
        "steps[0].condition.any[1].not: `x` is no predicate",
    );
    check(with(json!({"value": "{{n}}", "equals": 1, "at_least": 2})), "steps[0].condition: a comparison has 2 tests");
    check(
        with(json!({"value": "{{n}}", "at_least": "many"})),
        "steps[0].condition.at_least: `at_least` wants a number",
    );
    check(with(json!({"value": "n", "equals": 1})), "steps[0].condition.value: this compares a fixed text");
    check(
        with(json!({"value": "{{n}}", "equal": 1})),
        "steps[0].condition.equal: a comparison has no field `equal`. hint: did you mean `equals`?",
    );
}

#[test]
fn loops() {
    let with = |mut rule: Value| {
        rule["type"] = json!("loop");
        if rule.get("steps").is_none() {
            rule["steps"] = json!([act()]);
        }
        rule
    };
    check(
        with(json!({}))
            .as_object()
            .cloned()
            .map(|mut rule| {
                rule.insert("max_times".into(), json!(3));
                Value::Object(rule)
            })
            .unwrap(),
        "steps[0]: the loop does not say when it ends",
    );
    check(
        with(json!({"over": "{{people}}", "until": "url_contains:/a", "max_times": 3})),
        "the loop has over and until at once",
    );
    check(
        with(json!({"while": "url_contains:/a"})),
        "steps[0].max_times: a loop with `while` or `until` needs a bound",
    );
    check(
        with(json!({"while": "url_contains:/a", "max_times": 10_001})),
        "steps[0].max_times: `max_times` is a whole number from 1 to 10000",
    );
    check(with(json!({"over": "people"})), "steps[0].over: `people` names no list");
    check(with(json!({"over": "{{n}}"})), "steps[0].over: `n` is no list");
    check(with(json!({"over": "{{people}}", "as": "site"})), "would hide another `site`");
    check(with(json!({"over": "{{people}}", "steps": []})), "steps[0].steps: the loop has no steps");
    check(
        with(json!({"over": "{{people}}", "steps": [{"id": "b", "type": "act", "intent": "{{row.emial}}"}]})),
        "steps[0].steps[0].intent: `row` has no `emial`. hint: did you mean `email`?",
    );
    check(
        with(json!({"over": "{{people}}", "done_when": ["url_contains:/a"]})),
        "steps[0].done_when: a step of type loop has no end",
    );
    let collects = json!([{"id": "b", "type": "extract", "what": "x", "output_schema": {}, "collect": "t"}]);
    check(
        with(json!({"over": "{{people}}", "on_failure": "retry 1", "steps": collects})),
        "steps[0].on_failure: rows of `t` could be collected twice",
    );
    let saves = json!([{"id": "b", "type": "extract", "what": "x", "output_schema": {}, "save_as": "p"}]);
    let found = of_steps(json!([
        saves[0],
        with(
            json!({"id": "l", "over": "{{p.rows}}", "steps": [{"id": "c", "type": "ask", "question": "x", "save_as": "p"}]})
        )
    ]));
    assert!(found.contains("steps[1].over: the loop goes over `p`, which its own steps save anew"), "{found}");
}

#[test]
fn forms() {
    let fill = json!({"id": "f", "type": "fill", "form": "new", "fields": {"Name": "x"}});
    let send = json!({"id": "s", "type": "act", "intent": "send", "submits": "new"});
    assert_eq!(of_steps(json!([fill, send])), "");
    let found = of_steps(json!([send, fill]));
    assert!(found.starts_with("steps[0].submits: `Name` of the form is filled only after this"), "{found}");
}

#[test]
fn the_rest_of_a_plan() {
    let check = |change: Value, expected: &str| {
        let mut plan = json!({"name": "x", "steps": [act()]});
        for (name, value) in change.as_object().unwrap() {
            plan[name] = value.clone();
        }
        let found = problems(&plan);
        assert!(
            found.contains(expected) && found.lines().count() == 1,
            "{change}\n  found {found}\n  wanted {expected}"
        );
    };
    check(json!({"nam": "y"}), "nam: a plan has no field `nam`. hint: did you mean `name`?");
    check(json!({"name": null}), "name: `name` is missing");
    check(json!({"steps": []}), "steps: there are no steps");
    check(json!({"steps": {}}), "steps: `steps` is a list, this is an object");
    check(json!({"steps": [act(), act()]}), "steps[1].id: the id `inner` is that of steps[0] too");
    check(json!({"values": {"a b": {}}}), "values.a b: `a b` cannot be a name");
    check(
        json!({"values": {"a": {"type": "txt"}}}),
        "values.a.type: `type` cannot be `\"txt\"`. hint: did you mean `text`?",
    );
    check(json!({"values": {"a": {"type": "number", "default": "x"}}}), "values.a.default: the default does not fit");
    check(
        json!({"values": {"a": {"type": "secret", "default": "hunter2"}}}),
        "values.a: a secret never stands in a plan",
    );
    check(json!({"values": {"a": {"file": "x.csv"}}}), "values.a.file: only rows and lists come from files");
    check(json!({"values": {"a": {"type": "rows", "file": "../x.csv"}}}), "leads away from the plan");
    check(json!({"values": {"a": {"type": "rows", "file": "x.exe"}}}), "its name ends in .csv, .tsv or .json");
    check(json!({"values": {"a": {"columns": ["b"]}}}), "values.a.columns: only rows have columns");
    check(
        json!({"output": {"tables": {"t": {"key": ["a"], "columns": ["b"]}}}}),
        "output.tables.t.key[0]: the key `a` is none of the columns",
    );
    check(
        json!({"output": {"tables": {"t": {}}, "values": {"t": "x"}}}),
        "output.tables.t: a value of the output has the same name",
    );
    check(json!({"output": {"values": {"v": "{{x}}"}}}), "output.values.v: nothing before this has the name `x`");
    check(json!({"output": {"schema": []}}), "output.schema: `schema` is a JSON Schema, this is a list");
    check(json!({"budget": {"max_step": 1}}), "budget.max_step: a budget has no field `max_step`");
    check(json!({"recovery": {"before_retry": "wait"}}), "recovery.before_retry: `before_retry` cannot be `\"wait\"`");
    check(json!({"start_url": "{{x}}"}), "start_url: nothing before this has the name `x`");
}

#[test]
fn all_problems_are_told_at_once() {
    let found = of_steps(json!([
        {"id": "a", "type": "act", "intent": "{{x}}", "done_when": ["nope", "url_contains"], "on_failure": 3},
        {"id": "a", "type": "loop", "while": 3, "steps": [{"id": "b", "type": "navigate", "url": "x", "extra": 1}]}]));
    let places: Vec<&str> = found.lines().map(|line| line.split(": ").next().unwrap()).collect();
    let mut sorted = places.clone();
    sorted.sort_unstable();
    let expected = [
        "steps[0].done_when[0]",
        "steps[0].done_when[1]",
        "steps[0].intent",
        "steps[0].on_failure",
        "steps[1].id",
        "steps[1].max_times",
        "steps[1].steps[0].extra",
        "steps[1].steps[0].url",
        "steps[1].while",
    ];
    assert_eq!(sorted, expected, "{found}");
}

#[test]
fn a_step_of_no_known_type_hides_nothing_that_is_wrong_elsewhere() {
    let check = |steps: Value, expected: &[&str]| {
        let found = of_steps(steps);
        let places: Vec<&str> = found.lines().map(|line| line.split(". hint").next().unwrap()).collect();
        assert_eq!(places, expected, "{found}");
    };
    check(
        json!([
            {"id": "a", "type": "act", "done_when": ["url_contain:/x"]},
            {"id": "a", "type": "fil", "fields": {"Email": "{{row.x}}"}}]),
        &[
            "steps[0].intent: an act says nothing about what to do",
            "steps[1].type: there is no type of step `fil`",
            "steps[1].id: the id `a` is that of steps[0] too",
            "steps[0].done_when[0]: `url_contain:/x` is no predicate",
            "steps[1].fields.Email: nothing before this has the name `row`",
        ],
    );
    // What it saves is known behind it, and what its own type would want of it is not told.
    check(
        json!([
            {"id": "a", "type": "jump", "what": "x", "save_as": "page"},
            {"id": "b", "type": "act", "intent": "{{page.total}} {{pge}}"}]),
        &["steps[0].type: there is no type of step `jump`", "steps[1].intent: nothing before this has the name `pge`"],
    );
    // Nor are the steps inside of it left out.
    check(
        json!([{"id": "a", "condition": "url_contains:/a", "then": [{"id": "a", "type": "act", "intent": "x"}]}]),
        &["steps[0].type: `type` is missing", "steps[0].then[0].id: the id `a` is that of steps[0] too"],
    );
    check(
        json!([
            {"id": "a", "over": "{{people}}", "on_failure": "often", "steps": [
                {"id": "a", "type": "act", "intent": "{{row.name}} {{row.emial}}", "url": "x"}]}]),
        &[
            "steps[0].type: `type` is missing",
            "steps[0].on_failure: `on_failure` cannot be `\"often\"`",
            "steps[0].steps[0].url: a step of type act has no field `url`",
            "steps[0].steps[0].id: the id `a` is that of steps[0] too",
            "steps[0].steps[0].intent: `row` has no `emial`",
        ],
    );
}

#[test]
fn what_no_yaml_is_is_told_whole() {
    let check = |text: &str, end: &str| {
        let found = Plan::parse(text).unwrap_err().to_string();
        let said = found.split(". hint: ").next().unwrap();
        assert!(said.ends_with(end) && !said.contains("Options"), "{found}");
    };
    check("name: x\nsteps:\n  - id: a\n    type: act\n   intent: x\n", "at line 5, column 4");
    check("name: x\nname: y\n", "duplicate mapping key: name at line 2, column 1");
}

#[test]
fn sizes_are_bounded() {
    let many: Vec<Value> =
        (0..=limits::STEPS).map(|at| json!({"id": format!("s{at}"), "type": "act", "intent": "x"})).collect();
    assert!(of_steps(json!(many)).contains("more than 500"));
    let mut deep = json!([act()]);
    for at in 0..limits::NESTING {
        deep = json!([{"id": format!("l{at}"), "type": "if", "condition": "url_contains:/a", "then": deep}]);
    }
    assert!(of_steps(deep).contains("steps stand more than 8 deep"));
    assert!(
        of_steps(json!([{"id": "a", "type": "act", "intent": "x".repeat(limits::TEXT + 1)}]))
            .contains("more than 4000")
    );
    let wide = json!({"all": vec!["url_contains:/a"; limits::CONDITION_NODES]});
    assert!(of_steps(json!([{"id": "a", "type": "verify", "condition": wide}])).contains("more than 50 parts"));
    let said = Plan::parse(&" ".repeat(limits::FILE_BYTES + 1)).unwrap_err().to_string();
    assert!(said.contains("more than the 1048576 that are read"), "{said}");
}

#[test]
fn texts_that_are_no_plan() {
    let check = |text: &str, expected: &str| {
        let said = Plan::parse(text).unwrap_err().to_string();
        assert!(said.contains(expected) && said.lines().count() == 1, "{text:?}: {said}");
    };
    check("", "a plan wants fields, this is nothing");
    check("[]", "a plan wants fields, this is a list");
    check("{\"name\": ", "the plan is not JSON");
    check("{\"name\": \"x\", \"name\": \"y\"}", "the field `name` is there twice");
    check("name: x\nname: y\n", "the plan is not YAML: ");
    check("name: [", "the plan is not YAML: ");
    check("name: x\n---\nname: y\n", "the plan is not YAML: ");
    check(&"[".repeat(5000), "the plan is not YAML: ");
    let bomb = (1..30).fold("a0: &a0 [x, x]\n".to_string(), |text, at| {
        format!("{text}a{at}: &a{at} [*a{0}, *a{0}, *a{0}, *a{0}]\n", at - 1)
    });
    check(&bomb, "the plan is not YAML: ");
}
