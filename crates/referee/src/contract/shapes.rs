//! The fields of a contract as they stand in its file. These types are the reader and the published schema;
//! what a field may hold beyond its type is decided in `read.rs`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// What a run has to have reached, whatever way it took.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ContractShape {
    /// Name of the contract in reports.
    pub(crate) id: String,
    /// What the contract is about, for people.
    pub(crate) about: Option<String>,
    /// Which tasks it belongs to.
    pub(crate) task_match: Option<TaskMatchShape>,
    /// What the visual judge has to look for. Without one it is written from the task alone.
    pub(crate) rubric: Option<String>,
    /// Pictures of success for the visual judge: at most three files.
    #[serde(default)]
    pub(crate) reference_images: Vec<String>,
    /// How the required checks add up.
    #[serde(default)]
    pub(crate) pass_rule: PassRule,
    /// `pixels` lets checks of the picture alone decide where no judge is asked.
    #[serde(default)]
    pub(crate) authority: Authority,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaskMatchShape {
    /// One of these phrases has to be in the task.
    #[serde(default)]
    pub(crate) any: Vec<String>,
    /// All of these phrases have to be in the task.
    #[serde(default)]
    pub(crate) all: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PassRule {
    #[default]
    All,
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Authority {
    #[default]
    Fused,
    Pixels,
}

/// Fields that every check has.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CommonShape {
    /// A check that is not required is reported and decides nothing.
    #[serde(default = "yes")]
    pub(crate) required: bool,
    /// A short name for reports.
    pub(crate) name: Option<String>,
    /// What the check is for, for people.
    #[serde(rename = "about")]
    #[expect(dead_code, reason = "known to the reader and the schema, and read by people only")]
    pub(crate) about: Option<String>,
}

fn yes() -> bool {
    true
}

/// A row of equal cells, as in a step sequencer or a weekly planner, read off the picture.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct GridRowShape {
    /// Has to match the label of exactly one row.
    pub(crate) target_row_regex: String,
    /// How many cells the row has; with another number in the picture nothing is claimed.
    pub(crate) steps: Option<u32>,
    /// Cells that have to be on, from 1.
    #[serde(default)]
    pub(crate) required_steps: Vec<u32>,
    /// Cells that have to be off: a list, or `others` for all that are not required.
    pub(crate) forbidden_steps: Option<ForbiddenShape>,
    /// Whether the row itself has to be on (not muted) or off.
    pub(crate) row_enabled: Option<Switch>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "it wants a list of step numbers, or \"others\"")]
pub(crate) enum ForbiddenShape {
    Steps(Vec<u32>),
    Word(OthersWord),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OthersWord {
    Others,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Switch {
    On,
    Off,
}

/// A text in the picture, by OCR.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct TextShape {
    pub(crate) regex: String,
    /// Only here: `[x0, y0, x1, y1]` from 0 to 1000 across and down.
    pub(crate) region: Option<[u32; 4]>,
}

/// A switch or checkbox in the picture.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ToggleShape {
    /// Has to match the label of exactly one switch.
    pub(crate) label_regex: String,
    pub(crate) state: Switch,
}

/// Elements of the page, by the browser's own tree.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct DomShape {
    /// A CSS selector.
    pub(crate) selector: String,
    /// Has to match the element's text, as it is shown, with single spaces.
    pub(crate) text_regex: Option<String>,
    /// Must not match the element's text.
    pub(crate) not_text_regex: Option<String>,
    /// The element's text, as it is shown, with single spaces, has to be exactly this.
    pub(crate) text: Option<String>,
    /// The texts of all elements that the selector finds, in their order in the page.
    pub(crate) texts: Option<Vec<String>>,
    /// `texts` may come in any order.
    #[serde(default)]
    pub(crate) any_order: bool,
    /// Has to match the attribute, or without `attribute` the value of the field.
    pub(crate) value_regex: Option<String>,
    /// The value of the attribute, or of the field, has to be exactly this.
    pub(crate) value: Option<String>,
    /// Which attribute `value_regex` and `value` are about; alone, the element has to have it.
    pub(crate) attribute: Option<String>,
    /// Whether the box is ticked.
    pub(crate) checked: Option<bool>,
    /// How many elements have to be like that; without it, at least one.
    pub(crate) count: Option<CountShape>,
    /// No element may be like that.
    #[serde(default)]
    pub(crate) absent: bool,
    /// Elements that cannot be seen count as well.
    #[serde(default)]
    pub(crate) hidden_too: bool,
    /// When the selector finds several elements: one of them (`any`, the default), `all`, or exactly `one`.
    pub(crate) several: Option<Several>,
}

/// The address of the page, or its title.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct PageShape {
    pub(crate) regex: Option<String>,
    /// Must not match.
    pub(crate) not_regex: Option<String>,
}

/// What the address of the page asks for, decoded.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct QueryShape {
    /// Parameters with the value that each has to have, decoded; a list for one that comes several times, `null` for one
    /// that must not be there. Those after a `?` in the fragment count as well.
    #[serde(default)]
    pub(crate) query: BTreeMap<String, Value>,
}

/// The rows of a table in the page, as a list of objects with the columns' headings as names.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct TableShape {
    /// A CSS selector of a `table`, or of an element with the role `table`, `grid` or `treegrid`; exactly one is wanted.
    pub(crate) selector: String,
    /// How many rows there have to be, without headings.
    pub(crate) row_count: Option<CountShape>,
}

/// One of several checks has to hold, or none of them may. None of them reads the picture or the brain's answer.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct GroupShape {
    /// Checks as elsewhere, without groups inside.
    pub(crate) checks: Vec<serde_json::Map<String, Value>>,
}

/// What a server answers. Only asks, never changes: GET.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct HttpShape {
    /// `http://…`, `https://…`, or a path from `/`, which is asked where the run began.
    pub(crate) url: String,
    /// Only GET.
    pub(crate) method: Option<String>,
    /// A value may name `<secret:NAME>` of a secret that was given at the start, and with `with_session`
    /// `<local_storage:KEY>` of the run's browser.
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
    /// The status that is expected; without it, 200 to 299.
    pub(crate) status: Option<StatusShape>,
    /// Has to match the body.
    pub(crate) body_regex: Option<String>,
    /// Asks with the cookies of the run's browser, where that is possible.
    #[serde(default)]
    pub(crate) with_session: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "it wants a status like 200, or a list of them")]
pub(crate) enum StatusShape {
    One(u16),
    Several(Vec<u16>),
}

/// Files in the contract's folder, or in a folder named at the start.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FileShape {
    /// Relative, with `*`, `**`, `?`, `[a-z]` and `{a,b}`.
    pub(crate) path_glob: String,
    /// A folder that was named at the start, instead of the contract's.
    pub(crate) root: Option<String>,
    pub(crate) contains_regex: Option<String>,
    /// No file that is found may have this.
    pub(crate) not_contains_regex: Option<String>,
    pub(crate) sha256: Option<String>,
    pub(crate) min_bytes: Option<u64>,
    pub(crate) max_bytes: Option<u64>,
    /// How many files have to be like that; without it, at least one.
    pub(crate) files: Option<CountShape>,
    /// Only files that were written after the run began.
    #[serde(default)]
    pub(crate) newer_than_start: bool,
    /// What values are read from: `json` (the default), `csv` (a list of objects by the first line's headings) or
    /// `csv_rows` (a list of lists).
    #[serde(default)]
    pub(crate) format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Format {
    #[default]
    Json,
    Csv,
    CsvRows,
}

/// A query on a SQLite database, opened for reading only.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SqliteShape {
    /// Relative, as with files.
    pub(crate) db: String,
    /// A folder that was named at the start, instead of the contract's.
    pub(crate) root: Option<String>,
    /// One SELECT.
    pub(crate) sql: String,
    /// The rows that have to come, in this order.
    pub(crate) rows: Option<Vec<Vec<Value>>>,
    /// Rows may come in any order.
    #[serde(default)]
    pub(crate) any_order: bool,
    /// How many rows have to come.
    pub(crate) row_count: Option<CountShape>,
    /// How the rows differ from those that came when the run began.
    pub(crate) since_start: Option<SinceStartShape>,
}

/// The brain's answer. It can be well-formed; it is never enough for a pass.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct OutputShape {
    /// A JSON Schema. References to other documents are not followed.
    pub(crate) schema: Option<Value>,
}

/// What a value has to be, shared by checks that read JSON.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ValueShape {
    /// Where the value is (RFC 9535); without it, the whole of it.
    pub(crate) json_path: Option<String>,
    #[serde(default, deserialize_with = "even_null")]
    pub(crate) equals: Option<Value>,
    #[serde(default, deserialize_with = "even_null")]
    pub(crate) not_equals: Option<Value>,
    /// One of these.
    pub(crate) one_of: Option<Vec<Value>>,
    /// A pattern for a text, or for a number as it is written.
    pub(crate) matches: Option<String>,
    /// A pattern that the text, or the number as it is written, must not match.
    pub(crate) not_matches: Option<String>,
    /// A part of a text, or an entry of a list. An object stands for entries that have at least its fields.
    #[serde(default, deserialize_with = "even_null")]
    pub(crate) contains: Option<Value>,
    /// No part of a text, or no entry of a list.
    #[serde(default, deserialize_with = "even_null")]
    pub(crate) not_contains: Option<Value>,
    pub(crate) at_least: Option<f64>,
    pub(crate) at_most: Option<f64>,
    /// Whether there is anything at that place (for files: any file).
    pub(crate) exists: Option<bool>,
    /// How many values are there.
    pub(crate) count: Option<CountShape>,
    /// When there are several values: exactly `one` is wanted (the default), `any` of them, or `all`.
    pub(crate) several: Option<Several>,
    /// Lists are equal whatever their order.
    #[serde(default)]
    pub(crate) any_order: bool,
    /// What may have changed since the run began; all else has to be as it was.
    pub(crate) since_start: Option<SinceStartShape>,
    /// With `since_start`: fields that may change by themselves, like `updated_at`, at any depth.
    #[serde(default)]
    pub(crate) ignore: Vec<String>,
}

/// How things differ from how they were when the run began.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SinceStartShape {
    /// Entries or rows that are new: how many, or which. Not named: none. A changed one is removed and added.
    pub(crate) added: Option<ItemsShape>,
    /// Entries or rows that are gone: how many, or which. Not named: none.
    pub(crate) removed: Option<ItemsShape>,
    /// Exactly as it was, the order too.
    #[serde(default)]
    pub(crate) unchanged: bool,
    /// By how much a number grew.
    pub(crate) increased_by: Option<f64>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "it wants a number, {\"min\": …, \"max\": …}, or a list of entries")]
pub(crate) enum ItemsShape {
    These(Vec<Value>),
    Count(CountShape),
}

/// Several values of the same answer, all of which have to be as wanted.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ValuesShape {
    /// Each with its own `json_path`.
    #[schemars(with = "Vec<ValueShape>")]
    #[serde(default)]
    pub(crate) values: Vec<serde_json::Map<String, Value>>,
}

/// `null` is a value that can be asked for; a field that is not there is not.
fn even_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Several {
    One,
    Any,
    All,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "it wants a number, or {\"min\": …, \"max\": …}")]
pub(crate) enum CountShape {
    Exactly(u64),
    Between(BetweenShape),
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BetweenShape {
    pub(crate) min: Option<u64>,
    pub(crate) max: Option<u64>,
}
