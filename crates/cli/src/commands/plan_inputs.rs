//! A plan from its file, with what it is started with: values of the command line, a file of values, and the files that the
//! plan names beside itself.

use std::io::Read as _;
use std::path::Path;

use serde_json::{Map, Value};
use surehand_checks::strict_json;
use surehand_plan::{Inputs, Plan, Problems, inputs, limits};

use crate::args_plan::PlanValues;
use crate::exit::Failure;

/// Rows of an input; far more than a plan goes through.
const DATA_BYTES: u64 = 64 * 1024 * 1024;

/// The plan, or everything that is wrong with it.
pub(super) fn read_plan(file: &Path) -> Result<Plan, Failure> {
    let text = read(file, limits::FILE_BYTES as u64 + 1, "the plan")?;
    Plan::parse(&text).map_err(|problems| wrong(file, &problems))
}

/// Its inputs. Files beside the plan are read for what was not given.
pub(super) fn read_inputs(file: &Path, plan: &Plan, values: &PlanValues) -> Result<Inputs, Failure> {
    let mut given = match &values.values {
        None => Map::new(),
        Some(path) => {
            let text = read(path, DATA_BYTES, "the values")?;
            match strict_json::parse(&text) {
                Ok(Value::Object(given)) => given,
                Ok(_) => return Err(Failure::usage(format!("{} is not a JSON object of values", path.display()))),
                Err(error) => return Err(Failure::usage(format!("{} is not JSON: {error}", path.display()))),
            }
        }
    };
    for pair in &values.value {
        let Some((name, text)) = pair.split_once('=').filter(|(name, _)| !name.trim().is_empty()) else {
            return Err(Failure::usage(format!(
                "--value {pair:?} is not of the form NAME=TEXT\nhint: --value status=Customer"
            )));
        };
        given.insert(name.trim().to_string(), Value::String(text.to_string()));
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    for (name, named) in plan.files() {
        if given.contains_key(name) {
            continue;
        }
        // That it leads nowhere else is part of the plan's own checks.
        let text = read(&folder.join(named), DATA_BYTES, &format!("values.{name}"))?;
        given.insert(name.to_string(), inputs::table(named, &text).map_err(Failure::usage)?);
    }
    Inputs::resolve(plan, &given).map_err(|problems| wrong(file, &problems))
}

fn read(file: &Path, most: u64, what: &str) -> Result<String, Failure> {
    let cannot = |why: String| Failure::usage(format!("{what} cannot be read from {}: {why}", file.display()));
    let opened = std::fs::File::open(file).map_err(|error| cannot(error.to_string()))?;
    let mut text = String::new();
    opened.take(most).read_to_string(&mut text).map_err(|error| cannot(error.to_string()))?;
    Ok(text)
}

/// Every problem on a line of its own, each with its hint.
fn wrong(file: &Path, problems: &Problems) -> Failure {
    Failure::usage(format!("{} cannot be run:\n{}", file.display(), problems.to_string().trim_end()))
}
