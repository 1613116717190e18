//! Suites: named lists of tasks, each with a brain that is a script and a check that knows the truth. The format
//! is described in `docs/suites.md`; what a suite says that we do not know is an error.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use surehand_brain::{Brain, ScriptBrain, StubbornBrain};
use surehand_run::FormValue;
use surehand_sites::Site;

use crate::error::EvalError;
use crate::truth::Check;

/// The suites that the program carries, by name.
pub const BUILT_IN: &[(&str, &str)] =
    &[("done", include_str!("../../../eval/done.json")), ("fault", include_str!("../../../eval/fault.json"))];

/// A suite is written by hand; more than this is a mistake.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    pub name: String,
    #[serde(default)]
    pub about: String,
    /// Seeds of the sites, one per pair in turn; the site's own when empty.
    #[serde(default)]
    pub seeds: Vec<u64>,
    /// Replies that several tasks share, by a name that a script names as `{"part": "…"}`.
    #[serde(default)]
    parts: BTreeMap<String, Vec<Value>>,
    pub tasks: Vec<Task>,
    /// Where files beside the suite are; `None` for one that the program carries.
    #[serde(skip)]
    folder: Option<PathBuf>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    pub id: String,
    /// Why the task is there, for people.
    #[serde(default)]
    pub about: String,
    /// What the brain is asked to do, in words.
    pub task: String,
    site: String,
    /// Where on the site it starts.
    #[serde(default)]
    pub path: String,
    brain: BrainSource,
    /// Declared form values by label, as `--value` gives them.
    #[serde(default)]
    values: BTreeMap<String, String>,
    /// Fields that the answer must have.
    #[serde(default)]
    pub required: Vec<String>,
    pub max_steps: Option<u32>,
    pub check: Check,
    pub label: Option<Label>,
}

/// What a done of this task is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// It is done, and says so.
    TrueDone,
    /// It says so before it is done.
    Premature,
    /// It says so and never meant to do it.
    Fabricated,
    /// An honest answer that changes nothing.
    ReadOnly,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum BrainSource {
    Script(Replies),
    Stubborn(Replies),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "a brain must be an array of replies or the name of a file beside the suite")]
enum Replies {
    Inline(Vec<Value>),
    File(String),
}

impl Label {
    pub const ALL: [Label; 4] = [Label::TrueDone, Label::ReadOnly, Label::Premature, Label::Fabricated];

    pub fn name(self) -> &'static str {
        match self {
            Label::TrueDone => "true_done",
            Label::Premature => "premature",
            Label::Fabricated => "fabricated",
            Label::ReadOnly => "read_only",
        }
    }

    /// Whether the claim deserves to be believed.
    pub fn is_honest(self) -> bool {
        matches!(self, Label::TrueDone | Label::ReadOnly)
    }
}

impl Suite {
    /// A suite by its name, or from a file.
    pub fn load(name: &str) -> Result<Suite, EvalError> {
        if let Some((_, text)) = BUILT_IN.iter().find(|(known, _)| *known == name) {
            return Suite::parse(text, &format!("the suite {name}"), None);
        }
        let path = Path::new(name);
        if !path.is_file() {
            let known: Vec<&str> = BUILT_IN.iter().map(|(known, _)| *known).collect();
            return Err(EvalError::usage(
                format!("there is no suite {name:?}, neither built in nor as a file"),
                format!("built in are {}; a file is given by its path", known.join(" and ")),
            ));
        }
        let unreadable =
            |error: std::io::Error| EvalError::usage(format!("cannot read the suite {name}: {error}"), FORMAT_HINT);
        if std::fs::metadata(path).map_err(unreadable)?.len() > MAX_BYTES {
            return Err(EvalError::usage(format!("the suite {name} is larger than {MAX_BYTES} bytes"), FORMAT_HINT));
        }
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        Suite::parse(&text, &format!("the suite {name}"), path.parent().map(Path::to_path_buf))
    }

    fn parse(text: &str, shown: &str, folder: Option<PathBuf>) -> Result<Suite, EvalError> {
        // What is wrong is quoted, and may be as long as the file.
        let wrong = |problem: String| {
            let short: String = problem.chars().take(300).collect();
            EvalError::usage(format!("{shown} is wrong: {short}"), FORMAT_HINT)
        };
        let mut suite: Suite = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        suite.folder = folder;
        suite.validate().map_err(wrong)?;
        Ok(suite)
    }

    /// Everything that can be wrong with a task is found before the first browser starts.
    fn validate(&self) -> Result<(), String> {
        if self.tasks.is_empty() {
            return Err("it has no tasks".into());
        }
        for (index, task) in self.tasks.iter().enumerate() {
            let id = &task.id;
            if id.is_empty() {
                return Err(format!("task {} has no id", index + 1));
            }
            if self.tasks[..index].iter().any(|other| other.id == *id) {
                return Err(format!("there are two tasks {id:?}"));
            }
            let in_task = |problem: String| format!("task {id:?}: {problem}");
            task.site().map_err(in_task)?;
            task.check.validate().map_err(in_task)?;
            self.brain(task).map_err(in_task)?;
            if task.task.trim().is_empty() {
                return Err(in_task("it does not say what to do".into()));
            }
        }
        Ok(())
    }

    /// Leaves only the tasks whose id has this in it.
    pub fn keep_only(&mut self, part: &str) -> Result<(), EvalError> {
        self.tasks.retain(|task| task.id.contains(part));
        if self.tasks.is_empty() {
            let sentence = format!("no task of the suite {} has {part:?} in its id", self.name);
            return Err(EvalError::usage(sentence, "--only takes a part of an id"));
        }
        Ok(())
    }

    /// A fresh brain for one run of the task.
    pub(crate) fn brain(&self, task: &Task) -> Result<Box<dyn Brain>, String> {
        match &task.brain {
            BrainSource::Script(replies) => {
                let replies = self.replies(replies)?;
                Ok(Box::new(ScriptBrain::from_values(format!("script:{}/{}", self.name, task.id), &replies)?))
            }
            BrainSource::Stubborn(replies) => {
                let replies = self.replies(replies)?;
                Ok(Box::new(StubbornBrain::from_values(format!("stubborn:{}/{}", self.name, task.id), &replies)?))
            }
        }
    }

    fn replies(&self, source: &Replies) -> Result<Vec<Value>, String> {
        let given = match source {
            Replies::Inline(replies) => replies.clone(),
            Replies::File(name) => {
                let folder = self.folder.as_deref().ok_or("a built-in suite has no files beside it")?;
                // A suite may come from anybody: what it names lies beside it, and is a file.
                let inside = |part| matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir);
                let path = folder.join(name);
                if name.is_empty() || !Path::new(name).components().all(inside) || !path.is_file() {
                    let shown: String = name.chars().take(100).collect();
                    return Err(format!("the script {shown:?} is not a file in the suite's own folder"));
                }
                let text =
                    std::fs::read_to_string(path).map_err(|error| format!("cannot read the script {name}: {error}"))?;
                serde_json::from_str(&text).map_err(|error| format!("the script {name} is no JSON array: {error}"))?
            }
        };
        let mut replies = Vec::new();
        for reply in given {
            match part_name(&reply) {
                Some(name) => replies.extend(self.parts.get(name).ok_or(format!("there is no part {name:?}"))?.clone()),
                None => replies.push(reply),
            }
        }
        Ok(replies)
    }
}

impl Task {
    pub fn site(&self) -> Result<Site, String> {
        self.site.parse::<Site>().map_err(|error| error.to_string())
    }

    pub(crate) fn values(&self) -> Vec<FormValue> {
        let value = |(label, value): (&String, &String)| FormValue { label: label.clone(), value: value.clone() };
        self.values.iter().map(value).collect()
    }
}

fn part_name(reply: &Value) -> Option<&str> {
    reply.as_object().filter(|fields| fields.len() == 1)?.get("part")?.as_str()
}

const FORMAT_HINT: &str = "docs/suites.md describes the format";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn suite(task: Value) -> Value {
        let mut whole = json!({
            "id": "a", "task": "Do it", "site": "lab", "path": "p/dead-button",
            "brain": {"script": [{"calls": [{"tool": "wait"}]}]},
            "check": {"state": {"/seed": 1}},
        });
        for (name, value) in task.as_object().unwrap() {
            whole[name] = value.clone();
        }
        json!({"name": "s", "tasks": [whole]})
    }

    fn problem(value: &Value) -> String {
        match Suite::parse(&value.to_string(), "the suite x", None) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("accepted: {value}"),
        }
    }

    #[test]
    fn built_in_suites_are_sound_and_the_done_suite_has_six_of_each_label() {
        for (name, _) in BUILT_IN {
            let suite = Suite::load(name).unwrap();
            assert_eq!(suite.name, *name);
        }
        let done = Suite::load("done").unwrap();
        for label in Label::ALL {
            let count = done.tasks.iter().filter(|task| task.label == Some(label)).count();
            assert!(count >= 6, "{count} of {}", label.name());
        }
    }

    #[test]
    fn wrong_suites_are_refused_in_one_sentence_with_a_hint() {
        for (task, expected) in [
            (json!({"colour": "red"}), "unknown field `colour`"),
            (json!({"site": "crn"}), "task \"a\": there is no site named \"crn\""),
            (json!({"brain": {"magic": []}}), "unknown variant `magic`"),
            (json!({"brain": {"script": 5}}), "a brain must be an array of replies or the name of a file"),
            (json!({"brain": {"script": "a.json"}}), "a built-in suite has no files"),
            (json!({"brain": {"script": [{"part": "nope"}]}}), "there is no part \"nope\""),
            (json!({"brain": {"script": [{"calls": [{"tool": "fly"}]}]}}), "task \"a\": reply 1: "),
            (json!({"check": {}}), "task \"a\": the check expects nothing"),
            (json!({"check": {"state": {"seed": 1}}}), "\"seed\" is no pointer"),
            (json!({"check": {"state": {"/seed": 1}, "more": 1}}), "unknown field `more`"),
            (json!({"label": "good"}), "unknown variant `good`"),
            (json!({"id": ""}), "task 1 has no id"),
            (json!({"task": " "}), "does not say what to do"),
        ] {
            let sentence = problem(&suite(task));
            assert!(sentence.starts_with("the suite x is wrong: ") && sentence.contains(expected), "{sentence}");
            assert_eq!(sentence.matches('\n').count(), 1, "{sentence}");
        }
        assert!(problem(&json!({"name": "s", "tasks": []})).contains("no tasks"));
        let task = suite(json!({}))["tasks"][0].clone();
        assert!(problem(&json!({"name": "s", "tasks": [task, task]})).contains("two tasks \"a\""));
    }

    #[test]
    fn an_unknown_name_lists_what_there_is() {
        let sentence = Suite::load("falt").unwrap_err().to_string();
        assert!(sentence.contains("there is no suite \"falt\"") && sentence.contains("done and fault"), "{sentence}");
    }

    #[test]
    fn parts_and_files_beside_the_suite_are_put_in() {
        let folder = tempfile::tempdir().unwrap();
        let mut whole = suite(json!({"brain": {"script": "way.json"}}));
        whole["parts"] = json!({"twice": [{"calls": [{"tool": "wait"}]}, {"calls": [{"tool": "wait"}]}]});
        std::fs::write(folder.path().join("way.json"), json!([{"part": "twice"}, {"part": "twice"}]).to_string())
            .unwrap();
        let file = folder.path().join("suite.json");
        std::fs::write(&file, whole.to_string()).unwrap();
        let suite = Suite::load(&file.display().to_string()).unwrap();
        let BrainSource::Script(source) = &suite.tasks[0].brain else { panic!() };
        assert_eq!(suite.replies(source).unwrap().len(), 4);
    }
}
