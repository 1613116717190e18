//! Writing, chaining, cutting and forging lines of the log.

use std::time::Instant;

use serde_json::json;
use surehand_types::Secret;

use super::*;
use crate::audit_verify::{AuditFault, AuditReport, read_audit, verify_audit};

struct Place {
    _folder: tempfile::TempDir,
    data: DataDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let data = DataDir::open(folder.path().join("data")).unwrap();
        Place { _folder: folder, data }
    }

    fn log(&self, run: &str) -> AuditLog {
        AuditLog::open(&self.data, run, Redactor::default()).unwrap()
    }

    /// A log with this many lines.
    fn filled(lines: u64) -> Place {
        let place = Place::new();
        let mut log = place.log("r1");
        for number in 0..lines {
            log.append("decision", json!({"rule": "default", "number": number})).unwrap();
        }
        place
    }

    fn file(&self) -> PathBuf {
        AuditFiles::of(&self.data).log
    }

    fn lines(&self) -> Vec<String> {
        fs::read_to_string(self.file()).unwrap().lines().map(str::to_string).collect()
    }

    fn put(&self, lines: &[String]) {
        fs::write(self.file(), lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    }

    fn verify(&self) -> AuditReport {
        verify_audit(&self.data).unwrap()
    }

    fn faults(&self) -> Vec<(u64, AuditFault)> {
        self.verify().problems.iter().map(|problem| (problem.line, problem.fault)).collect()
    }

    /// A run that left an anchor in its trace.
    fn anchored(&self, run: &str, anchor: &AuditAnchor) {
        create_private(&self.data.run(run)).unwrap();
        let event = json!({"type": "run_ended", "result": {"audit": anchor}});
        fs::write(self.data.events(run), format!("{{\"type\":\"step\"}}\n{event}\n")).unwrap();
    }
}

#[test]
fn a_whole_log_is_sound_and_private() {
    let place = Place::filled(5);
    let report = place.verify();
    assert!(report.is_sound() && report.lines == 5 && report.notes.is_empty(), "{report:?}");
    assert!(Place::new().verify().is_sound(), "no log at all");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let files = AuditFiles::of(&place.data);
        for file in [&files.log, &files.head] {
            fs::set_permissions(file, fs::Permissions::from_mode(0o644)).unwrap();
            place.log("r2");
            assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
    let first: Value = serde_json::from_str(&place.lines()[0]).unwrap();
    assert_eq!(
        (first["seq"].as_u64(), first["prev"].as_str(), first["run"].as_str()),
        (Some(1), Some(START), Some("r1"))
    );
    assert_eq!(read_audit(&place.data, Some("r1"), 2).unwrap().len(), 2);
    assert_eq!(read_audit(&place.data, Some("r9"), 2).unwrap().len(), 0);
}

#[test]
fn every_kind_of_tampering_is_named() {
    let tampered = |change: fn(&mut Vec<String>)| {
        let place = Place::filled(6);
        let mut lines = place.lines();
        change(&mut lines);
        place.put(&lines);
        place.faults()
    };
    assert_eq!(tampered(|lines| lines[2] = lines[2].replace("default", "nothing")), [(3, AuditFault::Edited)]);
    assert_eq!(tampered(|lines| lines[5] = lines[5].replace("default", "nothing")), [(6, AuditFault::Edited)]);
    assert_eq!(tampered(|lines| lines[2] = lines[2].replace("\"seq\":3", "\"seq\": 3")), [(3, AuditFault::Edited)]);
    assert_eq!(tampered(|lines| lines[2] = "{}".into())[0], (3, AuditFault::Edited));
    assert_eq!(tampered(|lines| drop(lines.remove(2))), [(3, AuditFault::Missing)]);
    assert_eq!(tampered(|lines| drop(lines.drain(..2)))[0], (1, AuditFault::Missing));
    assert!(tampered(|lines| lines.swap(2, 3)).contains(&(4, AuditFault::Reordered)));
    assert!(tampered(|lines| lines.insert(4, lines[1].clone())).contains(&(5, AuditFault::Reordered)));
    assert_eq!(tampered(|lines| lines.truncate(4)), [(0, AuditFault::Truncated)]);
    assert_eq!(tampered(|lines| lines.clear()), [(0, AuditFault::Truncated)]);
}

#[test]
fn a_cut_end_stays_visible_when_the_log_goes_on() {
    let place = Place::filled(6);
    let lines = place.lines();
    place.put(&lines[..3]);
    place.log("r2").append("decision", json!({})).unwrap();
    assert_eq!(place.faults(), [(4, AuditFault::Truncated)]);
    place.log("r3").append("decision", json!({})).unwrap();
    assert_eq!(place.faults(), [(4, AuditFault::Truncated)]);
}

#[test]
fn anchors_in_traces_catch_a_log_that_was_written_anew() {
    let place = Place::filled(4);
    let anchor = place.log("r2").append("run_end", json!({})).unwrap();
    place.anchored("r2", &anchor);
    assert_eq!((place.verify().anchors, place.faults().len()), (1, 0));

    // Written anew with a right chain and a right head: only the anchor knows.
    let fresh = Place::filled(9);
    fresh.anchored("r2", &anchor);
    assert_eq!(fresh.faults(), [(0, AuditFault::Edited)]);
    let short = Place::filled(2);
    short.anchored("r2", &anchor);
    assert_eq!(short.faults(), [(0, AuditFault::Truncated)]);
    short.anchored("r2", &AuditAnchor { seq: 5, hash: "<secret:x>".into() });
    assert_eq!(short.faults(), [], "an anchor that is none says nothing");
}

#[test]
fn a_line_that_a_kill_left_unfinished_is_an_accident() {
    let place = Place::filled(3);
    let whole = fs::read_to_string(place.file()).unwrap();
    fs::write(place.file(), format!("{whole}{{\"v\":1,\"seq\":4,\"at\":\"20")).unwrap();
    let report = place.verify();
    assert!(report.is_sound() && report.notes[0].contains("left unfinished"), "{report:?}");
    place.log("r2").append("decision", json!({})).unwrap();
    let report = place.verify();
    assert!(report.is_sound() && report.notes[0].contains("line 4 was left unfinished"), "{report:?}");
    assert_eq!(report.lines, 5);
    // The same cut of a line that was whole once is no accident.
    let place = Place::filled(3);
    let whole = fs::read_to_string(place.file()).unwrap();
    fs::write(place.file(), &whole[..whole.len() - 20]).unwrap();
    assert_eq!(place.faults(), [(0, AuditFault::Truncated)]);
    place.log("r2").append("decision", json!({})).unwrap();
    assert!(place.faults().iter().any(|(_, fault)| *fault == AuditFault::Truncated));
}

#[test]
fn what_no_writer_left_at_the_end_is_damage() {
    let place = Place::filled(3);
    let whole = fs::read_to_string(place.file()).unwrap();
    // What the next line would be, to cut at every byte.
    place.log("r1").append("decision", json!({"what": "click on button \"Löschen\""})).unwrap();
    let longer = fs::read_to_string(place.file()).unwrap();
    let (next, hash) = (longer[whole.len()..].to_string(), place.lines()[2].clone());
    let hash = &hash[hash.len() - 66..hash.len() - 2];
    let with_end = |end: &[u8]| {
        let place = Place::filled(0);
        let files = AuditFiles::of(&place.data);
        create_private(&place.data.root().join("audit")).unwrap();
        fs::write(&files.head, json!({"seq": 3, "hash": hash}).to_string()).unwrap();
        fs::write(&files.log, [whole.as_bytes(), end].concat()).unwrap();
        place
    };
    for cut in 1..next.len() {
        let place = with_end(&next.as_bytes()[..cut]);
        let report = place.verify();
        assert!(report.is_sound() && report.notes.len() == 1, "{cut}: {report:?}");
        place.log("r2").append("decision", json!({})).unwrap();
        let report = place.verify();
        // All but the line break: nothing was lost.
        let (lines, notes) = if cut + 1 == next.len() { (5, 0) } else { (5, 1) };
        assert!(report.is_sound() && report.lines == lines && report.notes.len() == notes, "{cut}: {report:?}");
    }
    let seq = |number: u32| next.replace("\"seq\":4", &format!("\"seq\":{number}"));
    let other_prev = next.replace(hash, &"0".repeat(64));
    for garbage in [
        "x",
        " ",
        "{}",
        "garbage without a line break",
        "\0\0\0\0",
        "{\"v\":1,\"seq\":4,\"at\":\"2026\"} and more",
        &seq(5)[..40],
        &seq(3)[..40],
        &other_prev[..other_prev.len() - 10],
        other_prev.trim_end(),
        &next.trim_end().replace("decision", "approved"),
    ] {
        let place = with_end(garbage.as_bytes());
        assert_eq!(place.faults(), [(4, AuditFault::Edited)], "{garbage:?}");
        // It does not become an accident when the log goes on.
        place.log("r2").append("decision", json!({})).unwrap();
        let faults = place.faults();
        assert!(faults.contains(&(4, AuditFault::Edited)), "{garbage:?}: {faults:?}");
    }
    assert_eq!(with_end(b"{\"v\":1,\xff").faults(), [(4, AuditFault::Edited)]);
}

#[test]
fn writers_share_one_chain() {
    let place = Place::new();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let place = &place;
            scope.spawn(move || {
                let mut log = place.log(&format!("r{writer}"));
                for _ in 0..50 {
                    log.append("decision", json!({"writer": writer})).unwrap();
                }
            });
        }
    });
    let report = place.verify();
    assert!(report.is_sound() && report.lines == 200, "{report:?}");
}

#[test]
fn secrets_are_gone_before_the_hash_and_long_texts_are_cut() {
    let place = Place::new();
    let redactor = Redactor::new(&[Secret::new("pin", "hunter2-hunter2")]);
    let mut log = AuditLog::open(&place.data, "r1", redactor).unwrap();
    let fields = json!({"what": "type hunter2-hunter2", "url": "x".repeat(100_000), "seq": 99, "hash": "no"});
    let anchor = log.append("decision", fields).unwrap();
    assert_eq!(anchor.seq, 1);
    let line = &place.lines()[0];
    assert!(line.contains("<secret:pin>") && !line.contains("hunter2") && line.len() < LONGEST, "{line}");
    assert!(place.verify().is_sound());
}

#[test]
fn a_line_costs_well_under_a_millisecond() {
    let place = Place::filled(100);
    let (mut one, mut other) = (place.log("r1"), place.log("r2"));
    let rounds: u32 = 500;
    let began = Instant::now();
    for _ in 0..rounds {
        // Two writers in turn: neither can use what it remembers.
        one.append("decision", json!({"rule": "default", "url": "https://shop.test/"})).unwrap();
        other.append("decision", json!({"rule": "default", "url": "https://shop.test/"})).unwrap();
    }
    let each = began.elapsed() / (2 * rounds);
    println!("one line: {each:?}");
    assert!(each < std::time::Duration::from_millis(5), "{each:?}");
}

#[test]
fn garbage_in_the_files_never_does_harm() {
    for garbage in ["\0\0\0", "{}\n{}\n", "\n\n\n", "{\"seq\":18446744073709551615}\n", "[[[[", "\u{fffd}\n{"] {
        let place = Place::filled(2);
        fs::write(place.file(), garbage).unwrap();
        fs::write(AuditFiles::of(&place.data).head, garbage).unwrap();
        assert!(!place.verify().is_sound(), "{garbage:?}");
        place.log("r2").append("decision", json!({})).unwrap();
        assert!(!place.verify().is_sound(), "{garbage:?}");
    }
}
