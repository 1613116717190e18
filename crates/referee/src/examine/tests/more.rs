//! Checks that compare with the start, tables, groups, and answers that came from elsewhere.

use super::*;
use crate::baseline::Baseline;
use crate::probes::{TableAnswer, TableFound, TableQuery};

/// A world with a table, a database whose rows are given, and a server that may lead elsewhere.
#[derive(Default)]
struct Place {
    table: TableAnswer,
    rows: Option<Vec<Vec<Value>>>,
    answer: Option<(u16, Value)>,
    led_to: Option<String>,
}

#[async_trait]
impl Probes for Place {
    async fn table(&self, _query: &TableQuery) -> Probed<TableAnswer> {
        Ok(self.table.clone())
    }

    async fn sqlite(&self, _query: &SqlQuery) -> Probed<SqlAnswer> {
        match &self.rows {
            Some(rows) => Ok(SqlAnswer { rows: rows.clone(), cut: false }),
            None => Err(NotProbed::Failed("locked".into())),
        }
    }

    async fn http(&self, _request: &HttpRequest) -> Probed<HttpAnswer> {
        let (status, body) = self.answer.clone().ok_or_else(|| NotProbed::Failed("connection refused".into()))?;
        Ok(HttpAnswer { status, body: body.to_string().into_bytes(), cut: false, led_to: self.led_to.clone() })
    }
}

fn at_the_end() -> Evidence {
    Evidence { start_url: Some("http://shop.test/".into()), ..evidence() }
}

async fn compared(check: &Value, before: &Place, now: &Place) -> CheckEvidence {
    let text = json!({"id": "x", "checks": [check]}).to_string();
    let contract = Contract::read(&text, std::path::Path::new(".")).unwrap();
    assert!(Baseline::is_wanted(&contract));
    let baseline = Baseline::take(&contract, &at_the_end(), before).await;
    let evidence = Evidence { baseline: Some(Arc::new(baseline)), ..at_the_end() };
    one_in(check, eyes(), now, &evidence).await
}

fn database(rows: Value) -> Place {
    Place { rows: Some(serde_json::from_value(rows).unwrap()), ..Place::default() }
}

#[tokio::test]
async fn rows_are_compared_with_those_of_the_start() {
    let check = json!({"type": "sqlite", "db": "a.db", "sql": "SELECT 1", "since_start": {"added": [[3, "c"]]}});
    let before = database(json!([[1, "a"], [2, "b"]]));
    for (now, wanted) in [
        (json!([[3, "c"], [1, "a"], [2, "b"]]), CheckResult::Pass),
        (json!([[1, "a"], [2, "b"]]), CheckResult::Fail),
        (json!([[1, "a"], [2, "x"], [3, "c"]]), CheckResult::Fail),
        (json!([[1, "a"], [3, "c"]]), CheckResult::Fail),
    ] {
        let got = compared(&check, &before, &database(now.clone())).await;
        assert_eq!(got.result, wanted, "{now}: {got:?}");
    }
    let now = database(json!([[1, "a"], [2, "b"], [3, "c"]]));
    // What could not be read at the start, and a start that nobody saw.
    assert_eq!(compared(&check, &Place::default(), &now).await.reason, "start_not_known");
    let got = one_in(&check, eyes(), &now, &at_the_end()).await;
    assert_eq!((got.result, got.reason.as_str()), (CheckResult::Unknown, "start_not_known"));
}

#[tokio::test]
async fn a_start_behind_a_closed_door_is_not_known() {
    let check = json!({"type": "http", "url": "/n", "json_path": "$.notes", "since_start": {"added": [{"text": "x"}]}});
    let server = |status: u16, body: Value| Place { answer: Some((status, body)), ..Place::default() };
    let now = server(200, json!({"notes": [{"id": 1, "text": "x"}]}));
    let got = compared(&check, &server(200, json!({"notes": []})), &now).await;
    assert_eq!(got.result, CheckResult::Pass, "{got:?}");
    let got = compared(&check, &server(401, json!({"error": "sign in"})), &now).await;
    assert_eq!((got.result, got.reason.as_str()), (CheckResult::Unknown, "start_not_known"));
    let got = compared(&check, &server(200, json!({"notes": []})), &server(401, json!({}))).await;
    assert_eq!(got.result, CheckResult::Unknown, "{got:?}");
}

#[tokio::test]
async fn an_answer_from_elsewhere_speaks_against_nothing() {
    let check = json!({"type": "http", "url": "/orders/7", "body_regex": "Paid"});
    let led = |body: &str| Place {
        answer: Some((200, json!(body))),
        led_to: Some("http://shop.test/login".into()),
        ..Place::default()
    };
    let got = one_in(&check, eyes(), &led("Sign in"), &at_the_end()).await;
    assert_eq!(got.result, CheckResult::Unknown);
    assert!(got.reason.starts_with("led_elsewhere: the answer came from http://shop.test/login"), "{}", got.reason);
    assert_eq!(one_in(&check, eyes(), &led("Paid"), &at_the_end()).await.result, CheckResult::Pass);
    let moved = Place { answer: Some((302, json!(""))), ..Place::default() };
    assert_eq!(one_in(&check, eyes(), &moved, &at_the_end()).await.result, CheckResult::Unknown);
}

#[tokio::test]
async fn tables_are_data_and_half_a_table_is_unknown() {
    let found = TableFound {
        headings: vec!["Name".into(), "Total".into()],
        rows: vec![vec![json!("Ada"), json!("$1.00")], vec![json!("Bob"), json!("$2.00"), json!(true)]],
        visible: true,
        total: None,
        cut: false,
    };
    let place =
        |table: TableFound| Place { table: TableAnswer { tables: vec![table], incomplete: None }, ..Place::default() };
    let table = |more: Value| {
        let mut check = json!({"type": "table", "selector": "#t"});
        check.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        check
    };
    let (pass, fail, unknown) = (CheckResult::Pass, CheckResult::Fail, CheckResult::Unknown);
    let short = TableFound { total: Some(200), ..found.clone() };
    let hidden = TableFound { visible: false, ..found.clone() };
    let bob = json!({"json_path": "$[?@.Name == 'Bob'].Total", "equals": "$2.00"});
    for (more, shown, wanted) in [
        (json!({"row_count": 2}), &found, pass),
        (json!({"row_count": 3}), &found, fail),
        (bob.clone(), &found, pass),
        (json!({"json_path": "$[?@.Name == 'Ada'].Total", "equals": "$2.00"}), &found, fail),
        (json!({"json_path": "$[?@.Name == 'Bob']['column 3']", "equals": true}), &found, pass),
        (json!({"json_path": "$[?@.Name == 'Cy']", "exists": false}), &found, pass),
        (json!({"json_path": "$[?@.Name == 'Cy']", "exists": false}), &short, unknown),
        (bob.clone(), &short, unknown),
        (bob.clone(), &hidden, fail),
    ] {
        let got = one_in(&table(more.clone()), eyes(), &place(shown.clone()), &evidence()).await;
        assert_eq!(got.result, wanted, "{more}: {got:?}");
    }
    let two = Place {
        table: TableAnswer { tables: vec![found.clone(), found.clone()], incomplete: None },
        ..Place::default()
    };
    assert_eq!(one_in(&table(bob.clone()), eyes(), &two, &evidence()).await.reason, "ambiguous_target");
    let unseen =
        Place { table: TableAnswer { tables: vec![found], incomplete: Some("a frame".into()) }, ..Place::default() };
    assert_eq!(one_in(&table(bob), eyes(), &unseen, &evidence()).await.result, unknown);
}

#[tokio::test]
async fn groups_hold_as_logic_says_and_the_unknown_stays_unknown() {
    let status = |status: u16| json!({"type": "http", "url": "/o", "status": status});
    let rows = json!({"type": "sqlite", "db": "a.db", "sql": "SELECT 1", "row_count": 1});
    let gone = Place { answer: Some((404, json!({}))), ..Place::default() };
    let (pass, fail, unknown) = (CheckResult::Pass, CheckResult::Fail, CheckResult::Unknown);
    for (kind, members, wanted) in [
        ("any_of", json!([status(200), status(404)]), pass),
        ("any_of", json!([status(200), status(410)]), fail),
        ("any_of", json!([rows, status(404)]), pass),
        ("any_of", json!([rows, status(200)]), unknown),
        ("none_of", json!([status(200), status(410)]), pass),
        ("none_of", json!([status(200), status(404)]), fail),
        ("none_of", json!([status(200), rows]), unknown),
    ] {
        let check = json!({"type": kind, "checks": members});
        let got = one_in(&check, eyes(), &gone, &at_the_end()).await;
        assert_eq!(got.result, wanted, "{check}: {got:?}");
    }
}
