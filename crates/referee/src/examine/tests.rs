//! Every kind of check, passing, failing and not known, and how findings add up. Eyes and probes are doubles:
//! what is tested is what the referee makes of what they say.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use serde_json::json;
use surehand_types::referee::CheckResult;
use surehand_types::ui::{Anchor, OnOff, UiCell, UiRow, UiSource, UiState, UiToggle};

use super::*;
use crate::evidence::Shot;
use crate::probes::{
    DomAnswer, DomElement, FileAnswer, Folders, HttpAnswer, HttpRequest, NoProbes, PageFacts, Probed, SqlAnswer,
};
use crate::sight::Reading;

mod more;

#[derive(Clone)]
struct Eyes {
    state: UiState,
    words: Vec<Anchor>,
    trouble: Option<String>,
}

impl Sight for Eyes {
    fn structure(&self, _pixels: &Pixels) -> UiState {
        self.state.clone()
    }

    fn texts(&self, _pixels: &Pixels, region: PixelBox) -> Reading {
        let inside = |word: &&Anchor| {
            word.bbox[0] < region[2] && word.bbox[2] > region[0] && word.bbox[1] < region[3] && word.bbox[3] > region[1]
        };
        Reading {
            words: self.words.iter().filter(inside).cloned().collect(),
            trouble: self.trouble.clone(),
            unread: Vec::new(),
        }
    }
}

fn eyes() -> Eyes {
    Eyes { state: UiState::empty(UiSource::Pixels, 400, 300), words: Vec::new(), trouble: None }
}

/// `x` is on, `.` is off, `?` was not seen.
fn row(label: &str, cells: &str) -> UiRow {
    let cell = |(index, letter): (usize, char)| UiCell {
        index: index as u32 + 1,
        bbox: [100 + 10 * index as u32, 20, 108 + 10 * index as u32, 28],
        state: match letter {
            'x' => OnOff::On,
            '.' => OnOff::Off,
            _ => OnOff::Unknown,
        },
        conf: 0.9,
    };
    UiRow {
        label: (!label.is_empty()).then(|| label.into()),
        label_conf: if label.is_empty() { 0.0 } else { 0.9 },
        bbox: [10, 20, 300, 30],
        conf: 0.95,
        enabled: OnOff::On,
        cells: cells.chars().enumerate().map(cell).collect(),
        complete: OnOff::On,
    }
}

fn words(list: &[(&str, [u32; 4], f64)]) -> Vec<Anchor> {
    list.iter().map(|(text, bbox, conf)| Anchor { text: (*text).into(), bbox: *bbox, conf: *conf }).collect()
}

/// Softly shaded: no plain surface, and nothing that looks like text.
fn shaded() -> Pixels {
    let rgb = (0..400 * 300_u32).flat_map(|at| [(100 + at % 400 / 4) as u8; 3]).collect();
    Pixels::new(400, 300, rgb).unwrap()
}

/// Something like letters all over.
fn busy() -> Pixels {
    let rgb = (0..400 * 300 * 3_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    Pixels::new(400, 300, rgb).unwrap()
}

fn evidence() -> Evidence {
    Evidence { shot: Some(Shot::from_pixels(shaded())), ..Evidence::default() }
}

fn contract_of(checks: Value) -> Contract {
    Contract::read(&json!({"id": "test", "checks": checks}).to_string(), std::path::Path::new(".")).unwrap()
}

async fn one(check: &Value, eyes: Eyes, probes: &dyn Probes) -> CheckEvidence {
    one_in(check, eyes, probes, &evidence()).await
}

async fn one_in(check: &Value, eyes: Eyes, probes: &dyn Probes, evidence: &Evidence) -> CheckEvidence {
    let contract = contract_of(json!([check]));
    let report = examine_with(Arc::new(eyes), &contract, evidence, probes).await;
    report.checks.into_iter().next().unwrap()
}

const P: CheckResult = CheckResult::Pass;
const F: CheckResult = CheckResult::Fail;
const U: CheckResult = CheckResult::Unknown;

#[tokio::test]
async fn rows_of_cells() {
    let check = json!({"type": "grid_row", "target_row_regex": "(?i)kick|bass drum", "steps": 8,
                       "required_steps": [1, 5], "forbidden_steps": "others"});
    let good = "x...x...";
    let changed = |change: fn(&mut UiRow)| {
        let mut changed = row("Kick", good);
        change(&mut changed);
        vec![changed, row("Snare", "..x...x.")]
    };
    let cases: Vec<(&str, Vec<UiRow>, CheckResult, &str)> = vec![
        ("as asked", vec![row("808 Kick", good), row("Snare", "..x...x.")], P, "as_expected"),
        ("one missing", vec![row("Kick", "x.......")], F, "missing_steps"),
        ("one too many", vec![row("Kick", "x...x..x")], F, "forbidden_step_active"),
        ("shifted", vec![row("Kick", ".x...x..")], F, "missing_steps"),
        ("right pattern in another row", vec![row("Snare", good), row("Kick", "x.......")], F, "missing_steps"),
        ("no such row", vec![row("Snare", good), row("Clap", good)], F, "row_not_found"),
        ("no such row, one without label", vec![row("Snare", good), row("", good)], U, "unread_rows"),
        ("a label that may be misread", vec![row("Klck", good)], U, "perhaps_misread: Klck"),
        ("nothing was found", vec![], U, "no_rows_read"),
        ("two rows match", vec![row("Kick 1", good), row("Kick 2", good)], U, "ambiguous_target"),
        ("another width", vec![row("Kick", "x...x....")], U, "column_count_differs"),
        ("a required cell not seen", vec![row("Kick", "x...?...")], U, "unknown_steps"),
        ("a forbidden cell not seen", vec![row("Kick", "x...x?..")], U, "unknown_steps"),
        ("not seen, but wrong elsewhere", vec![row("Kick", "x...?..x")], F, "forbidden_step_active"),
        ("badly read label", changed(|row| row.label_conf = 0.4), U, "label_not_read_with_confidence"),
        ("badly read row", changed(|row| row.conf = 0.3), U, "row_not_read_with_confidence"),
        ("covered", changed(|row| row.complete = OnOff::Unknown), U, "row_not_all_in_view"),
        ("cut off", changed(|row| row.complete = OnOff::Off), U, "row_not_all_in_view"),
        ("cells out of order", changed(|row| row.cells.swap(0, 1)), U, "column_count_differs"),
        ("doubtful cell", changed(|row| row.cells[4].conf = 0.2), U, "unknown_steps"),
        (
            "doubtful wrong cell",
            changed(|row| (row.cells[4].state, row.cells[4].conf) = (OnOff::Off, 0.2)),
            U,
            "unknown_steps",
        ),
    ];
    for (about, rows, wanted, reason) in cases {
        let mut eyes = eyes();
        eyes.state.rows = rows;
        let got = one(&check, eyes, &NoProbes).await;
        assert_eq!((got.result, got.reason.as_str()), (wanted, reason), "{about}: {got:?}");
        assert_eq!(got.result == U, got.confidence == 0.0, "{about}");
    }
    let strict = Evidence { missing_row: crate::evidence::MissingRow::Fail, ..evidence() };
    assert_eq!(one_in(&check, eyes(), &NoProbes, &strict).await.reason, "row_not_found");
    let enabled = json!({"type": "grid_row", "target_row_regex": "Kick", "required_steps": [1], "row_enabled": "on"});
    for (state, wanted) in [(OnOff::On, P), (OnOff::Off, F), (OnOff::Unknown, U)] {
        let mut eyes = eyes();
        eyes.state.rows = vec![UiRow { enabled: state, ..row("Kick", good) }];
        assert_eq!(one(&enabled, eyes, &NoProbes).await.result, wanted, "{state:?}");
    }
}

#[tokio::test]
async fn switches() {
    let check = json!({"type": "toggle", "label_regex": "Dark mode", "state": "on"});
    let toggle = |label: &str, state, conf| UiToggle { label: Some(label.into()), bbox: [5, 5, 40, 20], state, conf };
    for (toggles, wanted) in [
        (vec![toggle("Dark mode", OnOff::On, 0.9), toggle("Sounds", OnOff::Off, 0.9)], P),
        (vec![toggle("Dark mode", OnOff::Off, 0.9)], F),
        (vec![toggle("Dark mode", OnOff::Unknown, 0.9)], U),
        (vec![toggle("Dark mode", OnOff::On, 0.3)], U),
        (vec![toggle("Dark mode", OnOff::On, 0.9), toggle("Dark mode (auto)", OnOff::On, 0.9)], U),
        (vec![toggle("Sounds", OnOff::On, 0.9)], U),
        (vec![], U),
    ] {
        let mut eyes = eyes();
        eyes.state.toggles = toggles.clone();
        assert_eq!(one(&check, eyes, &NoProbes).await.result, wanted, "{toggles:?}");
    }
}

#[tokio::test]
async fn texts() {
    let line = |a: f64, b: f64| words(&[("Order", [10, 10, 60, 22], a), ("#123", [64, 10, 100, 22], b)]);
    let other = words(&[("Thank", [10, 10, 60, 22], 0.95), ("you", [64, 10, 90, 22], 0.95)]);
    let apart = words(&[("Order", [10, 10, 60, 22], 0.9), ("#123", [300, 10, 340, 22], 0.9)]);
    let below = words(&[("Order", [10, 10, 60, 22], 0.9), ("#123", [64, 60, 100, 72], 0.9)]);
    let misread = words(&[("0rder", [10, 10, 60, 22], 0.95), ("#123", [64, 10, 100, 22], 0.95)]);
    let dirty = words(&[("Thank", [10, 10, 60, 22], 0.95), ("~~Qrd", [10, 40, 60, 52], 0.2)]);
    let specks = words(&[("Thank", [10, 10, 60, 22], 0.95), ("|", [10, 40, 12, 52], 0.1)]);
    let with = |words: Vec<Anchor>| Eyes { words, ..eyes() };
    let troubled = Eyes { trouble: Some("Tesseract is not installed".into()), ..eyes() };
    let cases: Vec<(&str, Eyes, CheckResult, CheckResult)> = vec![
        ("there", with(line(0.9, 0.95)), P, F),
        ("there, in part badly read", with(line(0.9, 0.3)), U, U),
        ("not there", with(other.clone()), F, P),
        ("its words in two columns", with(apart), U, U),
        ("its words in two lines", with(below), U, U),
        ("misread", with(misread), U, U),
        ("a long word badly read", with(dirty), U, U),
        ("a speck badly read", with(specks), F, P),
        ("nothing read on a busy picture", with(Vec::new()), U, U),
        ("no OCR", troubled, U, U),
    ];
    for (about, eyes, present, absent) in cases {
        for (kind, wanted) in [("text_present", present), ("text_absent", absent)] {
            let got = one(&json!({"type": kind, "regex": "Order #\\d+"}), eyes.clone(), &NoProbes).await;
            assert_eq!(got.result, wanted, "{about}, {kind}: {got:?}");
        }
    }
    // What looks like text and was not read can be anything.
    let crowded = Evidence { shot: Some(Shot::from_pixels(busy())), ..Evidence::default() };
    for kind in ["text_present", "text_absent"] {
        let check = json!({"type": kind, "regex": "Order #\\d+"});
        let got = one_in(&check, with(other.clone()), &NoProbes, &crowded).await;
        assert_eq!(got.result, U, "{got:?}");
        assert!(got.reason.starts_with("not_all_read"), "{}", got.reason);
        let found = one_in(&check, with(line(0.9, 0.9)), &NoProbes, &crowded).await;
        assert_eq!(found.result, if kind == "text_present" { P } else { F });
    }
    // Only the region counts, and a plain surface has no text.
    let here = json!({"type": "text_present", "regex": "Order #\\d+", "region": [0, 0, 1000, 500]});
    let there = json!({"type": "text_absent", "regex": "Order #\\d+", "region": [0, 500, 1000, 1000]});
    let plain = Evidence {
        shot: Some(Shot::from_pixels(Pixels::new(400, 300, vec![250; 400 * 300 * 3]).unwrap())),
        ..Evidence::default()
    };
    let found = one_in(&here, with(line(0.9, 0.9)), &NoProbes, &plain).await;
    assert_eq!((found.result, found.bbox), (P, Some([10, 10, 100, 22])));
    assert_eq!(one_in(&there, with(line(0.9, 0.9)), &NoProbes, &plain).await.result, P);
    assert_eq!(one_in(&there, with(line(0.9, 0.9)), &NoProbes, &evidence()).await.result, U);
}

#[tokio::test]
async fn a_picture_that_is_missing_or_old_shows_nothing() {
    let check = json!({"type": "text_absent", "regex": "Error"});
    let mut old = evidence();
    old.shot.as_mut().unwrap().stale = true;
    for (evidence, reason) in [(Evidence::default(), "not_available"), (old, "stale_frame")] {
        let got = one_in(&check, eyes(), &NoProbes, &evidence).await;
        assert_eq!(got.result, U);
        assert!(got.reason.starts_with(reason), "{}", got.reason);
    }
    struct Broken;
    impl Sight for Broken {
        fn structure(&self, _pixels: &Pixels) -> UiState {
            panic!("a reader with a mistake")
        }
        fn texts(&self, _pixels: &Pixels, _region: PixelBox) -> Reading {
            panic!("a reader with a mistake")
        }
    }
    let report = examine_with(Arc::new(Broken), &contract_of(json!([check])), &evidence(), &NoProbes).await;
    assert_eq!(report.result, Some(CheckVerdict::Uncertain));
}

/// A world that answers what it was told to.
#[derive(Default)]
struct World {
    page: PageFacts,
    elements: Vec<DomElement>,
    unseen_frame: bool,
    http: BTreeMap<String, (u16, String)>,
    rows: Vec<Vec<Value>>,
    output: Option<Value>,
    folders: Option<Folders>,
    slow: bool,
    asked: std::sync::Mutex<Vec<String>>,
}

#[async_trait]
impl Probes for World {
    async fn page(&self) -> Probed<PageFacts> {
        if self.slow {
            std::future::pending::<()>().await;
        }
        Ok(self.page.clone())
    }

    async fn dom(&self, _query: &DomQuery) -> Probed<DomAnswer> {
        let incomplete = self.unseen_frame.then(|| "a frame did not answer".into());
        Ok(DomAnswer { elements: self.elements.clone(), incomplete })
    }

    async fn http(&self, request: &HttpRequest) -> Probed<HttpAnswer> {
        self.asked.lock().unwrap().push(request.url.to_string());
        match self.http.get(request.url.as_str()) {
            Some((status, body)) => {
                Ok(HttpAnswer { status: *status, body: body.clone().into_bytes(), cut: false, led_to: None })
            }
            None => Err(NotProbed::Failed("connection refused".into())),
        }
    }

    async fn files(&self, query: &FileQuery) -> Probed<FileAnswer> {
        self.folders.as_ref().unwrap().list(query)
    }

    async fn read_file(&self, root: Option<&str>, path: &str) -> Probed<Vec<u8>> {
        self.folders.as_ref().unwrap().read(root, path)
    }

    async fn sqlite(&self, _query: &SqlQuery) -> Probed<SqlAnswer> {
        Ok(SqlAnswer { rows: self.rows.clone(), cut: false })
    }

    async fn output(&self) -> Probed<Option<Value>> {
        Ok(self.output.clone())
    }
}

async fn check_all(world: &World, cases: Vec<(Value, CheckResult, &str)>) {
    let evidence = Evidence { start_url: Some("http://shop.test/start?x=1".into()), ..evidence() };
    for (check, wanted, reason) in cases {
        let got = one_in(&check, eyes(), world, &evidence).await;
        assert_eq!(got.result, wanted, "{check}: {got:?}");
        assert!(got.reason.starts_with(reason), "{check}: {} is not {reason}", got.reason);
    }
}

#[tokio::test]
async fn pages_and_elements() {
    let element = |text: &str, visible| DomElement { text: text.into(), visible, ..DomElement::default() };
    let mut world = World {
        page: PageFacts { url: Some("http://shop.test/orders/7".into()), title: Some("Order 7".into()) },
        elements: vec![element("Paid", true), element("Open", true), element("Refunded", false)],
        ..World::default()
    };
    let dom = |more: Value| {
        let mut check = json!({"type": "dom", "selector": ".status"});
        check.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        check
    };
    check_all(
        &world,
        vec![
            (json!({"type": "url", "regex": "/orders/\\d+$"}), P, "as_expected"),
            (json!({"type": "url", "regex": "/carts/"}), F, "no_match"),
            (json!({"type": "url", "regex": "orders", "not_regex": "/7$"}), F, "unwanted_match"),
            (json!({"type": "title", "regex": "^Order 7$"}), P, "as_expected"),
            (dom(json!({"text_regex": "^Paid$"})), P, "as_expected"),
            (dom(json!({"text_regex": "Refunded"})), F, "another_count"),
            (dom(json!({"text_regex": "Refunded", "hidden_too": true})), P, "as_expected"),
            (dom(json!({"text_regex": "Cancelled", "absent": true})), P, "as_expected"),
            (dom(json!({"text_regex": "Paid", "absent": true})), F, "another_count"),
            (dom(json!({"absent": true})), F, "another_count"),
            (dom(json!({"count": 2})), P, "as_expected"),
            (dom(json!({"count": {"min": 3}})), F, "another_count"),
            (dom(json!({"count": 3, "hidden_too": true})), P, "as_expected"),
            (dom(json!({"text_regex": "Paid", "several": "all"})), F, "other_content"),
            (dom(json!({"text_regex": "Paid|Open", "several": "all"})), P, "as_expected"),
            (dom(json!({"text_regex": "Paid", "several": "one"})), U, "ambiguous_target"),
        ],
    )
    .await;
    world.unseen_frame = true;
    check_all(
        &world,
        vec![
            (dom(json!({"text_regex": "Paid"})), P, "as_expected"),
            (dom(json!({"text_regex": "Cancelled"})), U, "not_all_seen"),
            (dom(json!({"text_regex": "Cancelled", "absent": true})), U, "not_all_seen"),
            (dom(json!({"count": 2})), U, "not_all_seen"),
        ],
    )
    .await;
    world.unseen_frame = false;
    world.elements = vec![DomElement {
        visible: true,
        attribute: Some("7".into()),
        value: Some("3".into()),
        checked: Some(false),
        ..DomElement::default()
    }];
    check_all(
        &world,
        vec![
            (dom(json!({"value": "3"})), P, "as_expected"),
            (dom(json!({"value": "7"})), F, "another_count"),
            (dom(json!({"attribute": "data-id", "value": "7"})), P, "as_expected"),
            (dom(json!({"attribute": "data-id", "value_regex": "^[0-9]$"})), P, "as_expected"),
            (dom(json!({"checked": true})), F, "another_count"),
            (dom(json!({"checked": false})), P, "as_expected"),
        ],
    )
    .await;
    world.elements.clear();
    world.page = PageFacts::default();
    check_all(
        &world,
        vec![
            (dom(json!({"text_regex": "Paid"})), F, "element_not_found"),
            (dom(json!({"text_regex": "Paid", "several": "all"})), F, "element_not_found"),
            (dom(json!({"absent": true})), P, "as_expected"),
            (json!({"type": "url", "not_regex": "x"}), U, "not_available"),
        ],
    )
    .await;
}

#[tokio::test]
async fn servers() {
    let http = [
        ("http://shop.test/api/orders/7", 200, r#"{"order": {"status": "paid", "lines": [1, 2]}}"#),
        ("http://shop.test/api/gone", 404, "no"),
        ("http://shop.test/api/locked", 403, "no"),
        ("http://shop.test/api/broken", 500, "no"),
        ("http://shop.test/api/login", 200, "<html>Sign in</html>"),
    ];
    let http = http.into_iter().map(|(url, status, body)| (url.to_owned(), (status, body.to_owned()))).collect();
    let world = World { http, ..World::default() };
    let ask = |url: &str, more: Value| {
        let mut check = json!({"type": "http", "url": url});
        check.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        check
    };
    let paid = json!({"json_path": "$.order.status", "equals": "paid"});
    check_all(
        &world,
        vec![
            (ask("http://shop.test/api/orders/7", paid.clone()), P, "as_expected"),
            (ask("/api/orders/7", paid.clone()), P, "as_expected"),
            (ask("/api/orders/7", json!({"json_path": "$.order.status", "equals": "open"})), F, "another_value"),
            (ask("/api/orders/7", json!({"json_path": "$.order.lines", "count": 2})), P, "as_expected"),
            (ask("/api/orders/7", json!({"json_path": "$.order.lines[*]", "equals": 2})), U, "ambiguous_target"),
            (ask("/api/orders/7", json!({"body_regex": "paid"})), P, "as_expected"),
            (ask("/api/orders/7", json!({"body_regex": "refunded"})), F, "no_match"),
            (ask("/api/gone", paid.clone()), F, "another_status"),
            (ask("/api/gone", json!({"status": 404})), P, "as_expected"),
            (ask("/api/orders/7", json!({"status": 404})), F, "another_status"),
            (ask("/api/locked", paid.clone()), U, "server_trouble"),
            (ask("/api/locked", json!({"status": 403})), P, "as_expected"),
            (ask("/api/broken", paid.clone()), U, "server_trouble"),
            (ask("/api/broken", json!({"status": 404})), U, "server_trouble"),
            (ask("/api/login", paid.clone()), U, "body_is_not_json"),
            (ask("http://nobody.test/", paid.clone()), U, "probe_failed: connection refused"),
        ],
    )
    .await;
    let two =
        contract_of(json!([ask("/api/orders/7", paid.clone()), ask("/api/orders/7", json!({"body_regex": "paid"}))]));
    let start = Evidence { start_url: Some("http://shop.test/".into()), ..Evidence::default() };
    let report = examine_with(Arc::new(eyes()), &two, &start, &world).await;
    assert_eq!(report.result, Some(CheckVerdict::Pass));
    let asked = world.asked.lock().unwrap().clone();
    assert_eq!(asked.iter().rev().take_while(|url| *url == "http://shop.test/api/orders/7").count(), 1, "{asked:?}");
    let nowhere = Evidence::default();
    let got = one_in(&ask("/api/orders/7", paid), eyes(), &world, &nowhere).await;
    assert_eq!(got.result, U);
}

#[tokio::test]
async fn files() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(place.path().join(name), bytes).unwrap();
    write("a.csv", b"id,status\n7,paid\n");
    write("b.csv", b"id,status\n8,open\n");
    write("r.json", br#"{"total": 5}"#);
    let utf16: Vec<u8> = std::iter::once(0xfeff).chain("id;paid".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    write("excel.txt", &utf16);
    let world = World { folders: Some(Folders::new(place.path())), ..World::default() };
    let file = |glob: &str, more: Value| {
        let mut check = json!({"type": "file", "path_glob": glob});
        check.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        check
    };
    let hash = hex_of(b"{\"total\": 5}");
    check_all(
        &world,
        vec![
            (file("*.csv", json!({})), P, "as_expected"),
            (file("*.pdf", json!({})), F, "file_not_found"),
            (file("*.pdf", json!({"exists": false})), P, "as_expected"),
            (file("*.csv", json!({"exists": false})), F, "another_count"),
            (file("*.csv", json!({"contains_regex": "7,paid"})), P, "as_expected"),
            (file("*.csv", json!({"contains_regex": "9,paid"})), F, "no_match"),
            (file("*.csv", json!({"not_contains_regex": "open"})), F, "unwanted_match"),
            (file("*.csv", json!({"not_contains_regex": "refunded"})), P, "as_expected"),
            (file("*.csv", json!({"files": 2})), P, "as_expected"),
            (file("*.csv", json!({"files": 2, "contains_regex": "paid"})), F, "another_count"),
            (file("r.json", json!({"json_path": "$.total", "equals": 5})), P, "as_expected"),
            (file("r.json", json!({"json_path": "$.total", "equals": 6})), F, "another_value"),
            (file("a.csv", json!({"json_path": "$.total", "equals": 6})), F, "not_json"),
            (file("r.json", json!({"sha256": hash})), P, "as_expected"),
            (file("a.csv", json!({"sha256": hash})), F, "another_sha256"),
            (file("r.json", json!({"min_bytes": 12, "max_bytes": 12})), P, "as_expected"),
            (file("r.json", json!({"min_bytes": 13})), F, "another_size"),
            (file("excel.txt", json!({"contains_regex": "^\\x{feff}?id;paid$"})), P, "as_expected"),
            (file("*", json!({"root": "downloads"})), U, "not_available"),
            (file("*.csv", json!({"newer_than_start": true})), U, "not_available"),
        ],
    )
    .await;
    let newer = file("a.csv", json!({"newer_than_start": true}));
    let began = |ago: i64| Evidence {
        started_at: Some(if ago > 0 {
            SystemTime::now() - Duration::from_secs(ago as u64)
        } else {
            SystemTime::now() + Duration::from_secs(ago.unsigned_abs())
        }),
        ..evidence()
    };
    assert_eq!(one_in(&newer, eyes(), &world, &began(60)).await.result, P);
    assert_eq!(one_in(&newer, eyes(), &world, &began(-60)).await.result, F);
    #[cfg(unix)]
    {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("x"), "secret").unwrap();
        std::os::unix::fs::symlink(outside.path().join("x"), place.path().join("link.txt")).unwrap();
        let got = one(&file("link.txt", json!({"contains_regex": "secret"})), eyes(), &world).await;
        assert_eq!((got.result, got.reason.as_str()), (U, "not_all_seen: a link leads out of the folder"));
    }
}

fn hex_of(bytes: &[u8]) -> String {
    use sha2::Digest;
    crate::contract::hex(&sha2::Sha256::digest(bytes))
}

#[tokio::test]
async fn databases_and_outputs() {
    let sql = |more: Value| {
        let mut check = json!({"type": "sqlite", "db": "a.db", "sql": "SELECT a, b FROM t"});
        check.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        check
    };
    let mut world = World { rows: vec![vec![json!(1), json!("x")], vec![json!(0), json!(null)]], ..World::default() };
    check_all(
        &world,
        vec![
            (sql(json!({"rows": [[1, "x"], [0, null]]})), P, "as_expected"),
            (sql(json!({"rows": [[true, "x"], [false, null]]})), P, "as_expected"),
            (sql(json!({"rows": [[1.0, "x"], [0, null]]})), P, "as_expected"),
            (sql(json!({"rows": [["1", "x"], [0, null]]})), F, "other_rows"),
            (sql(json!({"rows": [[0, null], [1, "x"]]})), F, "other_rows"),
            (sql(json!({"rows": [[0, null], [1, "x"]], "any_order": true})), P, "as_expected"),
            (sql(json!({"rows": [[1, "x"], [1, "x"]], "any_order": true})), F, "other_rows"),
            (sql(json!({"rows": [[1, "x"]]})), F, "other_rows"),
            (sql(json!({"row_count": 2})), P, "as_expected"),
            (sql(json!({"row_count": 0})), F, "another_count"),
        ],
    )
    .await;
    assert_eq!(one(&sql(json!({"row_count": 2})), eyes(), &NoProbes).await.result, U);
    let schema = json!({"type": "object", "required": ["price"], "properties": {"price": {"type": "number"}}});
    let check = json!({"type": "output", "schema": schema});
    let value = json!({"type": "output", "json_path": "$.price", "equals": 49});
    for (output, formed, right) in [
        (Some(json!({"price": 49})), P, P),
        (Some(json!({"price": 50})), P, F),
        (Some(json!({"price": "49"})), F, F),
        (Some(json!({})), F, F),
        (None, F, F),
    ] {
        world.output = output.clone();
        assert_eq!(one(&check, eyes(), &world).await.result, formed, "{output:?}");
        assert_eq!(one(&value, eyes(), &world).await.result, right, "{output:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_never_answers_is_not_waited_for() {
    let world = World { slow: true, ..World::default() };
    let got = one(&json!({"type": "url", "regex": "x"}), eyes(), &world).await;
    assert_eq!((got.result, got.reason.as_str()), (U, "probe_failed: no answer within 15.0 s"));
}

#[tokio::test]
async fn findings_add_up() {
    let yes = json!({"type": "url", "regex": "orders"});
    let no = json!({"type": "url", "regex": "carts"});
    let open = json!({"type": "http", "url": "http://nobody.test/", "status": 200});
    let formed = json!({"type": "output", "schema": {"type": "object"}});
    let seen = json!({"type": "toggle", "label_regex": "Dark mode", "state": "on"});
    let optional = |check: &Value| {
        let mut check = check.clone();
        check["required"] = json!(false);
        check
    };
    let mut eyes = eyes();
    eyes.state.toggles =
        vec![UiToggle { label: Some("Dark mode".into()), bbox: [5, 5, 40, 20], state: OnOff::On, conf: 0.9 }];
    let world = World {
        page: PageFacts { url: Some("http://shop.test/orders".into()), title: None },
        output: Some(json!({})),
        ..World::default()
    };
    use CheckVerdict::{Fail, Pass, Uncertain};
    use Grounds::{AnotherChannel, PixelsDeclared, PixelsOnly};
    for (about, rule, authority, checks, wanted, grounds) in [
        ("one", "all", "fused", vec![&yes], Pass, AnotherChannel),
        ("all", "all", "fused", vec![&yes, &seen], Pass, AnotherChannel),
        ("one of all", "all", "fused", vec![&yes, &no], Fail, AnotherChannel),
        ("one of any", "any", "fused", vec![&yes, &no], Pass, AnotherChannel),
        ("none of any", "any", "fused", vec![&no, &no], Fail, PixelsOnly),
        ("an open one", "all", "fused", vec![&yes, &open], Uncertain, AnotherChannel),
        ("an open one beside a fail", "all", "fused", vec![&no, &open], Uncertain, PixelsOnly),
        ("an open one of any", "any", "fused", vec![&yes, &open], Uncertain, AnotherChannel),
        ("an optional open one", "all", "fused", vec![&yes, &optional(&open)], Pass, AnotherChannel),
        ("an optional fail", "all", "fused", vec![&yes, &optional(&no)], Pass, AnotherChannel),
        ("pixels", "all", "fused", vec![&seen], Pass, PixelsOnly),
        ("pixels that may decide", "all", "pixels", vec![&seen], Pass, PixelsDeclared),
        ("pixels, the rest optional", "all", "fused", vec![&seen, &optional(&yes)], Pass, PixelsOnly),
        ("any, where only pixels passed", "any", "fused", vec![&seen, &no], Pass, PixelsOnly),
        ("a well-formed answer", "all", "fused", vec![&formed], Uncertain, PixelsOnly),
        ("a well-formed answer and pixels", "all", "fused", vec![&formed, &seen], Pass, PixelsOnly),
        ("any, where only the answer passed", "any", "fused", vec![&formed, &no], Uncertain, PixelsOnly),
        ("a well-formed answer and a fact", "all", "fused", vec![&formed, &yes], Pass, AnotherChannel),
    ] {
        let text = json!({"id": "x", "checks": checks, "pass_rule": rule, "authority": authority}).to_string();
        let contract = Contract::read(&text, std::path::Path::new(".")).unwrap();
        let report = examine_with(Arc::new(eyes.clone()), &contract, &evidence(), &world).await;
        assert_eq!((report.result, report.grounds), (Some(wanted), grounds), "{about}");
        let crops = report.checks.iter().filter(|check| check.bbox.is_some()).count();
        assert_eq!(report.crops.len(), crops, "{about}");
        assert!(report.crops.iter().all(|crop| picture::decode_png(&crop.png).is_ok()));
    }
    let rubric = Contract::read(r#"{"id": "x", "rubric": "four"}"#, std::path::Path::new(".")).unwrap();
    assert_eq!(examine(&rubric, &evidence(), &NoProbes).await.result, None);
}

#[tokio::test]
async fn a_picture_alone_leaves_other_facts_open() {
    let checks: Vec<Value> = crate::contract::every_kind();
    let contract = contract_of(json!(checks));
    let report = examine_with(Arc::new(eyes()), &contract, &evidence(), &NoProbes).await;
    assert_eq!(report.result, Some(CheckVerdict::Uncertain));
    assert!(report.checks.iter().all(|check| check.result == U), "{:?}", report.checks);
    assert_eq!(report.checks.len(), checks.len());
}
