//! Results of experiments (`surehand eval`, `surehand ablate`), one JSON file each, so that they can be looked at and
//! compared after the terminal is gone. Nothing in here is read back by an experiment.

use std::fs;
use std::io::{self, Read as _};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::data_dir::{DataDir, create_private, is_run_id};
use crate::error::StoreError;
use crate::new_run_id;

/// Results that a list names; the newest.
const LISTED: usize = 200;

/// Largest file that is read.
const LARGEST: u64 = 32 << 20;

/// What a list shows of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvalHead {
    pub id: String,
    /// `consistency`, `ablation` or `memory`; says how `result` is to be read.
    pub kind: String,
    /// RFC 3339, UTC.
    pub at: String,
    pub title: String,
    /// What came out, in one line.
    pub headline: String,
    /// Ended before everything was run.
    pub interrupted: bool,
}

/// A result in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvalRecord {
    #[serde(flatten)]
    pub head: EvalHead,
    pub result: Value,
}

/// A result that is about to be kept.
#[derive(Debug)]
pub struct NewEval<'a> {
    pub kind: &'a str,
    pub title: String,
    pub headline: String,
    pub interrupted: bool,
    pub result: Value,
}

impl DataDir {
    pub fn evals(&self) -> PathBuf {
        self.root().join("eval")
    }

    /// Writes it under a new id. A file is there whole or not at all.
    pub fn keep_eval(&self, new: NewEval<'_>) -> Result<EvalHead, StoreError> {
        let head = EvalHead {
            id: new_run_id(),
            kind: new.kind.to_string(),
            at: surehand_trace::writer::now(),
            title: new.title,
            headline: new.headline,
            interrupted: new.interrupted,
        };
        let folder = self.evals();
        let file = folder.join(format!("{}.json", head.id));
        let record = EvalRecord { head, result: new.result };
        let write = || -> io::Result<()> {
            create_private(&folder)?;
            let temporary = file.with_extension("tmp");
            fs::write(&temporary, serde_json::to_vec(&record)?)?;
            fs::rename(&temporary, &file)
        };
        write().map_err(StoreError::file(&file))?;
        Ok(record.head)
    }

    /// The newest first. What cannot be read is left out: it may be a file of a later version, or none of ours.
    pub fn list_evals(&self) -> Vec<EvalHead> {
        let Ok(entries) = fs::read_dir(self.evals()) else { return Vec::new() };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut ids: Vec<String> = names.filter_map(|name| name.strip_suffix(".json").map(str::to_string)).collect();
        // Ids sort by time.
        ids.sort_unstable_by(|one, other| other.cmp(one));
        let heads = ids.iter().filter_map(|id| self.read_eval::<EvalHead>(id)).filter(|head| is_run_id(&head.id));
        heads.take(LISTED).collect()
    }

    pub fn eval(&self, id: &str) -> Option<EvalRecord> {
        self.read_eval(id)
    }

    fn read_eval<T: serde::de::DeserializeOwned>(&self, id: &str) -> Option<T> {
        if !is_run_id(id) {
            return None;
        }
        let file = fs::File::open(self.evals().join(format!("{id}.json"))).ok()?;
        let mut bytes = Vec::new();
        file.take(LARGEST).read_to_end(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_kept_whole_listed_newest_first_and_garbage_is_passed_over() {
        let temp = tempfile::tempdir().unwrap();
        let data = DataDir::open(temp.path().join("data")).unwrap();
        assert_eq!(data.list_evals(), []);
        let keep = |title: &str| {
            let new = NewEval {
                kind: "consistency",
                title: title.into(),
                headline: "1 of 1 passed".into(),
                interrupted: false,
                result: serde_json::json!({"runs": [1]}),
            };
            data.keep_eval(new).unwrap()
        };
        let mut kept = [keep("one"), keep("another")];
        kept.sort_by(|one, other| other.id.cmp(&one.id));
        for (name, text) in [("zz.json", "{"), ("zy.json", "[]"), ("notes.txt", "x"), ("..json", "{}")] {
            fs::write(data.evals().join(name), text).unwrap();
        }
        assert_eq!(data.list_evals(), kept);
        assert_eq!(data.eval(&kept[0].id).unwrap().result["runs"][0], 1);
        for id in ["", "zz", "../eval/zz", "no-such-one"] {
            assert_eq!(data.eval(id), None, "{id}");
        }
    }
}
