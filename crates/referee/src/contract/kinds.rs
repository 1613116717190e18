//! The checks of a contract after reading: patterns compiled, ranges checked, nothing left to go wrong but
//! the world.

use std::collections::BTreeMap;

use globset::GlobMatcher;
use regex::Regex;
use serde_json::Value;
use surehand_types::referee::Channel;
use surehand_types::ui::OnOff;

use super::shapes::{Format, Several, Switch};
use super::since_start::SinceStart;
use super::value_rule::ValueRules;
use super::values::Count;

/// One check.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    pub(crate) name: Option<String>,
    pub(crate) required: bool,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    GridRow(GridRow),
    TextPresent(TextRule),
    TextAbsent(TextRule),
    Toggle(Toggle),
    Dom(Box<Dom>),
    Url(PageRule),
    Title(PageRule),
    Http(Box<Http>),
    File(Box<FileRule>),
    Sqlite(Sqlite),
    Output(Box<Output>),
    Table(Box<Table>),
    Group(Group),
}

impl Kind {
    pub(crate) const NAMES: [&'static str; 14] = [
        "grid_row",
        "text_present",
        "text_absent",
        "toggle",
        "dom",
        "url",
        "title",
        "http",
        "file",
        "sqlite",
        "output",
        "table",
        "any_of",
        "none_of",
    ];

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Kind::GridRow(_) => "grid_row",
            Kind::TextPresent(_) => "text_present",
            Kind::TextAbsent(_) => "text_absent",
            Kind::Toggle(_) => "toggle",
            Kind::Dom(_) => "dom",
            Kind::Url(_) => "url",
            Kind::Title(_) => "title",
            Kind::Http(_) => "http",
            Kind::File(_) => "file",
            Kind::Sqlite(_) => "sqlite",
            Kind::Output(_) => "output",
            Kind::Table(_) => "table",
            Kind::Group(Group { rule: GroupRule::AnyOf, .. }) => "any_of",
            Kind::Group(Group { rule: GroupRule::NoneOf, .. }) => "none_of",
        }
    }

    pub(crate) fn channel(&self) -> Channel {
        match self {
            Kind::GridRow(_) | Kind::TextPresent(_) | Kind::TextAbsent(_) | Kind::Toggle(_) => Channel::Pixels,
            Kind::Dom(_) | Kind::Table(_) => Channel::Dom,
            // Members are from beside the picture, all of them; which one it is matters to nobody.
            Kind::Group(group) => group.checks.first().map_or(Channel::Page, |check| check.kind.channel()),
            Kind::Url(_) | Kind::Title(_) => Channel::Page,
            Kind::Http(_) => Channel::Network,
            Kind::File(_) => Channel::File,
            Kind::Sqlite(_) => Channel::Database,
            Kind::Output(_) => Channel::Output,
        }
    }

    /// Whether it holds when nothing is there at all.
    pub(crate) fn only_absence(&self) -> bool {
        match self {
            Kind::TextAbsent(_) => true,
            Kind::Dom(rule) => match &rule.texts {
                Some(texts) => texts.is_empty(),
                None => rule.count.holds(0),
            },
            Kind::Url(rule) | Kind::Title(rule) => rule.regex.is_none() && rule.query.values().all(Value::is_null),
            Kind::Table(rule) => {
                rule.row_count.is_none_or(|count| count.holds(0))
                    && rule.value.as_ref().is_none_or(ValueRules::only_absence)
            }
            Kind::Group(group) => {
                group.rule == GroupRule::NoneOf || group.checks.iter().any(|check| check.kind.only_absence())
            }
            Kind::Http(rule) => {
                rule.statuses.is_empty()
                    && rule.body.is_none()
                    && rule.value.as_ref().is_some_and(ValueRules::only_absence)
            }
            Kind::File(rule) => rule.files.holds(0),
            Kind::Sqlite(rule) => {
                rule.rows.as_ref().is_none_or(Vec::is_empty)
                    && rule.row_count.is_none_or(|count| count.holds(0))
                    && rule.since_start.as_ref().is_none_or(SinceStart::only_absence)
            }
            Kind::GridRow(_) | Kind::TextPresent(_) | Kind::Toggle(_) | Kind::Output(_) => false,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct GridRow {
    pub(crate) target: Regex,
    pub(crate) steps: Option<u32>,
    /// Sorted, each once.
    pub(crate) required: Vec<u32>,
    /// Sorted, each once; none of the required ones.
    pub(crate) forbidden: Vec<u32>,
    pub(crate) enabled: Option<OnOff>,
}

#[derive(Debug, Clone)]
pub(crate) struct TextRule {
    pub(crate) regex: Regex,
    /// Grid units.
    pub(crate) region: Option<[u32; 4]>,
}

#[derive(Debug, Clone)]
pub(crate) struct Toggle {
    pub(crate) label: Regex,
    pub(crate) state: OnOff,
}

#[derive(Debug, Clone)]
pub(crate) struct Dom {
    pub(crate) selector: String,
    pub(crate) text: Option<Regex>,
    pub(crate) not_text: Option<Regex>,
    pub(crate) exact_text: Option<String>,
    pub(crate) texts: Option<Vec<String>>,
    pub(crate) any_order: bool,
    pub(crate) attribute: Option<String>,
    pub(crate) value: Option<ValueText>,
    pub(crate) checked: Option<bool>,
    pub(crate) count: Count,
    pub(crate) hidden_too: bool,
    pub(crate) several: Several,
    pub(crate) expected: Value,
}

#[derive(Debug, Clone)]
pub(crate) enum ValueText {
    Matches(Regex),
    Is(String),
}

#[derive(Debug, Clone)]
pub(crate) struct PageRule {
    pub(crate) regex: Option<Regex>,
    pub(crate) not_regex: Option<Regex>,
    /// Parameters of the address.
    pub(crate) query: BTreeMap<String, Value>,
}

#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) selector: String,
    pub(crate) row_count: Option<Count>,
    pub(crate) value: Option<ValueRules>,
}

#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub(crate) rule: GroupRule,
    pub(crate) checks: Vec<Check>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GroupRule {
    AnyOf,
    NoneOf,
}

#[derive(Debug, Clone)]
pub(crate) struct Http {
    pub(crate) target: HttpTarget,
    pub(crate) headers: Vec<(String, String)>,
    /// Empty: 200 to 299.
    pub(crate) statuses: Vec<u16>,
    pub(crate) body: Option<Regex>,
    pub(crate) value: Option<ValueRules>,
    pub(crate) with_session: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum HttpTarget {
    Address(url::Url),
    /// From `/`, at the origin where the run began.
    AtStart(String),
}

#[derive(Debug, Clone)]
pub(crate) struct FileRule {
    pub(crate) pattern: String,
    pub(crate) glob: GlobMatcher,
    pub(crate) root: Option<String>,
    pub(crate) contains: Option<Regex>,
    pub(crate) not_contains: Option<Regex>,
    /// Lower case.
    pub(crate) sha256: Option<String>,
    pub(crate) min_bytes: Option<u64>,
    pub(crate) max_bytes: Option<u64>,
    pub(crate) files: Count,
    pub(crate) newer_than_start: bool,
    pub(crate) format: Format,
    pub(crate) value: Option<ValueRules>,
}

#[derive(Debug, Clone)]
pub(crate) struct Sqlite {
    pub(crate) db: String,
    pub(crate) root: Option<String>,
    pub(crate) sql: String,
    pub(crate) rows: Option<Vec<Vec<Value>>>,
    pub(crate) any_order: bool,
    pub(crate) row_count: Option<Count>,
    pub(crate) since_start: Option<SinceStart>,
    /// The same, for evidence.
    pub(crate) since_start_words: Value,
}

#[derive(Debug, Clone)]
pub(crate) struct Output {
    pub(crate) schema: Option<std::sync::Arc<jsonschema::Validator>>,
    pub(crate) value: Option<ValueRules>,
}

impl From<Switch> for OnOff {
    fn from(switch: Switch) -> OnOff {
        OnOff::of(switch == Switch::On)
    }
}
