//! Reading a policy file. Everything that is wrong with it is found in one go, a sentence for each, with the
//! line and the rule; a file that is wrong anywhere is not used at all.

use std::collections::{BTreeMap, BTreeSet};

use surehand_types::observation::DialogKind;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Verdict;
use super::facts::{ACTIONS, TOOLS, chord};
use super::names::{FIELDS, ROLES, nearest};
use super::origin::OriginPattern;
use super::rule::{Conditions, Glob, Rule, SecretNamed};
use super::words::Phrase;

/// Largest file that is read, in bytes.
pub const FILE_CAP: usize = 256 * 1024;
const RULES: usize = 500;
/// Entries of one list.
const ENTRIES: usize = 1000;
/// Characters of one entry, one reason, one id.
const ENTRY_CHARS: usize = 300;
const PROBLEMS: usize = 20;

/// One thing that is wrong with a policy file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyProblem {
    pub line: usize,
    /// One sentence, without the line.
    pub message: String,
}

impl std::fmt::Display for PolicyProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// What a file says.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    pub(crate) default: Option<Verdict>,
    pub(crate) trusted: Vec<OriginPattern>,
    pub(crate) rules: Vec<Rule>,
    /// Its lists of words, and those that it was given.
    pub(crate) words: WordLists,
}

/// Lists of words by name, each entry as it was written.
pub(crate) type WordLists = BTreeMap<String, Vec<String>>;

/// `lists` are the word lists that the file may refer to beside its own.
pub(crate) fn parse(text: &str, lists: &WordLists) -> Result<Parsed, Vec<PolicyProblem>> {
    let mut reader = Reader { text, problems: Vec::new(), words: lists.clone(), used: BTreeSet::new() };
    if text.len() > FILE_CAP {
        reader.problem(0, format!("the file is larger than {FILE_CAP} bytes"));
        return Err(reader.problems);
    }
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        Err(error) => {
            let first = error.message().lines().next().unwrap_or_default().to_string();
            reader.problem(error.span().map_or(0, |span| span.start), format!("this is not valid TOML: {first}"));
            return Err(reader.problems);
        }
    };
    let parsed = reader.document(table.get_ref(), lists);
    if reader.problems.is_empty() { Ok(parsed) } else { Err(reader.problems) }
}

struct Reader<'a> {
    text: &'a str,
    problems: Vec<PolicyProblem>,
    words: WordLists,
    /// Lists that some rule looks into.
    used: BTreeSet<String>,
}

/// A value with its place in the file.
type Value<'a, 'i> = &'a Spanned<DeValue<'i>>;

impl Reader<'_> {
    fn problem(&mut self, at: usize, message: String) {
        if self.problems.len() < PROBLEMS {
            let before = self.text.as_bytes().get(..at.min(self.text.len())).unwrap_or_default();
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            self.problems.push(PolicyProblem { line, message });
        }
    }

    fn document(&mut self, table: &DeTable<'_>, known: &WordLists) -> Parsed {
        let mut parsed = Parsed::default();
        let own = table.iter().find(|(key, _)| key.get_ref() == "words");
        if let Some((_, value)) = own {
            self.word_lists(value);
        }
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "words" => {}
                "default" => parsed.default = self.verdict("default", value),
                "origins" => parsed.trusted = self.origins(value),
                "rule" => parsed.rules = self.rules(value),
                other => {
                    let near = nearest(other, ["default", "origins", "words", "rule"]);
                    let known = "a policy has default, [origins], [words] and [[rule]]";
                    let message = format!("{:?} is not known; {known}; the nearest is {near:?}", shown(other));
                    self.problem(key.span().start, message);
                }
            }
        }
        // A list that nobody looks into was meant to take the place of another one.
        if let Some((_, value)) = own
            && let DeValue::Table(lists) = value.get_ref()
        {
            self.unused_lists(lists, known);
        }
        parsed.words = self.words.clone();
        parsed
    }

    fn unused_lists(&mut self, lists: &DeTable<'_>, known: &WordLists) {
        for (name, _) in lists {
            let text = name.get_ref().as_ref();
            let in_a_list = self.words.values().flatten().any(|entry| entry.strip_prefix('@') == Some(text));
            if known.contains_key(text) || self.used.contains(text) || in_a_list {
                continue;
            }
            let hint = match nearest(text, known.keys().map(String::as_str)) {
                "" => String::new(),
                near => format!("; the nearest that is used is {near:?}"),
            };
            self.problem(name.span().start, format!("no rule uses the list of words {:?}{hint}", shown(text)));
        }
    }

    fn word_lists(&mut self, value: Value<'_, '_>) {
        let DeValue::Table(lists) = value.get_ref() else {
            return self
                .problem(value.span().start, "words must be a table of lists, like delete = [\"delete\"]".into());
        };
        for (name, value) in lists {
            let list = self.texts(&format!("the list of words {:?}", shown(name.get_ref())), value);
            self.words.insert(name.get_ref().to_string(), list);
        }
    }

    fn origins(&mut self, value: Value<'_, '_>) -> Vec<OriginPattern> {
        let DeValue::Table(table) = value.get_ref() else {
            self.problem(value.span().start, "origins must be a table, like [origins] with trusted = []".into());
            return Vec::new();
        };
        let mut trusted = Vec::new();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "trusted" => trusted = self.patterns("origins.trusted", value),
                other => {
                    let message = format!("origins has no field {:?}; it has trusted", shown(other));
                    self.problem(key.span().start, message);
                }
            }
        }
        trusted
    }

    fn rules(&mut self, value: Value<'_, '_>) -> Vec<Rule> {
        let DeValue::Array(items) = value.get_ref() else {
            self.problem(value.span().start, "rules are written as [[rule]], each with its own table".into());
            return Vec::new();
        };
        if items.len() > RULES {
            self.problem(value.span().start, format!("there are {} rules; {RULES} is the most", items.len()));
            return Vec::new();
        }
        let mut seen = BTreeSet::new();
        let mut rules = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let DeValue::Table(table) = item.get_ref() else {
                self.problem(item.span().start, format!("rule {} is not a table", index + 1));
                continue;
            };
            let Some(rule) = self.rule(index + 1, item.span().start, table) else { continue };
            if !seen.insert(rule.id.clone()) {
                self.problem(item.span().start, format!("the id {:?} is used by two rules", rule.id));
                continue;
            }
            rules.push(rule);
        }
        rules
    }

    fn rule(&mut self, number: usize, at: usize, table: &DeTable<'_>) -> Option<Rule> {
        let field = |name: &str| table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value);
        let id = match field("id").map(|value| (value, value.get_ref())) {
            Some((_, DeValue::String(id))) if is_id(id) => id.to_string(),
            Some((value, _)) => {
                let message = format!("the id of rule {number} must be letters, digits, _ and -, at most 64");
                self.problem(value.span().start, message);
                return None;
            }
            None => {
                self.problem(at, format!("rule {number} has no id"));
                return None;
            }
        };
        let decision = match field("decision") {
            Some(value) => self.verdict(&format!("decision of rule {id}"), value),
            None => {
                self.problem(at, format!("rule {id} has no decision; it is allow, confirm or deny"));
                None
            }
        };
        let reason = match field("reason").map(|value| (value, value.get_ref())) {
            Some((_, DeValue::String(reason)))
                if !reason.trim().is_empty() && reason.chars().count() <= ENTRY_CHARS =>
            {
                reason.trim().to_string()
            }
            Some((value, _)) => {
                let message = format!("the reason of rule {id} must be a text of at most {ENTRY_CHARS} characters");
                self.problem(value.span().start, message);
                String::new()
            }
            None => {
                self.problem(at, format!("rule {id} has no reason; say in a few words why it decides so"));
                String::new()
            }
        };
        let mut when = Conditions::default();
        for (key, value) in table {
            self.condition(&id, key, value, &mut when);
        }
        Some(Rule { id, decision: decision?, reason, when })
    }

    fn condition(
        &mut self,
        id: &str,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: Value<'_, '_>,
        when: &mut Conditions,
    ) {
        let name = key.get_ref().as_ref();
        let of = format!("{} of rule {id}", shown(name));
        match name {
            "id" | "decision" | "reason" => {}
            "tool" => when.tool = self.known(&of, value, TOOLS),
            "action" => when.action = self.known(&of, value, ACTIONS),
            "role" => when.role = self.roles(&of, value),
            "url" => when.url = self.texts(&of, value).iter().map(|glob| Glob::parse(glob)).collect(),
            "opens" => when.opens = self.texts(&of, value).iter().map(|glob| Glob::parse(glob)).collect(),
            "origin" => when.origin = self.patterns(&of, value),
            "target" => when.target = self.phrases(&of, value),
            "except" => when.except = self.phrases(&of, value),
            "text" => when.text = self.phrases(&of, value),
            "context" => when.context = self.phrases(&of, value),
            "dialog" => when.dialog = self.phrases(&of, value),
            "dialog_kind" => {
                const KINDS: [(&str, DialogKind); 4] = [
                    ("alert", DialogKind::Alert),
                    ("confirm", DialogKind::Confirm),
                    ("prompt", DialogKind::Prompt),
                    ("beforeunload", DialogKind::Beforeunload),
                ];
                let names = self.known(&of, value, &KINDS.map(|(name, _)| name));
                let kinds = KINDS.iter().filter(|(name, _)| names.iter().any(|given| given == name));
                when.dialog_kind = kinds.map(|(_, kind)| *kind).collect();
            }
            "key" => {
                for text in self.texts(&of, value) {
                    match chord(&text) {
                        Ok(key) => when.key.push(key),
                        Err(sentence) => self.problem(value.span().start, format!("{of}: {sentence}")),
                    }
                }
            }
            "secret" => {
                when.secret = match value.get_ref() {
                    DeValue::Boolean(true) => Some(SecretNamed::Any),
                    DeValue::Boolean(false) => Some(SecretNamed::None),
                    _ => Some(SecretNamed::OneOf(self.texts(&of, value))),
                }
            }
            "presses" => when.presses = self.flag(&of, value),
            "submits" => when.submits = self.flag(&of, value),
            "beside" => when.beside = self.flag(&of, value),
            "resends" => when.resends = self.flag(&of, value),
            "navigates" => when.navigates = self.flag(&of, value),
            "uploads" => when.uploads = self.flag(&of, value),
            "unknown_origin" => when.unknown_origin = self.flag(&of, value),
            "unseen" => when.unseen = self.flag(&of, value),
            "pastes_secret" => when.pastes_secret = self.flag(&of, value),
            other => {
                let near = nearest(other, FIELDS.iter().copied());
                let message = format!("rule {id} has the unknown field {:?}; the nearest is {near:?}", shown(other));
                self.problem(key.span().start, message);
            }
        }
    }

    fn verdict(&mut self, what: &str, value: Value<'_, '_>) -> Option<Verdict> {
        let verdict = match value.get_ref() {
            DeValue::String(name) => Verdict::parse(name),
            _ => None,
        };
        if verdict.is_none() {
            self.problem(value.span().start, format!("{what} must be \"allow\", \"confirm\" or \"deny\""));
        }
        verdict
    }

    fn flag(&mut self, of: &str, value: Value<'_, '_>) -> Option<bool> {
        match value.get_ref() {
            DeValue::Boolean(flag) => Some(*flag),
            _ => {
                self.problem(value.span().start, format!("{of} must be true or false"));
                None
            }
        }
    }

    /// A text or a list of texts, none of them empty.
    fn texts(&mut self, of: &str, value: Value<'_, '_>) -> Vec<String> {
        let items: Vec<Value<'_, '_>> = match value.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            _ => vec![value],
        };
        if items.len() > ENTRIES {
            self.problem(value.span().start, format!("{of} has {} entries; {ENTRIES} is the most", items.len()));
            return Vec::new();
        }
        let mut texts = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::String(text) if !text.trim().is_empty() && text.chars().count() <= ENTRY_CHARS => {
                    texts.push(text.trim().to_string());
                }
                _ => {
                    let message =
                        format!("{of} must be a text or a list of texts, none empty or longer than {ENTRY_CHARS}");
                    self.problem(item.span().start, message);
                }
            }
        }
        // A list without entries would ask for nothing and so match everything.
        if texts.is_empty() && !of.starts_with("origins.") {
            self.problem(value.span().start, format!("{of} names nothing"));
        }
        texts
    }

    fn known(&mut self, of: &str, value: Value<'_, '_>, names: &[&str]) -> Vec<String> {
        let texts = self.texts(of, value);
        for text in &texts {
            if !names.contains(&text.as_str()) {
                let near = nearest(text, names.iter().copied());
                let message = format!(
                    "{of} is {:?}, which is none of {}; the nearest is {near:?}",
                    shown(text),
                    names.join(", ")
                );
                self.problem(value.span().start, message);
            }
        }
        texts
    }

    /// There are too many of them to list.
    fn roles(&mut self, of: &str, value: Value<'_, '_>) -> Vec<String> {
        let roles: Vec<String> = self.texts(of, value).iter().map(|role| role.to_lowercase()).collect();
        for role in roles.iter().filter(|role| !ROLES.contains(&role.as_str())) {
            let near = nearest(role, ROLES.iter().copied());
            let message = format!("{of} is {:?}, which is no role that is known; the nearest is {near:?}", shown(role));
            self.problem(value.span().start, message);
        }
        roles
    }

    fn patterns(&mut self, of: &str, value: Value<'_, '_>) -> Vec<OriginPattern> {
        let mut patterns = Vec::new();
        for text in self.texts(of, value) {
            match OriginPattern::parse(&text) {
                Ok(pattern) => patterns.push(pattern),
                Err(why) => self.problem(value.span().start, format!("{of}: {:?} {why}", shown(&text))),
            }
        }
        patterns
    }

    /// Words, with `@name` replaced by the list of that name.
    fn phrases(&mut self, of: &str, value: Value<'_, '_>) -> Vec<Phrase> {
        let mut phrases = Vec::new();
        for text in self.texts(of, value) {
            self.phrases_of(of, value.span().start, &text, 0, &mut phrases);
        }
        phrases
    }

    fn phrases_of(&mut self, of: &str, at: usize, text: &str, depth: usize, phrases: &mut Vec<Phrase>) {
        let Some(name) = text.strip_prefix('@') else {
            match Phrase::parse(text) {
                Some(phrase) => phrases.push(phrase),
                None => self.problem(at, format!("{of}: {:?} has no letter or digit in it", shown(text))),
            }
            return;
        };
        match self.words.get(name).cloned() {
            Some(_) if depth > 4 || phrases.len() > 20 * ENTRIES => {
                self.problem(at, format!("{of}: the list of words @{} holds itself or is too long", shown(name)));
            }
            Some(list) => {
                self.used.insert(name.to_string());
                for entry in &list {
                    self.phrases_of(of, at, entry, depth + 1, phrases);
                }
            }
            None => {
                let near = nearest(name, self.words.keys().map(String::as_str));
                let message = format!("{of}: there is no list of words @{}; the nearest is @{near}", shown(name));
                self.problem(at, message);
            }
        }
    }
}

fn is_id(text: &str) -> bool {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !text.is_empty() && text.len() <= 64 && text.chars().all(letters) && text != "default"
}

fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(60).collect()
}
