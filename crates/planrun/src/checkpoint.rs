//! The checkpoint of a plan: one file in the run's folder, always whole, readable by its owner only (it has the browser's
//! cookies), and the rows beside it (`rows_file`). Whatever ends the process, the next one goes on from what is in them.

use std::fs::{DirBuilder, File, OpenOptions, rename};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use surehand_plan::{Inputs, Machine, Plan, Position};

use crate::rows_file::{self, Mark};

const FILE: &str = "plan.json";
const VERSION: u32 = 2;
/// Has the rows in itself.
const WITH_ROWS: u32 = 1;
/// Far more than the tables of a plan may hold; a larger file is none of ours.
const MOST_BYTES: u64 = 1024 * 1024 * 1024;

/// Where a plan is, with everything that is needed to go on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Checkpoint {
    version: u32,
    plan: Value,
    given: Map<String, Value>,
    position: Position,
    /// Those of the rows beside it that count.
    #[serde(default)]
    pub(crate) rows: Mark,
    /// Steps of the run's trajectory at this moment.
    pub(crate) calls: usize,
    pub(crate) browser: Option<Value>,
    pub(crate) start: Option<StepStart>,
    pub(crate) unsent: Vec<SecretField>,
    /// The event of a call that was cut off, where the plan was told that it may or may not have taken effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) told_of: Option<u64>,
}

/// How the page was when a step began: what its predicates compare with.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct StepStart {
    pub(crate) url: Option<String>,
    pub(crate) title: Option<String>,
    /// Perceptual hash; empty where there is none.
    pub(crate) frame: String,
    /// Steps of the trajectory before it.
    pub(crate) calls: usize,
}

/// A field that was filled in with a secret, by its placeholder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SecretField {
    pub(crate) label: String,
    pub(crate) value: String,
    /// The name of its form, where it has one.
    #[serde(default)]
    pub(crate) form: Option<String>,
    /// The page that it was filled in on, where that is known.
    #[serde(default)]
    pub(crate) page: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error(
        "the run has no plan to go on with ({path}: {source})\nhint: `surehand run --resume` goes on with other runs"
    )]
    Missing { path: String, source: std::io::Error },
    #[error("the checkpoint {path} cannot be read: {why}\nhint: start the plan anew")]
    Unreadable { path: String, why: String },
    #[error("the checkpoint {path} cannot be written: {source}")]
    Unwritable { path: String, source: std::io::Error },
}

impl Checkpoint {
    pub(crate) fn new(
        machine: &Machine,
        given: &Map<String, Value>,
        calls: usize,
        browser: Option<Value>,
        start: Option<StepStart>,
        unsent: Vec<SecretField>,
        told_of: Option<u64>,
    ) -> Checkpoint {
        let plan = serde_json::to_value(machine.plan()).unwrap_or_default();
        let (given, position) = (given.clone(), machine.position().without_collected());
        let rows = Mark::default();
        Checkpoint { version: VERSION, plan, given, position, rows, calls, browser, start, unsent, told_of }
    }

    /// With rows beside it.
    pub(crate) fn with_rows(self, rows: Mark) -> Checkpoint {
        Checkpoint { rows, ..self }
    }

    pub fn load(folder: &Path) -> Result<Checkpoint, CheckpointError> {
        let path = folder.join(FILE);
        let shown = || path.display().to_string();
        let unreadable = |why: String| CheckpointError::Unreadable { path: shown(), why };
        let file = File::open(&path).map_err(|source| CheckpointError::Missing { path: shown(), source })?;
        let mut text = String::new();
        file.take(MOST_BYTES).read_to_string(&mut text).map_err(|error| unreadable(error.to_string()))?;
        let mut checkpoint: Checkpoint = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
        match checkpoint.version {
            VERSION => {
                rows_file::put_back(folder, checkpoint.rows, &mut checkpoint.position).map_err(unreadable)?;
                Ok(checkpoint)
            }
            WITH_ROWS => Ok(checkpoint),
            other => Err(unreadable(format!("it has version {other}, and {VERSION} is known"))),
        }
    }

    /// Whether a run's folder has one.
    pub fn exists(folder: &Path) -> bool {
        folder.join(FILE).is_file()
    }

    /// Takes what a browser could be gone on with, logins among it, out of the checkpoint of a plan that nobody goes on with.
    pub fn forget_browser(folder: &Path) -> Result<(), CheckpointError> {
        let path = folder.join(FILE);
        let shown = || path.display().to_string();
        let unreadable = |why: String| CheckpointError::Unreadable { path: shown(), why };
        let unwritable = |source| CheckpointError::Unwritable { path: shown(), source };
        let bytes = match std::fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            read => read.map_err(|error| unreadable(error.to_string()))?,
        };
        let mut checkpoint: Value = serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))?;
        match checkpoint.get_mut("browser") {
            Some(browser) if !browser.is_null() => *browser = Value::Null,
            _ => return Ok(()),
        }
        let bytes = serde_json::to_vec(&checkpoint).map_err(|error| unwritable(std::io::Error::other(error)))?;
        write_whole(&path, &bytes).map_err(unwritable)
    }

    /// The plan as it was when it began.
    pub fn plan(&self) -> Result<Plan, CheckpointError> {
        Plan::from_value(&self.plan).map_err(|problems| CheckpointError::Unreadable {
            path: FILE.into(),
            why: problems.to_string().lines().next().unwrap_or_default().to_string(),
        })
    }

    /// Whether its rows are beside it.
    pub(crate) fn has_rows_beside(&self) -> bool {
        self.version != WITH_ROWS
    }

    pub(crate) fn machine(&self) -> Result<(Machine, Map<String, Value>), CheckpointError> {
        let damaged = |why: String| CheckpointError::Unreadable { path: FILE.into(), why };
        let plan = self.plan()?;
        let inputs = Inputs::resolve(&plan, &self.given).map_err(|problems| damaged(problems.to_string()))?;
        let machine =
            Machine::resume(plan, inputs, self.position.clone()).map_err(|error| damaged(error.to_string()))?;
        Ok((machine, self.given.clone()))
    }

    /// Written beside the old one and put in its place, so that there is always a whole one. Returns its size.
    pub(crate) fn save(&self, folder: &Path) -> Result<usize, CheckpointError> {
        let path = folder.join(FILE);
        let unwritable = |source| CheckpointError::Unwritable { path: path.display().to_string(), source };
        let text = serde_json::to_vec(self).map_err(|error| unwritable(std::io::Error::other(error)))?;
        write_whole(&path, &text).map_err(unwritable)?;
        Ok(text.len())
    }
}

pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let beside: PathBuf = path.with_extension("new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    rename(&beside, path)?;
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn machine() -> Machine {
        let plan = json!({"name": "p", "steps": [{"id": "a", "type": "act", "intent": "look"}]});
        Machine::new(Plan::from_value(&plan).unwrap(), Inputs::default())
    }

    #[test]
    fn what_is_saved_is_read_back_and_garbage_is_one_sentence() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Checkpoint::load(folder.path()), Err(CheckpointError::Missing { .. })));
        let saved = Checkpoint::new(&machine(), &Map::new(), 7, Some(json!({"url": "x"})), None, Vec::new(), Some(9));
        saved.save(folder.path()).unwrap();
        let file = folder.path().join(FILE);
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let read = Checkpoint::load(folder.path()).unwrap();
        assert_eq!(read.told_of, Some(9));
        assert_eq!((read.calls, read.machine().unwrap().0.next()), (7, machine().next()));
        Checkpoint::forget_browser(folder.path()).unwrap();
        let forgotten = Checkpoint::load(folder.path()).unwrap();
        assert!(read.browser.is_some() && forgotten.browser.is_none());
        assert_eq!((forgotten.calls, forgotten.told_of), (7, Some(9)));
        Checkpoint::forget_browser(&folder.path().join("of another run")).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        for garbage in [
            String::new(),
            "[]".into(),
            text[..text.len() / 2].into(),
            text.replace("\"version\":2,\"plan\"", "\"version\":9,\"plan\""),
        ] {
            std::fs::write(&file, &garbage).unwrap();
            let error = Checkpoint::load(folder.path()).unwrap_err().to_string();
            assert!(error.contains("cannot be read") && error.contains("hint:"), "{error}");
        }
        std::fs::write(&file, text.replace("\"intent\":\"look\"", "\"intent\":\"look away\"")).unwrap();
        let error = Checkpoint::load(folder.path()).unwrap().machine().unwrap_err().to_string();
        assert!(error.contains("another plan"), "{error}");
    }
}
