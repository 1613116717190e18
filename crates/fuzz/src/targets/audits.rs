//! The audit log in the hands of somebody who wants it to say something else.

use proptest::strategy::BoxedStrategy;
use surehand_store::{DataDir, read_audit, verify_audit};

use crate::generate::mutated_bytes;
use crate::{Target, holds, is_sentence};

pub(super) const AUDITS: Target = Target { name: "audits", cases: 80, input: audits, check: check_audit };

/// A log as it was written, and what the log's owner noted of its end.
const LOG: &[u8] = include_bytes!("../../samples/audit/audit.jsonl");
const HEAD: &[u8] = include_bytes!("../../samples/audit/head.json");

fn audits() -> BoxedStrategy<Vec<u8>> {
    mutated_bytes(vec![LOG.to_vec()])
}

/// Whatever is changed is found, and the log as it was is sound.
fn check_audit(input: &[u8]) -> Result<(), String> {
    let broken = |error: &dyn std::fmt::Display| error.to_string();
    let folder = tempfile::tempdir().map_err(|error| broken(&error))?;
    let data = DataDir::open(folder.path()).map_err(|error| broken(&error))?;
    let logs = folder.path().join("audit");
    std::fs::create_dir_all(&logs).map_err(|error| broken(&error))?;
    std::fs::write(logs.join("audit.jsonl"), input).map_err(|error| broken(&error))?;
    std::fs::write(logs.join("head.json"), HEAD).map_err(|error| broken(&error))?;
    let report = verify_audit(&data).map_err(|error| broken(&error))?;
    report.problems.iter().try_for_each(|problem| is_sentence(&problem.message))?;
    let _ = read_audit(&data, None, 10).map_err(|error| broken(&error))?;
    if input == LOG {
        holds(report.is_sound(), || format!("it is as it was written, and said to be wrong: {report:?}"))
    } else {
        holds(!report.is_sound() || !report.notes.is_empty(), || "a change was not found".into())
    }
}
