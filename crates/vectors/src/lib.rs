//! Conformance vectors: a folder of `family.json` files, each with cases that have an input and an
//! expected answer. Start reading at `run_folder`; one file per family translates its cases into calls.

mod compare;
pub mod families;

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

pub use compare::same;

/// One case of a family.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    pub id: String,
    /// Empty in families of one kind.
    #[serde(default)]
    pub kind: String,
    pub input: Value,
    pub expect: Value,
}

#[derive(Debug, Deserialize)]
struct FamilyFile {
    cases: Vec<Case>,
}

/// What a family needs besides its case: where files that the case names are.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    pub folder: &'a Path,
}

/// Runs one case; the error says what differs.
pub type Runner = fn(&Case, Place<'_>) -> Result<(), String>;

/// The outcome of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FamilyOutcome {
    pub family: String,
    pub passed: usize,
    pub total: usize,
    pub differences: Vec<String>,
}

impl FamilyOutcome {
    pub fn is_right(&self) -> bool {
        self.passed == self.total && self.differences.is_empty()
    }

    fn broken(family: &str, why: String) -> FamilyOutcome {
        FamilyOutcome { family: family.into(), passed: 0, total: 0, differences: vec![why] }
    }
}

/// Runs every `*.json` of a folder, sorted by name.
pub fn run_folder(folder: &Path) -> Result<Vec<FamilyOutcome>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(format!("there is no family (*.json) in {}", folder.display()));
    }
    Ok(files.iter().map(|file| run_file(file)).collect())
}

fn run_file(file: &Path) -> FamilyOutcome {
    let family = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let Some(runner) = families::runner(&family) else {
        return FamilyOutcome::broken(&family, "this family is not known".into());
    };
    let parsed = std::fs::read_to_string(file)
        .map_err(|error| error.to_string())
        .and_then(|text| serde_json::from_str::<FamilyFile>(&text).map_err(|error| error.to_string()));
    let cases = match parsed {
        Ok(parsed) if !parsed.cases.is_empty() => parsed.cases,
        Ok(_) => return FamilyOutcome::broken(&family, "the file has no cases".into()),
        Err(error) => return FamilyOutcome::broken(&family, format!("the file cannot be read: {error}")),
    };
    let place = Place { folder: file.parent().unwrap_or(Path::new(".")) };
    let mut differences = Vec::new();
    for case in &cases {
        if let Err(difference) = runner(case, place) {
            differences.push(format!("{}: {difference}", case.id));
        }
    }
    FamilyOutcome { family, passed: cases.len() - differences.len(), total: cases.len(), differences }
}
