//! Reads the checks that ask the world beside the picture: page, server, files, database, answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::error::{ContractError, quoted};
use super::fields::Fields;
use super::kinds::{Dom, FileRule, Http, HttpTarget, Output, PageRule, Sqlite, Table, ValueText};
use super::shapes::{
    DomShape, FileShape, HttpShape, OutputShape, PageShape, QueryShape, Several, SinceStartShape, SqliteShape,
    StatusShape, TableShape,
};
use super::since_start::SinceStart;
use super::value_rule::ValueRules;
use super::values::Count;
use super::{paths, patterns};

const LONGEST_TEXT: usize = 20_000;

fn pattern(fields: &Fields, field: &str, text: Option<&String>) -> Result<Option<regex::Regex>, ContractError> {
    text.map(|text| patterns::regex(text).map_err(|why| fields.wrong(field, why))).transpose()
}

fn bounded(fields: &Fields, field: &str, text: &str) -> Result<(), ContractError> {
    if text.trim().is_empty() {
        return Err(fields.wrong(field, "it is empty"));
    }
    if text.len() > LONGEST_TEXT {
        return Err(fields.wrong(field, format!("it has {} bytes, more than {LONGEST_TEXT}", text.len())));
    }
    Ok(())
}

pub(crate) fn dom(fields: &mut Fields) -> Result<Dom, ContractError> {
    let shape: DomShape = fields.section()?;
    selector(fields, &shape.selector)?;
    let text = pattern(fields, "text_regex", shape.text_regex.as_ref())?;
    let not_text = pattern(fields, "not_text_regex", shape.not_text_regex.as_ref())?;
    let asked_singly = shape.text.is_some() || text.is_some() || not_text.is_some() || shape.value.is_some();
    let asked_singly =
        asked_singly || shape.value_regex.is_some() || shape.checked.is_some() || shape.attribute.is_some();
    if shape.texts.is_some() && (asked_singly || shape.count.is_some() || shape.absent || shape.several.is_some()) {
        return Err(fields.wrong("texts", "it is about all elements at once, so nothing else goes with it"));
    }
    if shape.any_order && shape.texts.is_none() {
        return Err(fields.wrong("any_order", "there are no `texts` to compare"));
    }
    let matches = pattern(fields, "value_regex", shape.value_regex.as_ref())?;
    let value = match (matches, shape.value.clone()) {
        (Some(_), Some(_)) => return Err(fields.wrong("value", "`value_regex` is there already; one of the two")),
        (Some(regex), None) => Some(ValueText::Matches(regex)),
        (None, value) => value.map(ValueText::Is),
    };
    let count = match (&shape.count, shape.absent) {
        (Some(_), true) => return Err(fields.wrong("count", "`absent` means 0 already")),
        (Some(count), false) => Count::read(count).map_err(|why| fields.wrong("count", why))?,
        (None, true) => Count::NONE,
        (None, false) => Count::AT_LEAST_ONE,
    };
    if shape.several.is_some_and(|several| several != Several::Any) && (shape.absent || shape.count.is_some()) {
        return Err(fields.wrong("several", "it goes with neither `absent` nor `count`"));
    }
    let mut expected = Map::new();
    expected.insert("selector".into(), json!(shape.selector));
    let words = [
        ("text", &shape.text),
        ("text_regex", &shape.text_regex),
        ("attribute", &shape.attribute),
        ("value", &shape.value),
    ];
    for (name, text) in
        words.into_iter().chain([("value_regex", &shape.value_regex), ("not_text_regex", &shape.not_text_regex)])
    {
        if let Some(text) = text {
            expected.insert(name.into(), json!(text));
        }
    }
    if let Some(checked) = shape.checked {
        expected.insert("checked".into(), json!(checked));
    }
    match &shape.texts {
        Some(texts) => expected.insert("texts".into(), json!(texts)),
        None => expected.insert("count".into(), json!(count.in_words())),
    };
    Ok(Dom {
        selector: shape.selector,
        text,
        not_text,
        exact_text: shape.text.as_deref().map(single_spaced),
        texts: shape.texts.map(|texts| texts.iter().map(|text| single_spaced(text)).collect()),
        any_order: shape.any_order,
        attribute: shape.attribute,
        value,
        checked: shape.checked,
        count,
        hidden_too: shape.hidden_too,
        several: shape.several.unwrap_or(Several::Any),
        expected: Value::Object(expected),
    })
}

/// Whatever the browser would refuse is refused now, as far as its text tells.
fn selector(fields: &Fields, text: &str) -> Result<(), ContractError> {
    bounded(fields, "selector", text)?;
    super::selector::check(text).map_err(|why| fields.wrong("selector", why))
}

/// Texts of a page are compared with single spaces, so those of a contract are too.
fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn title(fields: &mut Fields) -> Result<PageRule, ContractError> {
    page(fields, BTreeMap::new())
}

pub(crate) fn url(fields: &mut Fields) -> Result<PageRule, ContractError> {
    let shape: QueryShape = fields.section()?;
    for (name, value) in &shape.query {
        let text = |value: &Value| value.is_string() || value.is_number() || value.is_boolean();
        let list = value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(text));
        if !(value.is_null() || text(value) || list) {
            return Err(fields.wrong(&format!("query.{}", quoted(name)), "it wants a text, a list of texts, or null"));
        }
    }
    page(fields, shape.query)
}

fn page(fields: &mut Fields, query: BTreeMap<String, Value>) -> Result<PageRule, ContractError> {
    let shape: PageShape = fields.section()?;
    if shape.regex.is_none() && shape.not_regex.is_none() && query.is_empty() {
        return Err(fields.wrong("regex", "the field `regex` is missing"));
    }
    Ok(PageRule {
        query,
        regex: pattern(fields, "regex", shape.regex.as_ref())?,
        not_regex: pattern(fields, "not_regex", shape.not_regex.as_ref())?,
    })
}

pub(crate) fn table(fields: &mut Fields) -> Result<Table, ContractError> {
    let shape: TableShape = fields.section()?;
    let value = ValueRules::read(fields)?;
    selector(fields, &shape.selector)?;
    let row_count = match &shape.row_count {
        Some(count) => Some(Count::read(count).map_err(|why| fields.wrong("row_count", why))?),
        None => None,
    };
    if row_count.is_none() && value.is_none() {
        let why = "nothing is asked of the table. hint: add `row_count`, or `json_path` with `equals`, like \
                   $[?@.Name == 'Ada'].Status";
        return Err(fields.wrong("selector", why));
    }
    if value.as_ref().is_some_and(ValueRules::wants_start) {
        let why = "a page may look different when it is opened; compare what the server or the database says";
        return Err(fields.wrong("since_start", why));
    }
    Ok(Table { selector: shape.selector, row_count, value })
}

pub(crate) fn http(fields: &mut Fields) -> Result<Http, ContractError> {
    let shape: HttpShape = fields.section()?;
    let value = ValueRules::read(fields)?;
    bounded(fields, "url", &shape.url)?;
    if let Some(method) = &shape.method
        && !method.eq_ignore_ascii_case("GET")
    {
        return Err(fields.wrong("method", format!("a check may only look: GET, not {}", quoted(method))));
    }
    let target = if shape.url.starts_with('/') && !shape.url.starts_with("//") {
        HttpTarget::AtStart(shape.url.clone())
    } else {
        let address = url::Url::parse(&shape.url)
            .map_err(|error| fields.wrong("url", format!("`{}` is no address: {error}", quoted(&shape.url))))?;
        if !matches!(address.scheme(), "http" | "https") {
            return Err(fields.wrong("url", format!("{} is not asked, only http and https", address.scheme())));
        }
        HttpTarget::Address(address)
    };
    for (name, value) in &shape.headers {
        let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if name.is_empty() || !name.chars().all(token) {
            return Err(fields.wrong("headers", format!("`{}` is no name of a header", quoted(name))));
        }
        if value.chars().any(|c| c.is_control()) {
            return Err(fields.wrong(&format!("headers.{}", quoted(name)), "it has control characters"));
        }
        if value.contains("<local_storage:") && !shape.with_session {
            let why = "what the browser keeps is only used with `with_session`";
            return Err(fields.wrong(&format!("headers.{}", quoted(name)), why));
        }
    }
    let statuses = match shape.status {
        None => Vec::new(),
        Some(StatusShape::One(status)) => vec![status],
        Some(StatusShape::Several(list)) if list.is_empty() => {
            return Err(fields.wrong("status", "an empty list can never hold"));
        }
        Some(StatusShape::Several(list)) => list,
    };
    if let Some(status) = statuses.iter().find(|status| !(100..=599).contains(*status)) {
        return Err(fields.wrong("status", format!("{status} is no status; they go from 100 to 599")));
    }
    let body = pattern(fields, "body_regex", shape.body_regex.as_ref())?;
    if value.is_none() && body.is_none() && statuses.is_empty() {
        return Err(fields.wrong(
            "url",
            "nothing is asked of the answer. hint: add `json_path` with `equals`, `body_regex`, or `status`",
        ));
    }
    let headers = shape.headers.into_iter().collect();
    Ok(Http { target, headers, statuses, body, value, with_session: shape.with_session })
}

pub(crate) fn file(fields: &mut Fields) -> Result<FileRule, ContractError> {
    let shape: FileShape = fields.section()?;
    let value = ValueRules::read(fields)?;
    paths::below(&shape.path_glob).map_err(|why| fields.wrong("path_glob", why))?;
    let pattern_text = shape.path_glob.trim_start_matches("./").to_owned();
    let glob = patterns::glob(&pattern_text).map_err(|why| fields.wrong("path_glob", why))?;
    if let Some(root) = &shape.root {
        paths::root_name(root).map_err(|why| fields.wrong("root", why))?;
    }
    let sha256 = match shape.sha256 {
        Some(hash) if hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit()) => Some(hash.to_lowercase()),
        Some(_) => return Err(fields.wrong("sha256", "it wants 64 hexadecimal digits")),
        None => None,
    };
    if let (Some(min), Some(max)) = (shape.min_bytes, shape.max_bytes)
        && min > max
    {
        return Err(fields.wrong("max_bytes", "it is less than `min_bytes`"));
    }
    let contains = pattern(fields, "contains_regex", shape.contains_regex.as_ref())?;
    let not_contains = pattern(fields, "not_contains_regex", shape.not_contains_regex.as_ref())?;
    // `exists` alone is about the file, not about a value in it.
    let existence = value.as_ref().and_then(ValueRules::only_existence);
    let value = if existence.is_some() { None } else { value };
    let asks = contains.is_some() || not_contains.is_some() || sha256.is_some() || value.is_some();
    let files = match (existence, &shape.files) {
        (Some(false), None) if !asks => Count::NONE,
        (Some(false), None) => {
            return Err(fields.wrong("exists", "what must not exist cannot be asked for anything else"));
        }
        (Some(_), Some(_)) => return Err(fields.wrong("files", "`exists` is there already; one of the two")),
        (_, Some(count)) => Count::read(count).map_err(|why| fields.wrong("files", why))?,
        (_, None) => Count::AT_LEAST_ONE,
    };
    Ok(FileRule {
        pattern: pattern_text,
        glob,
        root: shape.root,
        contains,
        not_contains,
        sha256,
        min_bytes: shape.min_bytes,
        max_bytes: shape.max_bytes,
        files,
        newer_than_start: shape.newer_than_start,
        format: shape.format,
        value,
    })
}

pub(crate) fn sqlite(fields: &mut Fields) -> Result<Sqlite, ContractError> {
    let shape: SqliteShape = fields.section()?;
    paths::below(&shape.db).map_err(|why| fields.wrong("db", why))?;
    if let Some(root) = &shape.root {
        paths::root_name(root).map_err(|why| fields.wrong("root", why))?;
    }
    bounded(fields, "sql", &shape.sql)?;
    let sql = super::sql::only_reads(&shape.sql).map_err(|why| fields.wrong("sql", why))?;
    let row_count = match &shape.row_count {
        Some(count) => Some(Count::read(count).map_err(|why| fields.wrong("row_count", why))?),
        None => None,
    };
    let since_start = match &shape.since_start {
        Some(since) => Some(SinceStart::read(since, fields)?),
        None => None,
    };
    if shape.rows.is_none() && row_count.is_none() && since_start.is_none() {
        let why = "nothing is asked of the rows. hint: name `rows`, `row_count` or `since_start`";
        return Err(fields.wrong("rows", why));
    }
    if let (Some(rows), Some(count)) = (&shape.rows, row_count)
        && !count.holds(rows.len())
    {
        return Err(fields.wrong("row_count", format!("`rows` has {} rows", rows.len())));
    }
    if shape.any_order && shape.rows.is_none() {
        return Err(fields.wrong("any_order", "there are no `rows` to compare"));
    }
    for (at, row) in shape.rows.iter().flatten().enumerate() {
        if row.iter().any(|cell| cell.is_array() || cell.is_object()) {
            return Err(fields.wrong(&format!("rows[{at}]"), "a cell is a text, a number, true, false or null"));
        }
    }
    Ok(Sqlite {
        db: shape.db,
        root: shape.root,
        sql,
        rows: shape.rows,
        any_order: shape.any_order,
        row_count,
        since_start,
        since_start_words: shape.since_start.as_ref().map(SinceStartShape::in_words).unwrap_or_default(),
    })
}

pub(crate) fn output(fields: &mut Fields) -> Result<Output, ContractError> {
    let shape: OutputShape = fields.section()?;
    let value = ValueRules::read(fields)?;
    let schema = match &shape.schema {
        Some(schema) => {
            let built = super::schema::validator(schema).map_err(|why| fields.wrong("schema", why))?;
            Some(Arc::new(built))
        }
        None => None,
    };
    if schema.is_none() && value.is_none() {
        return Err(fields.wrong("schema", "nothing is asked of the output. hint: name `schema`, or `equals`"));
    }
    Ok(Output { schema, value })
}
