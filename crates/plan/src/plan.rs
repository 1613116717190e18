//! The vocabulary of a plan, as `read` fills it and as the machine goes through it. Serialised, a plan is a
//! plan file again.

mod written;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// Steps that are done one after another, and what they need and give.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// For reports and file names.
    pub name: String,
    /// For people.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(default)]
    pub about: String,
    /// Opened before the first step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_url: Option<String>,
    /// What has to be given when the plan is started, by name.
    #[serde(skip_serializing_if = "Named::is_empty")]
    #[schemars(default)]
    pub values: Named<ValueSpec>,
    /// What the plan gives at its end.
    #[serde(skip_serializing_if = "Output::is_empty")]
    #[schemars(default)]
    pub output: Output,
    /// For the whole plan.
    #[serde(skip_serializing_if = "Budget::is_empty")]
    #[schemars(default)]
    pub budget: Budget,
    /// For every step that does not bring its own.
    #[serde(skip_serializing_if = "Budget::is_empty")]
    #[schemars(default)]
    pub step_budget: Budget,
    /// What happens when a step fails.
    #[serde(skip_serializing_if = "Recovery::is_default")]
    #[schemars(default)]
    pub recovery: Recovery,
    pub steps: Vec<Step>,
}

/// Entries in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Named<T>(pub Vec<(String, T)>);

/// One declared input.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValueSpec {
    #[schemars(default)]
    pub r#type: ValueType,
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(default)]
    pub about: String,
    /// Used when nothing is given; without it something has to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Rows and lists: a CSV or JSON file beside the plan, read when nothing is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Rows: the columns that every row has to have. Others may be there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub columns: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    #[default]
    Text,
    Number,
    Boolean,
    /// Texts, numbers or booleans.
    List,
    /// Objects, as of a CSV file: one for each line.
    Rows,
    /// Stands in the plan as a placeholder; its clear text is never seen here.
    Secret,
}

/// What is left at the end: an object with a field for every table and every value.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Rows that extract steps collect, by name.
    #[serde(skip_serializing_if = "Named::is_empty")]
    #[schemars(default)]
    pub tables: Named<Table>,
    /// Texts with `{{…}}`, filled in at the end.
    #[serde(skip_serializing_if = "Named::is_empty")]
    #[schemars(default)]
    pub values: Named<String>,
    /// JSON Schema of the whole output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Map<String, Value>>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Of two rows with the same values here the first is kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub key: Vec<String>,
    /// Columns of the CSV file, in this order; without them, the fields in the order in which they came up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub columns: Vec<String>,
}

/// What may be used up. What is not given is not limited here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Calls that brains make.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u32>,
    /// Seconds, or a text such as `90s`, `10m`, `2h`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_time: Option<Span>,
    /// US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<Dollars>,
}

/// A length of time in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(pub u64);

/// An amount in millionths of a US dollar, so that sums are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dollars(pub u64);

/// The policy for failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    /// For steps without their own; loops and conditions are not meant, they pass a failure on.
    #[schemars(default)]
    pub on_failure: OnFailure,
    /// So many failures, counted over the whole plan, end it whatever the steps say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_failures: Option<u32>,
    #[schemars(default)]
    pub before_retry: BeforeRetry,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BeforeRetry {
    /// Try again where one is.
    #[default]
    Stay,
    /// Open the address that was opened last.
    Reopen,
}

/// `stop`, `skip`, `ask`, `retry 2` (and then stop), or `retry 2 then skip`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnFailure {
    pub retries: u32,
    pub then: GiveUp,
}

/// What happens when nothing is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GiveUp {
    /// The step around this one has failed; at the top, the plan has.
    #[default]
    Stop,
    /// Go on with the next step; after a failure inside of a loop, with its next pass.
    Skip,
    /// A person decides.
    Ask,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Small letters, digits, `-` and `_`; each once in a plan.
    pub id: String,
    /// What the step is for: the instruction of an act, a word for people elsewhere.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(default)]
    pub intent: String,
    #[serde(flatten)]
    pub kind: StepKind,
    /// Names of values that must not be empty when the step begins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub required: Vec<String>,
    /// What has to hold before the step begins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub gates: Vec<Gate>,
    /// Predicates that all have to hold at the end of the step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub done_when: Vec<String>,
    #[serde(skip_serializing_if = "Budget::is_empty")]
    #[schemars(default)]
    pub budget: Budget,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_failure: Option<OnFailure>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum StepKind {
    /// Opens an address.
    Navigate { url: String },
    /// A brain does what the intent says.
    Act {
        /// Values that the brain may enter, by label.
        #[serde(skip_serializing_if = "Named::is_empty")]
        #[schemars(default)]
        values: Named<String>,
        /// The form that this act sends off: it is not done while fields of the form are not filled.
        #[serde(skip_serializing_if = "Option::is_none")]
        submits: Option<String>,
    },
    /// Enters values into fields, by their labels.
    Fill {
        fields: Named<String>,
        /// A name for the form, so that an act can say that it submits it.
        #[serde(skip_serializing_if = "Option::is_none")]
        form: Option<String>,
    },
    /// Reads data off the page.
    Extract {
        what: String,
        /// JSON Schema of what is read.
        output_schema: Map<String, Value>,
        #[schemars(default)]
        evidence: EvidencePer,
        /// Later steps know it by this name.
        #[serde(skip_serializing_if = "Option::is_none")]
        save_as: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        collect: Option<Collect>,
    },
    /// Nothing is done; what is named has to hold.
    Verify {
        #[serde(skip_serializing_if = "Option::is_none")]
        condition: Option<Condition>,
    },
    /// Steps that are done several times.
    Loop {
        #[serde(flatten)]
        rule: LoopRule,
        steps: Vec<Step>,
        /// Steps between one pass and the next, not after the last: going to the next page.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schemars(default)]
        between: Vec<Step>,
    },
    /// One of two ways.
    If {
        condition: Condition,
        then: Vec<Step>,
        #[serde(rename = "else", skip_serializing_if = "Vec::is_empty")]
        #[schemars(default)]
        otherwise: Vec<Step>,
    },
    /// A question to a person.
    Ask {
        question: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schemars(default)]
        choices: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        save_as: Option<String>,
    },
}

/// When a loop goes on. Exactly one of `over`, `while` and `until`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct LoopRule {
    /// A list or rows: `{{people}}`, `{{page.rows}}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    /// The name of the current item; `row` when not given.
    #[serde(rename = "as", skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Looked at before every pass.
    #[serde(rename = "while", skip_serializing_if = "Option::is_none")]
    pub as_long_as: Option<Condition>,
    /// Looked at after every pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Condition>,
    /// The bound. A loop that wants to go on beyond it has failed. Only `over` may leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_times: Option<u32>,
}

/// How closely an extract step has to show where its data is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidencePer {
    /// For every field of its own.
    #[default]
    Field,
    /// For every object of a list, or for the field.
    Record,
}

/// Where extracted rows go. A text alone is the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = or_text)]
pub struct Collect {
    /// A table of the output.
    pub into: String,
    /// The field that has the rows; the whole value when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// Something that has to hold before a step: a condition, or a person's leave.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Gate {
    Approval {
        /// Why a person is asked.
        approval: String,
    },
    Condition(Condition),
}

/// Predicates and comparisons of values, joined.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Condition {
    /// Of the page as it is now.
    Predicate(String),
    All {
        all: Vec<Condition>,
    },
    Any {
        any: Vec<Condition>,
    },
    Not {
        not: Box<Condition>,
    },
    Value(ValueTest),
}

/// A comparison of something that is known: an input, an extracted value, an answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValueTest {
    pub value: String,
    #[serde(flatten)]
    pub test: Test,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    Equals(Value),
    NotEquals(Value),
    /// A part of a text, or an entry of a list.
    Contains(Value),
    AtLeast(f64),
    AtMost(f64),
    /// Nothing, an empty text, list or object.
    Empty(bool),
}

/// The name of the item of a loop that gives none.
pub const ITEM: &str = "row";

/// The number of the current pass of the innermost loop, from 1.
pub const PASS_NUMBER: &str = "loop_number";

impl Plan {
    /// All steps, those inside of others after the one that they are in, each with its place.
    pub fn all_steps(&self) -> Vec<(String, &Step)> {
        let mut found = Vec::new();
        collect_steps("steps", &self.steps, &mut found);
        found
    }

    /// The files that hold values when none are given: the name of the value, and the path as written.
    pub fn files(&self) -> Vec<(&str, &str)> {
        self.values.iter().filter_map(|(name, spec)| Some((name, spec.file.as_deref()?))).collect()
    }

    /// The names of all secrets that the plan's own texts ask for, and of its secret values.
    pub fn secrets(&self) -> Vec<String> {
        let text = serde_json::to_string(self).unwrap_or_default();
        let mut names: Vec<String> = surehand_types::secret::names_in(&text).into_iter().map(str::to_owned).collect();
        let declared = self.values.iter().filter(|(_, spec)| spec.r#type == ValueType::Secret);
        names.extend(declared.map(|(name, _)| name.to_owned()));
        names.sort();
        names.dedup();
        names
    }
}

impl Step {
    /// The lists of steps inside of this one, with the names of their fields.
    pub fn blocks(&self) -> Vec<(&'static str, &[Step])> {
        match &self.kind {
            StepKind::Loop { steps, between, .. } => vec![("steps", steps), ("between", between)],
            StepKind::If { then, otherwise, .. } => vec![("then", then), ("else", otherwise)],
            _ => Vec::new(),
        }
    }

    pub fn type_name(&self) -> &'static str {
        match self.kind {
            StepKind::Navigate { .. } => "navigate",
            StepKind::Act { .. } => "act",
            StepKind::Fill { .. } => "fill",
            StepKind::Extract { .. } => "extract",
            StepKind::Verify { .. } => "verify",
            StepKind::Loop { .. } => "loop",
            StepKind::If { .. } => "if",
            StepKind::Ask { .. } => "ask",
        }
    }

    pub fn save_as(&self) -> Option<&str> {
        match &self.kind {
            StepKind::Extract { save_as, .. } | StepKind::Ask { save_as, .. } => save_as.as_deref(),
            _ => None,
        }
    }
}

impl LoopRule {
    pub fn item_name(&self) -> &str {
        self.item.as_deref().unwrap_or(ITEM)
    }
}

impl Condition {
    /// All predicates in it, in order.
    pub fn predicates(&self) -> Vec<&str> {
        match self {
            Condition::Predicate(predicate) => vec![predicate],
            Condition::All { all: parts } | Condition::Any { any: parts } => {
                parts.iter().flat_map(Condition::predicates).collect()
            }
            Condition::Not { not } => not.predicates(),
            Condition::Value(_) => Vec::new(),
        }
    }
}

impl Budget {
    pub fn is_empty(&self) -> bool {
        *self == Budget::default()
    }
}

impl Output {
    fn is_empty(&self) -> bool {
        *self == Output::default()
    }
}

impl Recovery {
    fn is_default(&self) -> bool {
        *self == Recovery::default()
    }
}

impl Default for OnFailure {
    fn default() -> OnFailure {
        OnFailure { retries: 0, then: GiveUp::Stop }
    }
}

impl<T> Named<T> {
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    pub fn get(&self, name: &str) -> Option<&T> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The schema of an object, or a text in its place.
fn or_text(schema: &mut schemars::Schema) {
    let object = schema.clone();
    *schema = schemars::json_schema!({"anyOf": [{"type": "string"}, object]});
}

fn collect_steps<'a>(place: &str, steps: &'a [Step], found: &mut Vec<(String, &'a Step)>) {
    for (at, step) in steps.iter().enumerate() {
        let place = format!("{place}[{at}]");
        found.push((place.clone(), step));
        for (name, block) in step.blocks() {
            collect_steps(&format!("{place}.{name}"), block, found);
        }
    }
}
