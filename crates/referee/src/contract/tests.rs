//! Contracts that are fine, and the one sentence that each mistake gets.

use super::*;
use serde_json::json;

fn read(text: &str) -> Result<Contract, ContractError> {
    Contract::read(text, Path::new("."))
}

fn with_check(check: &Value) -> Value {
    json!({"id": "x", "checks": [check]})
}

const SAMPLE: &str = include_str!("../../samples/every_check.json");

/// One of every kind, as people would write them.
pub(crate) fn every_kind() -> Vec<Value> {
    let sample: Value = serde_json::from_str(SAMPLE).unwrap();
    sample["checks"].as_array().unwrap().clone()
}

#[test]
fn every_kind_of_check_is_read_and_fits_the_published_schema() {
    let text: Value = serde_json::from_str(SAMPLE).unwrap();
    let contract = read(SAMPLE).unwrap();
    assert_eq!(contract.check_count(), every_kind().len());
    let names: std::collections::BTreeSet<&str> = contract.checks.iter().map(|check| check.kind.name()).collect();
    assert_eq!(names.len(), Kind::NAMES.len(), "a kind is not among the examples");
    assert_eq!(contract.roots(), ["downloads"]);
    assert_eq!(contract.sha256().len(), 64);
    assert!(contract.matches_task("Program a KICK, please") && !contract.matches_task("Plan a kickoff meeting"));
    let schema = jsonschema::options().build(&contract_schema()).unwrap();
    for check in every_kind() {
        let whole = with_check(&check);
        let optional = check["required"] == false;
        assert_eq!(read(&whole.to_string()).is_ok(), !optional, "{check}: {:?}", read(&whole.to_string()));
        assert!(schema.is_valid(&whole), "{check}: {:?}", schema.validate(&whole));
    }
    assert!(schema.is_valid(&text), "{:?}", schema.validate(&text));
}

#[test]
fn the_examples_of_the_documentation_are_contracts() {
    let page = include_str!("../../../../docs/contracts.md");
    let examples: Vec<&str> = page.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() >= 3, "the documentation has {} examples", examples.len());
    for example in examples {
        let contract = read(example).unwrap_or_else(|error| panic!("{error}\n{example}"));
        assert_eq!(contract.warnings(), Vec::<String>::new(), "{example}");
    }
}

/// A wrong check and what is said about it.
fn mistakes() -> Vec<(Value, &'static str)> {
    vec![
        (
            json!({"type": "dom", "selector": "tr:contains('x')"}),
            "checks[0].selector: `tr:contains('x')` is no CSS selector: no browser knows `:contains`. hint: use `text_regex`",
        ),
        (json!({"type": "table", "selector": "#t["}), "checks[0].selector: `#t[` is no CSS selector"),
        (json!({"type": "table", "selector": "#t"}), "checks[0].selector: nothing is asked of the table"),
        (
            json!({"type": "table", "selector": "#t", "json_path": "$", "since_start": {"unchanged": true}}),
            "checks[0].since_start: a page may look different when it is opened",
        ),
        (json!({"type": "any_of", "checks": []}), "checks[0].checks: there is nothing to check"),
        (
            json!({"type": "any_of", "checks": [{"type": "url", "regex": "("}]}),
            "checks[0].checks[0].regex: `(` is no regular expression",
        ),
        (
            json!({"type": "none_of", "checks": [{"type": "text_present", "regex": "x"}]}),
            "checks[0].checks[0]: a text_present check cannot be in a group",
        ),
        (
            json!({"type": "any_of", "checks": [{"type": "any_of", "checks": []}]}),
            "checks[0].checks[0]: there are no groups in a group",
        ),
        (
            json!({"type": "dom", "selector": "li", "texts": ["a"], "count": 1}),
            "checks[0].texts: it is about all elements",
        ),
        (json!({"type": "url", "query": {"q": {"a": 1}}}), "checks[0].query.q: it wants a text"),
        (
            json!({"type": "http", "url": "/a", "json_path": "$.n", "since_start": {}}),
            "checks[0].since_start: it wants `added`, `removed`, `unchanged` or `increased_by`",
        ),
        (
            json!({"type": "http", "url": "/a", "json_path": "$.n", "since_start": {"unchanged": true, "added": 1}}),
            "checks[0].since_start: `unchanged`, `increased_by` and `added` with `removed` go one at a time",
        ),
        (
            json!({"type": "http", "url": "/a", "json_path": "$.n", "equals": 1, "ignore": ["x"]}),
            "checks[0].ignore: it only goes with `since_start`",
        ),
        (
            json!({"type": "http", "url": "/a", "status": 200, "headers": {"Authorization": "<local_storage:t>"}}),
            "checks[0].headers.Authorization: what the browser keeps is only used with `with_session`",
        ),
        (json!({"type": "text_present"}), "checks[0]: the field `regex` is missing"),
        (json!({"type": "text_present", "regexp": "x"}), "checks[0]: the field `regex` is missing"),
        (
            json!({"type": "text_present", "regex": "x", "regoin": [0, 0, 1, 1]}),
            "checks[0].regoin: this field is not known. hint: did you mean `region`?",
        ),
        (json!({"type": "text_present", "regex": 5}), "checks[0].regex: invalid type: integer `5`, expected a string"),
        (
            json!({"type": "text_present", "regex": "("}),
            "checks[0].regex: `(` is no regular expression: unclosed group",
        ),
        (
            json!({"type": "text_present", "regex": ".*"}),
            "checks[0].regex: `.*` matches any text, so it proves nothing",
        ),
        (
            json!({"type": "text_absent", "regex": "x", "region": [0, 0, 1280, 720]}),
            "checks[0].region: the edges are grid units from 0 to 1000, not pixels",
        ),
        (
            json!({"type": "text_absent", "regex": "x", "region": [500, 0, 100, 720]}),
            "checks[0].region: it is empty. hint: [left, top, right, bottom]",
        ),
        (
            json!({"type": "text_absent", "regex": "x", "region": [-5, 0, 100, 720]}),
            "checks[0].region[0]: invalid value: integer `-5`, expected u32",
        ),
        (json!({"type": "grid"}), "checks[0].type: `grid` is no check. hint: did you mean `grid_row`?"),
        (json!({"regex": "x"}), "checks[0].type: the field `type` is missing"),
        (json!("grid_row"), "checks[0]: a check is an object, this is a text"),
        (
            json!({"type": "grid_row", "target_row_regex": "Kick", "steps": 16, "required_steps": [1, 17]}),
            "checks[0].required_steps[1]: step 17 is not between 1 and 16",
        ),
        (
            json!({"type": "grid_row", "target_row_regex": "Kick", "steps": 16, "required_steps": [0]}),
            "checks[0].required_steps[0]: step 0 is not between 1 and 16",
        ),
        (
            json!({"type": "grid_row", "target_row_regex": "Kick", "steps": 16, "required_steps": [1, 5],
                   "forbidden_steps": [2, 5]}),
            "checks[0].forbidden_steps[1]: step 5 is required as well",
        ),
        (
            json!({"type": "grid_row", "target_row_regex": "Kick", "required_steps": [1], "forbidden_steps": "others"}),
            "checks[0].forbidden_steps: `others` can only be told with `steps`, the number of cells in the row",
        ),
        (
            json!({"type": "grid_row", "target_row_regex": "Kick", "steps": 4, "forbidden_steps": "rest"}),
            "checks[0].forbidden_steps: it wants a list of step numbers, or \"others\"",
        ),
        (
            json!({"type": "grid_row", "target_row_regex": "Kick", "steps": 4}),
            "checks[0].required_steps: nothing is asked of the row",
        ),
        (
            json!({"type": "toggle", "label_regex": "x", "state": "yes"}),
            "checks[0].state: unknown variant `yes`, expected `on` or `off`",
        ),
        (json!({"type": "dom", "selector": " "}), "checks[0].selector: it is empty"),
        (
            json!({"type": "dom", "selector": "a", "absent": true, "count": 2}),
            "checks[0].count: `absent` means 0 already",
        ),
        (
            json!({"type": "dom", "selector": "a", "count": {"min": 3, "max": 2}}),
            "checks[0].count: min 3 is more than max 2",
        ),
        (
            json!({"type": "dom", "selector": "a", "count": "three"}),
            "checks[0].count: it wants a number, or {\"min\": …, \"max\": …}",
        ),
        (json!({"type": "url"}), "checks[0].regex: the field `regex` is missing"),
        (
            json!({"type": "http", "url": "ftp://x/y", "status": 200}),
            "checks[0].url: ftp is not asked, only http and https",
        ),
        (
            json!({"type": "http", "url": "http://x/", "method": "POST", "status": 200}),
            "checks[0].method: a check may only look: GET, not POST",
        ),
        (json!({"type": "http", "url": "http://x/"}), "checks[0].url: nothing is asked of the answer"),
        (
            json!({"type": "http", "url": "http://x/", "json_path": "order.status", "equals": 1}),
            "checks[0].json_path: `order.status` is no JSONPath",
        ),
        (
            json!({"type": "http", "url": "http://x/", "json_path": "$.order.status"}),
            "checks[0].json_path: nothing is asked of the value there",
        ),
        (
            json!({"type": "http", "url": "http://x/", "status": 200, "headers": {"X-A": "a\r\nb"}}),
            "checks[0].headers.X-A: it has control characters",
        ),
        (json!({"type": "http", "url": "http://x/", "status": 999}), "checks[0].status: 999 is no status"),
        (json!({"type": "file", "path_glob": "../secret"}), "checks[0].path_glob: `../secret` leads out of its folder"),
        (json!({"type": "file", "path_glob": "/etc/passwd"}), "checks[0].path_glob: `/etc/passwd` is not relative"),
        (json!({"type": "file", "path_glob": "x", "root": "../y"}), "checks[0].root: `../y` is no name of a folder"),
        (
            json!({"type": "file", "path_glob": "x", "exists": false, "contains_regex": "y"}),
            "checks[0].exists: what must not exist cannot be asked for anything else",
        ),
        (
            json!({"type": "file", "path_glob": "x", "sha256": "abc"}),
            "checks[0].sha256: it wants 64 hexadecimal digits",
        ),
        (
            json!({"type": "sqlite", "db": "a.db", "sql": "DELETE FROM t", "row_count": 0}),
            "checks[0].sql: a check may only look: it wants one SELECT",
        ),
        (
            json!({"type": "sqlite", "db": "/a.db", "sql": "SELECT 1", "row_count": 0}),
            "checks[0].db: `/a.db` is not relative",
        ),
        (json!({"type": "sqlite", "db": "a.db", "sql": "SELECT 1"}), "checks[0].rows: nothing is asked of the rows"),
        (
            json!({"type": "sqlite", "db": "a.db", "sql": "SELECT 1", "rows": [[1]], "row_count": 2}),
            "checks[0].row_count: `rows` has 1 rows",
        ),
        (json!({"type": "output"}), "checks[0].schema: nothing is asked of the output"),
        (json!({"type": "output", "schema": {"type": "objct"}}), "checks[0].schema: at /type: \"objct\" is not valid"),
        (json!({"type": "output", "schema": {"$ref": "http://example.org/schema.json"}}), "checks[0].schema: "),
        (
            json!({"type": "http", "url": "/x", "values": [{"json_path": "$.a", "equals": 1}, {"json_path": "$.b"}]}),
            "checks[0].values[1].json_path: nothing is asked of the value there",
        ),
        (
            json!({"type": "http", "url": "/x", "values": [{"json_path": "$.a", "equal": 1}]}),
            "checks[0].values[0].json_path: nothing is asked of the value there",
        ),
        (
            json!({"type": "http", "url": "/x", "values": [{"json_path": "$.a", "equals": 1, "exist": true}]}),
            "checks[0].values[0].exist: this field is not known. hint: did you mean `exists`?",
        ),
        (json!({"type": "url", "regex": "x", "required": "yes"}), "checks[0].required: invalid type: string \"yes\""),
        (json!({"type": "url", "regex": "x", "several": "any"}), "checks[0].several: this field is not known"),
    ]
}

#[test]
fn every_mistake_is_one_sentence_with_its_place() {
    for (check, wanted) in mistakes() {
        let said = read(&with_check(&check).to_string()).unwrap_err().to_string();
        assert!(said.starts_with(wanted), "{check}\n  said:   {said}\n  wanted: {wanted}");
        assert!(!said.contains('\n') && said.len() < 600, "{said}");
    }
}

#[test]
fn the_schema_refuses_what_has_the_wrong_shape() {
    let schema = jsonschema::options().build(&contract_schema()).unwrap();
    for (check, said) in mistakes() {
        // What a schema can see: names and types. What values mean, the reader knows better.
        let shape = ["missing", "not known", "invalid type", "is no check", "unknown variant", "is an object"];
        let missing = said.ends_with("regex: the field `regex` is missing");
        if shape.iter().any(|word| said.contains(word)) && !missing {
            assert!(!schema.is_valid(&with_check(&check)), "{check}");
        }
    }
}

#[test]
fn mistakes_of_the_contract_itself() {
    let check = json!({"type": "url", "regex": "x"});
    for (text, wanted) in [
        ("", "the contract is not JSON: "),
        ("[]", "the contract wants an object with `id` and `checks`, this is a list"),
        (r#"{"id": "x", "checks": [], "checks": []}"#, "the contract is not JSON: the field `checks` is there twice"),
        (&json!({"checks": [check]}).to_string(), "contract: the field `id` is missing"),
        (&json!({"id": " ", "checks": [check]}).to_string(), "id: it wants a short name"),
        (&json!({"id": 5, "checks": [check]}).to_string(), "id: invalid type: integer `5`"),
        (&json!({"id": "x"}).to_string(), "checks: there is nothing to check"),
        (&json!({"id": "x", "checks": {}}).to_string(), "checks: it wants a list of checks, this is an object"),
        (
            &json!({"id": "x", "checks": [{"type": "url", "regex": "x", "required": false}]}).to_string(),
            "checks: none of them is required",
        ),
        (
            &json!({"id": "x", "check": [check], "checks": [check]}).to_string(),
            "check: this field is not known. hint: did you mean `checks`?",
        ),
        (&json!({"id": "x", "checks": [check], "pass_rule": "most"}).to_string(), "pass_rule: unknown variant `most`"),
        (&json!({"id": "x", "checks": [check], "authority": "brain"}).to_string(), "authority: unknown variant"),
        (
            &json!({"id": "x", "checks": [check], "task_match": {"some": []}}).to_string(),
            "task_match.some: unknown field `some`",
        ),
        (
            &json!({"id": "x", "checks": [check], "task_match": {"any": ["ok", "?!"]}}).to_string(),
            "task_match.any[1]: a phrase wants words",
        ),
        (
            &json!({"id": "x", "checks": [check], "reference_images": ["../a.png"]}).to_string(),
            "reference_images[0]: `../a.png` leads out",
        ),
        (
            &json!({"id": "x", "checks": [check], "reference_images": ["1", "2", "3", "4"]}).to_string(),
            "reference_images: the judge is shown at most 3",
        ),
        (&json!({"id": "x", "checks": vec![check.clone(); 201]}).to_string(), "checks: 201 checks are more than 200"),
        (&format!("{}{}", " ".repeat(LARGEST_CONTRACT), "{}"), "the contract has 1048578 bytes"),
    ] {
        let said = read(text).unwrap_err().to_string();
        assert!(said.starts_with(wanted), "{}\n  said:   {said}\n  wanted: {wanted}", &text[..text.len().min(300)]);
    }
    assert_eq!(read(r#"{"id": "x", "rubric": "a row of four"}"#).unwrap().check_count(), 0);
}

#[test]
fn a_contract_says_what_is_weak_about_it() {
    let pixels = json!({"type": "text_present", "regex": "Paid"});
    let page = json!({"type": "url", "regex": "/done"});
    let row = json!({"type": "grid_row", "target_row_regex": "Kick", "required_steps": [1]});
    let output = json!({"type": "output", "schema": {"type": "object"}});
    let gone = json!({"type": "dom", "selector": ".error", "absent": true});
    for (checks, authority, wanted) in [
        (vec![pixels.clone()], "fused", vec!["no required check comes from another channel than pixels: without"]),
        (vec![pixels.clone(), output], "fused", vec!["no required check comes from another channel than pixels"]),
        (vec![pixels.clone()], "pixels", vec!["no required check comes from another channel than pixels, and"]),
        (vec![pixels, page.clone()], "fused", vec![]),
        (vec![row, page.clone()], "fused", vec!["checks[0]: without `steps`"]),
        (vec![gone.clone()], "fused", vec!["every required check asks for something not to be there"]),
        (vec![gone, page], "fused", vec![]),
    ] {
        let text = json!({"id": "x", "checks": checks, "authority": authority}).to_string();
        let said = read(&text).unwrap().warnings();
        assert_eq!(said.len(), wanted.len(), "{said:?}");
        assert!(said.iter().zip(&wanted).all(|(said, wanted)| said.starts_with(wanted)), "{said:?}");
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

        #[test]
        fn garbage_is_refused_in_one_bounded_sentence(text in any::<String>()) {
            if let Err(error) = read(&text) {
                let said = error.to_string();
                prop_assert!(!said.is_empty() && said.len() < 1000, "{}", said);
            }
        }

        #[test]
        fn any_pattern_is_compiled_or_refused(pattern in any::<String>(), at in 0..22_usize) {
            let mut check = every_kind()[at].clone();
            for value in check.as_object_mut().unwrap().values_mut() {
                if value.is_string() && *value != json!("type") {
                    *value = json!(pattern);
                }
            }
            let mut whole = with_check(&check);
            let _ = read(&whole.to_string());
            whole["checks"][0]["type"] = every_kind()[at]["type"].clone();
            if let Err(error) = read(&whole.to_string()) {
                prop_assert!(error.to_string().len() < 1000, "{}", error);
            }
        }
    }
}
