//! A contract: what has to hold at the end of a run, whatever way the run took. Read once, checked completely
//! when read, and after that only asked. Start reading at `Contract::read`.

mod condition;
mod error;
mod fields;
mod kinds;
mod paths;
mod patterns;
mod places;
mod read_facts;
mod read_pixels;
mod schema;
mod selector;
mod shapes;
mod since_start;
mod sql;
mod value_rule;
mod values;

use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};
use surehand_types::referee::Channel;

pub use error::ContractError;
pub(crate) use error::quoted;
pub(crate) use kinds::{
    Check, Dom, FileRule, GridRow, Group, GroupRule, Http, HttpTarget, Kind, Output, PageRule, Sqlite, Table, TextRule,
    Toggle, ValueText,
};
pub(crate) use paths::below;
pub(crate) use patterns::glob;
pub use schema::contract_schema;
pub(crate) use schema::validator as schema_validator;
pub use shapes::{Authority, PassRule};
pub(crate) use shapes::{Format, Several};
pub(crate) use value_rule::{Met, Start, ValueRules};
pub(crate) use values::{Count, Order, same, shortened, shortened_text};

use fields::Fields;
use shapes::{CommonShape, ContractShape};

/// Bytes of a contract that are read.
pub(crate) const LARGEST_CONTRACT: usize = 1 << 20;
const MOST_CHECKS: usize = 200;
/// Reference pictures the judge is shown.
pub(crate) const MOST_REFERENCES: usize = 3;
const LONGEST_RUBRIC: usize = 8000;

/// A contract that can be examined.
#[derive(Debug, Clone)]
pub struct Contract {
    id: String,
    sha256: String,
    folder: PathBuf,
    about: Option<String>,
    any_phrase: Vec<String>,
    all_phrases: Vec<String>,
    rubric: Option<String>,
    references: Vec<String>,
    pub(crate) checks: Vec<Check>,
    pass_rule: PassRule,
    authority: Authority,
}

impl Contract {
    /// Reads a contract's text. `folder` is where its file is: paths in it start there.
    pub fn read(text: &str, folder: &Path) -> Result<Contract, ContractError> {
        if text.len() > LARGEST_CONTRACT {
            return Err(ContractError::TooLarge { bytes: text.len(), limit: LARGEST_CONTRACT });
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value = surehand_checks::strict_json::parse(text)
            .map_err(|error| ContractError::NotJson(quoted(&error.to_string())))?;
        let Value::Object(object) = value else { return Err(ContractError::NotAnObject(kind_of(&value))) };
        let mut fields = Fields::new("", object);
        // Editors like to have it.
        fields.take("$schema");
        let listed = fields.take("checks");
        let shape: ContractShape = fields.section()?;
        let checks = read_checks(listed)?;
        fields.finish()?;
        let contract = Contract {
            sha256: hex(&Sha256::digest(text.as_bytes())),
            folder: folder.to_path_buf(),
            about: shape.about,
            any_phrase: shape.task_match.as_ref().map(|phrases| phrases.any.clone()).unwrap_or_default(),
            all_phrases: shape.task_match.map(|phrases| phrases.all).unwrap_or_default(),
            rubric: shape.rubric,
            references: shape.reference_images,
            checks,
            pass_rule: shape.pass_rule,
            authority: shape.authority,
            id: shape.id,
        };
        contract.sensible()?;
        Ok(contract)
    }

    /// Reads a contract's file.
    pub fn load(file: &Path) -> Result<Contract, ContractError> {
        let wrong = |problem: String| ContractError::File { file: file.display().to_string(), problem };
        let length = std::fs::metadata(file).map_err(|error| wrong(format!("it cannot be read: {error}")))?.len();
        if length > LARGEST_CONTRACT as u64 {
            return Err(ContractError::TooLarge { bytes: length as usize, limit: LARGEST_CONTRACT });
        }
        let bytes = std::fs::read(file).map_err(|error| wrong(format!("it cannot be read: {error}")))?;
        let text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8 text".into()))?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let contract = Contract::read(&text, folder)?;
        for (at, path) in contract.references.iter().enumerate() {
            if !folder.join(path).is_file() {
                return Err(ContractError::field(
                    format!("reference_images[{at}]"),
                    format!("there is no file {}", quoted(path)),
                ));
            }
        }
        Ok(contract)
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    /// Of the text that was read.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    pub fn rubric(&self) -> Option<&str> {
        self.rubric.as_deref()
    }

    /// Files with pictures of success, relative to the folder.
    pub fn reference_images(&self) -> &[String] {
        &self.references
    }

    pub fn pass_rule(&self) -> PassRule {
        self.pass_rule
    }

    pub fn authority(&self) -> Authority {
        self.authority
    }

    pub fn check_count(&self) -> usize {
        self.checks.len()
    }

    /// Those in groups too.
    pub(crate) fn all_checks(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().flat_map(|check| {
            let inner = match &check.kind {
                Kind::Group(group) => group.checks.as_slice(),
                _ => &[],
            };
            std::iter::once(check).chain(inner)
        })
    }

    /// The statements of its checks, with their place.
    pub fn statements(&self) -> Vec<(String, &str)> {
        self.placed()
            .into_iter()
            .filter_map(|(place, check)| match &check.kind {
                Kind::Sqlite(rule) => Some((format!("{place}.sql"), rule.sql.as_str())),
                _ => None,
            })
            .collect()
    }

    /// What its checks send to servers, with their place: it may name secrets.
    pub fn header_values(&self) -> Vec<(String, &str)> {
        self.placed()
            .into_iter()
            .filter_map(|(place, check)| match &check.kind {
                Kind::Http(rule) => Some((place, rule)),
                _ => None,
            })
            .flat_map(|(place, rule)| {
                rule.headers.iter().map(move |(name, value)| (format!("{place}.headers.{name}"), value.as_str()))
            })
            .collect()
    }

    /// Every check with its place, those in groups too.
    fn placed(&self) -> Vec<(String, &Check)> {
        let mut all = Vec::new();
        for (index, check) in self.checks.iter().enumerate() {
            let place = format!("checks[{index}]");
            if let Kind::Group(group) = &check.kind {
                all.extend(group.checks.iter().enumerate().map(|(at, inner)| (format!("{place}.checks[{at}]"), inner)));
            }
            all.push((place, check));
        }
        all
    }

    /// The names of folders that its checks want to be told.
    pub fn roots(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .all_checks()
            .filter_map(|check| match &check.kind {
                Kind::File(file) => file.root.as_deref(),
                Kind::Sqlite(sqlite) => sqlite.root.as_deref(),
                _ => None,
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Where the required checks get their facts.
    pub fn channels(&self) -> Vec<Channel> {
        let required = self.checks.iter().filter(|check| check.required);
        let mut channels: Vec<Channel> = required.map(|check| check.kind.channel()).collect();
        channels.sort_unstable();
        channels.dedup();
        channels
    }

    /// Whether the contract says that it is about this task. One that says nothing is about any.
    pub fn matches_task(&self, task: &str) -> bool {
        let task = in_words(task);
        let has = |phrase: &String| task.contains(&in_words(phrase));
        (self.any_phrase.is_empty() || self.any_phrase.iter().any(has)) && self.all_phrases.iter().all(has)
    }

    /// What is weak about it, one sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let beside = self.checks.iter().any(|check| check.required && check.kind.channel().is_beside_pixels());
        if !self.checks.is_empty() && !beside {
            warnings.push(match self.authority {
                Authority::Fused => "no required check comes from another channel than pixels: without a judge this \
                     contract can never pass. hint: add a dom, url, http, file or sqlite check where one exists"
                    .into(),
                Authority::Pixels => {
                    "no required check comes from another channel than pixels, and the contract lets pixels decide"
                        .into()
                }
            });
        }
        if self.checks.iter().filter(|check| check.required).all(|check| check.kind.only_absence())
            && !self.checks.is_empty()
        {
            let why = "every required check asks for something not to be there, so an empty page would do. hint: add \
                       one that asks for what has to be there";
            warnings.push(why.into());
        }
        for (index, check) in self.checks.iter().enumerate() {
            if let Kind::GridRow(row) = &check.kind
                && row.steps.is_none()
            {
                warnings.push(format!("checks[{index}]: without `steps` a covered part of the row is not noticed"));
            }
        }
        warnings
    }

    fn sensible(&self) -> Result<(), ContractError> {
        if self.id.trim().is_empty() || self.id.len() > 200 || self.id.chars().any(char::is_control) {
            return Err(ContractError::field("id", "it wants a short name without control characters"));
        }
        if let Some(rubric) = &self.rubric
            && (rubric.trim().is_empty() || rubric.len() > LONGEST_RUBRIC)
        {
            return Err(ContractError::field("rubric", format!("it wants 1 to {LONGEST_RUBRIC} bytes of text")));
        }
        for (list, phrases) in [("any", &self.any_phrase), ("all", &self.all_phrases)] {
            if let Some(at) = phrases.iter().position(|phrase| in_words(phrase).trim().is_empty()) {
                return Err(ContractError::field(format!("task_match.{list}[{at}]"), "a phrase wants words"));
            }
        }
        if self.references.len() > MOST_REFERENCES {
            let problem = format!("the judge is shown at most {MOST_REFERENCES} pictures");
            return Err(ContractError::field("reference_images", problem));
        }
        for (at, path) in self.references.iter().enumerate() {
            paths::below(path).map_err(|why| ContractError::field(format!("reference_images[{at}]"), why))?;
        }
        if self.checks.is_empty() && self.rubric.is_none() {
            return Err(ContractError::field("checks", "there is nothing to check, and no rubric for a judge either"));
        }
        if !self.checks.is_empty() && !self.checks.iter().any(|check| check.required) {
            return Err(ContractError::field("checks", "none of them is required, so nothing could ever fail"));
        }
        Ok(())
    }
}

fn read_checks(listed: Option<Value>) -> Result<Vec<Check>, ContractError> {
    let list = match listed {
        None => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(other) => {
            return Err(ContractError::field(
                "checks",
                format!("it wants a list of checks, this is {}", kind_of(&other)),
            ));
        }
    };
    if list.len() > MOST_CHECKS {
        return Err(ContractError::field("checks", format!("{} checks are more than {MOST_CHECKS}", list.len())));
    }
    list.into_iter().enumerate().map(|(index, check)| read_check(format!("checks[{index}]"), check)).collect()
}

/// Checks inside of a check. What reads the picture has its place in the frame, and the brain's answer proves nothing, so
/// neither can be hidden in a group.
fn group(fields: &mut Fields, rule: GroupRule) -> Result<Group, ContractError> {
    let shape: shapes::GroupShape = fields.section()?;
    if shape.checks.is_empty() {
        return Err(fields.wrong("checks", "there is nothing to check"));
    }
    if shape.checks.len() > MOST_CHECKS {
        return Err(fields.wrong("checks", format!("{} checks are more than {MOST_CHECKS}", shape.checks.len())));
    }
    let mut checks = Vec::new();
    for (at, inner) in shape.checks.into_iter().enumerate() {
        let place = fields.place(&format!("checks[{at}]"));
        // Read only after this: a group in a group in a group could go on for ever.
        if matches!(inner.get("type").and_then(Value::as_str), Some("any_of" | "none_of")) {
            return Err(ContractError::field(place, "there are no groups in a group"));
        }
        let check = read_check(place.clone(), Value::Object(inner))?;
        if matches!(check.kind.channel(), Channel::Pixels | Channel::Output) {
            let why = format!("a {} check cannot be in a group", check.kind.name());
            return Err(ContractError::field(place, why));
        }
        if !check.required {
            return Err(ContractError::field(format!("{place}.required"), "it means nothing in a group"));
        }
        checks.push(check);
    }
    Ok(Group { rule, checks })
}

fn read_check(path: String, value: Value) -> Result<Check, ContractError> {
    let Value::Object(object) = value else {
        return Err(ContractError::field(path, format!("a check is an object, this is {}", kind_of(&value))));
    };
    let mut fields = Fields::new(path, object);
    let kind = match fields.take("type") {
        Some(Value::String(kind)) => kind,
        Some(other) => return Err(fields.wrong("type", format!("it wants a text, this is {}", kind_of(&other)))),
        None => return Err(fields.wrong("type", "the field `type` is missing")),
    };
    let common: CommonShape = fields.section()?;
    let kind = match kind.as_str() {
        "grid_row" => Kind::GridRow(read_pixels::grid_row(&mut fields)?),
        "text_present" => Kind::TextPresent(read_pixels::text(&mut fields)?),
        "text_absent" => Kind::TextAbsent(read_pixels::text(&mut fields)?),
        "toggle" => Kind::Toggle(read_pixels::toggle(&mut fields)?),
        "dom" => Kind::Dom(Box::new(read_facts::dom(&mut fields)?)),
        "url" => Kind::Url(read_facts::url(&mut fields)?),
        "title" => Kind::Title(read_facts::title(&mut fields)?),
        "http" => Kind::Http(Box::new(read_facts::http(&mut fields)?)),
        "file" => Kind::File(Box::new(read_facts::file(&mut fields)?)),
        "sqlite" => Kind::Sqlite(read_facts::sqlite(&mut fields)?),
        "output" => Kind::Output(Box::new(read_facts::output(&mut fields)?)),
        "table" => Kind::Table(Box::new(read_facts::table(&mut fields)?)),
        "any_of" => Kind::Group(group(&mut fields, GroupRule::AnyOf)?),
        "none_of" => Kind::Group(group(&mut fields, GroupRule::NoneOf)?),
        unknown => {
            let names = Kind::NAMES.map(str::to_owned);
            let hint = match fields::nearest(unknown, &names) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("there are {}", names.join(", ")),
            };
            return Err(fields.wrong("type", format!("`{}` is no check. hint: {hint}", quoted(unknown))));
        }
    };
    fields.finish()?;
    Ok(Check { name: common.name, required: common.required, kind })
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Lower case words between single spaces, so that a phrase is found as words and not inside of others.
fn in_words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::every_kind;
