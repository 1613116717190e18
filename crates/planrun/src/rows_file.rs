//! The rows that a plan has collected, one line each, beside its checkpoint. Lines are only added, and the checkpoint says how
//! many bytes of them count: a plan of thousands of rows would otherwise write all of them after every step. What a process
//! that was killed left behind those bytes is written over.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use surehand_plan::Position;
use surehand_plan::machine::Amount;

const FILE: &str = "plan-rows.jsonl";

/// How much of the file counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Mark {
    lines: u64,
    bytes: u64,
}

/// What of the plan's rows is in the file.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowsFile {
    written: Amount,
    mark: Mark,
}

impl RowsFile {
    /// As the checkpoint of this position left it.
    pub(crate) fn at(mark: Mark, position: &Position) -> RowsFile {
        RowsFile { written: position.amount(), mark }
    }

    pub(crate) fn mark(&self) -> Mark {
        self.mark
    }

    /// Adds what is new. It is on disk when this returns, and counts once a checkpoint says so.
    pub(crate) fn follow(&mut self, folder: &Path, position: &Position) -> std::io::Result<Mark> {
        let fresh = position.collected_since(&self.written);
        if fresh.is_empty() {
            return Ok(self.mark);
        }
        let mut text = Vec::new();
        for one in &fresh {
            serde_json::to_writer(&mut text, one)?;
            text.push(b'\n');
        }
        let options = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).clone();
        let mut file = options.open(folder.join(FILE))?;
        file.seek(SeekFrom::Start(self.mark.bytes))?;
        file.write_all(&text)?;
        file.sync_all()?;
        self.mark = Mark { lines: self.mark.lines + fresh.len() as u64, bytes: self.mark.bytes + text.len() as u64 };
        self.written = position.amount();
        Ok(self.mark)
    }
}

/// Puts the rows that count back into the position. The error is part of a sentence.
pub(crate) fn put_back(folder: &Path, mark: Mark, position: &mut Position) -> Result<(), String> {
    if mark.lines == 0 {
        return Ok(());
    }
    let unreadable = |why: String| format!("its rows in {FILE} cannot be read: {why}");
    let file = File::open(folder.join(FILE)).map_err(|error| unreadable(error.to_string()))?;
    let mut lines = 0;
    for line in BufReader::new(file.take(mark.bytes)).lines() {
        let line = line.map_err(|error| unreadable(error.to_string()))?;
        position.put_back(serde_json::from_str(&line).map_err(|error| unreadable(error.to_string()))?);
        lines += 1;
    }
    if lines != mark.lines {
        return Err(unreadable(format!("there are {lines} of {}", mark.lines)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};
    use surehand_plan::extraction::{Evidence, FrameName};
    use surehand_plan::machine::{Outcome, Used};
    use surehand_plan::{Inputs, Machine, Plan, Work};
    use surehand_types::Settings;

    use super::*;
    use crate::checkpoint::Checkpoint;
    use crate::plan_run::PlanRun;

    const PASSES: usize = 200;

    fn new(folder: &Path) -> PlanRun {
        let read =
            json!({"id": "read", "type": "extract", "what": "x", "collect": "t", "output_schema": {"type": "object"}});
        let plan = json!({"name": "p", "output": {"tables": {"t": {}}}, "steps": [
            {"id": "each", "type": "loop", "until": "url_contains:/end", "max_times": PASSES, "steps": [read]}]});
        let run = PlanRun::new(Plan::from_value(&plan).unwrap(), Inputs::default(), folder, &Settings::default());
        run.keep().unwrap();
        run
    }

    fn resumed(folder: &Path) -> PlanRun {
        PlanRun::go_on(Checkpoint::load(folder).unwrap(), folder, &Settings::default()).unwrap()
    }

    /// Reads one row.
    fn read(machine: &mut Machine, number: usize) {
        loop {
            let outcome = match machine.next() {
                Work::Extract { .. } => {
                    let (field, frame) = ("n".into(), FrameName::Number(1));
                    let seen = Evidence { field, frame, r#box: None, selector: Some("#n".into()), text: None };
                    Outcome::Extracted { value: json!({"n": number}), evidence: vec![seen], done_when: Vec::new() }
                }
                Work::Evaluate { .. } => {
                    Outcome::Evaluated { results: vec![surehand_types::ThreeValued::no("not there")] }
                }
                other => panic!("{other:?}"),
            };
            let is_read = matches!(outcome, Outcome::Extracted { .. });
            machine.report(outcome, Used::default()).unwrap();
            if is_read {
                return;
            }
        }
    }

    fn size(folder: &Path, name: &str) -> u64 {
        std::fs::metadata(folder.join(name)).unwrap().len()
    }

    #[test]
    fn rows_are_written_once_and_are_all_there_afterwards() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let mut run = new(folder.path());
        let first = size(folder.path(), "plan.json");
        for number in 0..PASSES {
            read(&mut run.machine, number);
            run.save_at(0, None).unwrap();
            // What a run is gone on with in between is the same run.
            if number % 70 == 0 {
                assert_eq!(resumed(folder.path()).machine.position(), run.machine.position());
                run = resumed(folder.path());
            }
        }
        assert!(size(folder.path(), "plan.json") < first + 500, "the rows are not in it");
        let text = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert_eq!(text.lines().count(), PASSES * 2, "a row and its evidence, once each");
        let mode = std::fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(resumed(folder.path()).machine.position().table("t").len(), PASSES);
    }

    #[test]
    fn what_a_killed_process_left_behind_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let mut run = new(folder.path());
        read(&mut run.machine, 0);
        run.save_at(0, None).unwrap();
        let saved = run.machine.position().clone();
        // Killed between the rows and the checkpoint, or in the middle of a line.
        read(&mut run.machine, 1);
        run.rows.follow(folder.path(), run.machine.position()).unwrap();
        assert_eq!(resumed(folder.path()).machine.position(), &saved);
        let whole = size(folder.path(), FILE);
        let file = OpenOptions::new().write(true).open(folder.path().join(FILE)).unwrap();
        file.set_len(whole - 20).unwrap();
        let mut next = resumed(folder.path());
        assert_eq!(next.machine.position(), &saved);
        // What is read then takes its place, also where it is shorter.
        read(&mut next.machine, 2);
        next.save_at(0, None).unwrap();
        let rows = resumed(folder.path()).machine.position().table("t").to_vec();
        assert_eq!(rows, [json!({"n": 0}), json!({"n": 2})]);
    }

    #[test]
    fn rows_that_are_gone_are_a_sentence_and_no_rows() {
        let folder = tempfile::tempdir().unwrap();
        let mut run = new(folder.path());
        read(&mut run.machine, 0);
        run.save_at(0, None).unwrap();
        let (path, whole) = (folder.path().join(FILE), std::fs::read(folder.path().join(FILE)).unwrap());
        let first_line = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        for left in [&whole[..first_line], &whole[..first_line + 5], b"nonsense\n"] {
            std::fs::write(&path, left).unwrap();
            let error = Checkpoint::load(folder.path()).unwrap_err().to_string();
            assert!(error.contains(FILE) && error.contains("hint:"), "{error}");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(Checkpoint::load(folder.path()).is_err());
    }

    #[test]
    fn a_checkpoint_of_before_has_its_rows_in_itself_and_is_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let mut run = new(folder.path());
        (0..3).for_each(|number| read(&mut run.machine, number));
        run.save_at(0, None).unwrap();
        let path = folder.path().join("plan.json");
        let mut old: Map<String, serde_json::Value> = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        old.insert("version".into(), json!(1));
        old.insert("position".into(), serde_json::to_value(run.machine.position()).unwrap());
        old.remove("rows");
        std::fs::write(&path, serde_json::to_vec(&old).unwrap()).unwrap();
        std::fs::remove_file(folder.path().join(FILE)).unwrap();
        let mut next = resumed(folder.path());
        assert_eq!(next.machine.position(), run.machine.position());
        read(&mut next.machine, 3);
        next.save_at(0, None).unwrap();
        assert_eq!(resumed(folder.path()).machine.position(), next.machine.position());
        assert_eq!(next.machine.position().table("t").len(), 4);
    }
}
