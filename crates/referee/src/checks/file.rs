//! Files: which were found, and what is in them.

use std::time::SystemTime;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use surehand_checks::csv;
use surehand_types::referee::CheckResult;

use super::answer::of_value;
use crate::contract::{FileRule, Format, Start, hex};
use crate::finding::Finding;
use crate::probes::{FileAnswer, FoundFile};
use surehand_checks::strict_json;

/// Files of one check that are opened.
pub(crate) const MOST_OPENED: usize = 50;

pub(crate) fn expected(rule: &FileRule) -> Value {
    let mut expected = json!({"path_glob": rule.pattern, "files": rule.files.in_words()});
    let regexes = [("contains_regex", &rule.contains), ("not_contains_regex", &rule.not_contains)];
    for (name, regex) in regexes {
        if let Some(regex) = regex {
            expected[name] = json!(regex.as_str());
        }
    }
    for (name, number) in [("min_bytes", rule.min_bytes), ("max_bytes", rule.max_bytes)] {
        if let Some(number) = number {
            expected[name] = json!(number);
        }
    }
    if let Some(hash) = &rule.sha256 {
        expected["sha256"] = json!(hash);
    }
    if rule.newer_than_start {
        expected["newer_than_start"] = json!(true);
    }
    if let (Some(value), Some(expected)) = (&rule.value, expected.as_object_mut()) {
        expected.extend(value.expected());
    }
    expected
}

/// The files that are looked at at all: new enough, where that is asked.
pub(crate) fn candidates<'a>(
    rule: &FileRule,
    answer: &'a FileAnswer,
    started: Option<SystemTime>,
) -> Result<Vec<&'a FoundFile>, &'static str> {
    if !rule.newer_than_start {
        return Ok(answer.files.iter().collect());
    }
    let Some(started) = started else {
        return Err("not_available: when the run began is not known");
    };
    if answer.files.iter().any(|file| file.modified.is_none()) {
        return Err("not_available: the age of a file is not known");
    }
    Ok(answer.files.iter().filter(|file| file.modified.is_some_and(|at| at >= started)).collect())
}

/// Whether the content of a file has to be read for this rule.
pub(crate) fn wants_content(rule: &FileRule) -> bool {
    rule.contains.is_some() || rule.not_contains.is_some() || rule.sha256.is_some() || rule.value.is_some()
}

/// One file by itself. `content` is `Err` where it could not be read.
pub(crate) fn judge_file(
    rule: &FileRule,
    file: &FoundFile,
    content: Option<Result<&[u8], String>>,
    start: Start<'_>,
) -> Finding {
    let observed = json!({"path": file.path, "bytes": file.bytes});
    if rule.min_bytes.is_some_and(|min| file.bytes < min) || rule.max_bytes.is_some_and(|max| file.bytes > max) {
        return Finding::fail("another_size", observed);
    }
    let content = match content {
        None => return Finding::pass(observed),
        Some(Err(why)) => return Finding::unknown(why, observed),
        Some(Ok(content)) => content,
    };
    if let Some(hash) = &rule.sha256 {
        let found = hex(&Sha256::digest(content));
        if found != *hash {
            return Finding::fail("another_sha256", json!({"path": file.path, "sha256": found}));
        }
    }
    let text = as_text(content);
    if rule.not_contains.as_ref().is_some_and(|regex| regex.is_match(&text)) {
        return Finding::fail("unwanted_match", observed);
    }
    if rule.contains.as_ref().is_some_and(|regex| !regex.is_match(&text)) {
        return Finding::fail("no_match", observed);
    }
    let Some(value_rule) = &rule.value else { return Finding::pass(observed) };
    match document(rule, content) {
        Ok(value) => {
            let (met, seen) = value_rule.judge(&value, start);
            of_value(met, json!({"path": file.path, "value": seen}))
        }
        Err(why) => Finding::fail(why, observed),
    }
}

/// A file as data; the error is one sentence.
pub(crate) fn document(rule: &FileRule, content: &[u8]) -> Result<Value, String> {
    let text = as_text(content);
    match rule.format {
        Format::Json => {
            strict_json::parse(text.trim_start_matches('\u{feff}')).map_err(|error| format!("not_json: {error}"))
        }
        Format::Csv => csv::records(&text).map_err(|why| format!("not_csv: {why}")),
        Format::CsvRows => csv::lists(&text).map_err(|why| format!("not_csv: {why}")),
    }
}

/// All files together.
pub(crate) fn judge(rule: &FileRule, answer: &FileAnswer, looked_at: &[Finding], left_out: usize) -> Finding {
    let with = |result: CheckResult| looked_at.iter().filter(|finding| finding.result == result).count();
    let (fitting, unclear) = (with(CheckResult::Pass), with(CheckResult::Unknown) + left_out);
    let shown: Vec<Value> =
        looked_at.iter().take(5).map(|finding| json!({"file": finding.observed, "reason": finding.reason})).collect();
    let observed = json!({"found": answer.files.len(), "fitting": fitting, "files": shown});
    // A text that must not be there spoils the check in whichever file it is.
    if looked_at.iter().any(|finding| finding.reason == "unwanted_match") {
        return Finding::fail("unwanted_match", observed);
    }
    let reason = looked_at.iter().find(|finding| finding.result == CheckResult::Unknown).map(|f| f.reason.clone());
    if unclear > 0 && (rule.not_contains.is_some() || !settled(rule, fitting)) {
        return Finding::unknown(reason.unwrap_or_else(|| "too_many_files".into()), observed);
    }
    if let Some(why) = &answer.incomplete
        && (rule.not_contains.is_some() || !settled(rule, fitting))
    {
        return Finding::unknown(format!("not_all_seen: {why}"), observed);
    }
    if rule.files.holds(fitting) {
        return Finding::pass(observed);
    }
    let failed = looked_at.iter().find(|finding| finding.result == CheckResult::Fail);
    match failed {
        Some(finding) if fitting == 0 => Finding::fail(finding.reason.clone(), observed),
        _ if fitting == 0 => Finding::fail("file_not_found", observed),
        _ => Finding::fail("another_count", observed),
    }
}

/// More files would change nothing: one is enough.
fn settled(rule: &FileRule, fitting: usize) -> bool {
    rule.files == crate::contract::Count::AT_LEAST_ONE && fitting > 0
}

/// Text of a file, also as spreadsheets write it.
fn as_text(content: &[u8]) -> String {
    let pairs = |from: fn([u8; 2]) -> u16| -> String {
        let units: Vec<u16> = content[2..].chunks_exact(2).map(|pair| from([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match content {
        [0xff, 0xfe, ..] => pairs(u16::from_le_bytes),
        [0xfe, 0xff, ..] => pairs(u16::from_be_bytes),
        _ => String::from_utf8_lossy(content).into_owned(),
    }
}
