//! `--brain KIND:WHAT`. Everything that can be wrong with it is found here or in `open`, before a
//! browser starts.

use std::path::PathBuf;
use std::time::Duration;

use crate::brain::Brain;
use crate::error::BrainError;
use crate::exec::ExecBrain;
use crate::model::{self, ModelOptions, ModelSpec, Vendor};
use crate::obey::ObedientBrain;
use crate::routine::RoutineSpec;
use crate::script::ScriptBrain;
use crate::stubborn::StubbornBrain;

/// Which brain to use, as the user wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BrainSpec {
    /// A file of replies.
    Script(PathBuf),
    /// A file of replies with alternatives, by a brain that repeats itself until it is told not to.
    Stubborn(PathBuf),
    /// A command whose program answers turns over its standard input and output.
    Exec(String),
    /// A recorded run, and who goes on where it no longer fits.
    Routine(RoutineSpec),
    /// Does whatever the page says; for the hostile suite.
    Obey,
    /// A model behind an HTTP API.
    Model(ModelSpec),
}

/// Limits a brain is held to.
#[derive(Debug, Clone, PartialEq)]
pub struct BrainOptions {
    /// Time for one answer.
    pub reply_timeout: Duration,
    /// Time between telling a program that the run is over and killing it.
    pub end_timeout: Duration,
    /// Variables of our environment that a program does not get: they hold secrets.
    pub hidden_variables: Vec<String>,
    /// For models.
    pub model: ModelOptions,
}

const KNOWN: &str = "known kinds are anthropic[:MODEL], openai[:MODEL], gemini[:MODEL], chat:MODEL@URL, routine:FILE, script:FILE and exec:COMMAND";
const MODELS: [&str; 4] = ["anthropic", "openai", "gemini", "chat"];
const LATER: [&str; 1] = ["human"];

impl BrainSpec {
    pub fn parse(text: &str) -> Result<BrainSpec, BrainError> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let (kind, rest) = (kind.trim(), rest.trim());
        // An address may stand right behind the kind: `anthropic@http://127.0.0.1:8080`.
        let (kind, rest) = match text.trim().split_once('@') {
            Some((kind, _)) if MODELS.contains(&kind.trim()) => (kind.trim(), text.trim()[kind.len()..].trim()),
            _ => (kind, rest),
        };
        match kind {
            "script" if rest.is_empty() => Err(BrainError::usage(
                format!("the brain {text:?} names no file; {KNOWN}"),
                "write it like --brain script:replies.json",
            )),
            "script" => Ok(BrainSpec::Script(PathBuf::from(rest))),
            "stubborn" if rest.is_empty() => Err(BrainError::usage(
                format!("the brain {text:?} names no file; {KNOWN}"),
                "write it like --brain stubborn:replies.json",
            )),
            "stubborn" => Ok(BrainSpec::Stubborn(PathBuf::from(rest))),
            "routine" => RoutineSpec::parse(rest).map(BrainSpec::Routine),
            "exec" if rest.is_empty() => Err(BrainError::usage(
                format!("the brain {text:?} names no command; {KNOWN}"),
                "write it like --brain 'exec:python3 my_brain.py'",
            )),
            "exec" => Ok(BrainSpec::Exec(rest.to_string())),
            "anthropic" => ModelSpec::parse(Vendor::Anthropic, rest).map(BrainSpec::Model),
            "openai" => ModelSpec::parse(Vendor::OpenAi, rest).map(BrainSpec::Model),
            "gemini" => ModelSpec::parse(Vendor::Gemini, rest).map(BrainSpec::Model),
            "chat" => ModelSpec::parse(Vendor::Chat, rest).map(BrainSpec::Model),
            "obey" if rest.is_empty() => Ok(BrainSpec::Obey),
            "" => Err(BrainError::usage(
                format!("the brain spec {text:?} has no kind; {KNOWN}"),
                "write it like --brain script:replies.json",
            )),
            later if LATER.contains(&later) => Err(BrainError::usage(
                format!("the brain kind {later:?} comes later; {KNOWN}"),
                "an exec brain can call any model meanwhile",
            )),
            other => {
                let shown: String = other.chars().take(40).collect();
                Err(BrainError::usage(
                    format!("{shown:?} is no brain kind; {KNOWN}"),
                    "write it like --brain script:replies.json",
                ))
            }
        }
    }
}

impl std::fmt::Display for BrainSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BrainSpec::Script(path) => write!(f, "script:{}", path.display()),
            BrainSpec::Stubborn(path) => write!(f, "stubborn:{}", path.display()),
            BrainSpec::Exec(command) => write!(f, "exec:{command}"),
            BrainSpec::Routine(spec) => write!(f, "routine:{spec}"),
            BrainSpec::Obey => f.write_str("obey"),
            BrainSpec::Model(spec) => spec.fmt(f),
        }
    }
}

impl Default for BrainOptions {
    fn default() -> Self {
        BrainOptions {
            reply_timeout: Duration::from_secs(120),
            end_timeout: Duration::from_secs(2),
            hidden_variables: Vec::new(),
            model: ModelOptions::default(),
        }
    }
}

/// Makes the brain ready: reads and checks the whole script, or starts the program. Has to be
/// called inside a tokio runtime, which then carries the program's pipes.
pub fn open(spec: &BrainSpec, options: BrainOptions) -> Result<Box<dyn Brain>, BrainError> {
    match spec {
        BrainSpec::Script(path) => Ok(Box::new(ScriptBrain::open(path)?)),
        BrainSpec::Stubborn(path) => Ok(Box::new(StubbornBrain::open(path)?)),
        BrainSpec::Exec(command) => Ok(Box::new(ExecBrain::start(command, options)?)),
        BrainSpec::Routine(spec) => spec.open(options),
        BrainSpec::Obey => Ok(Box::new(ObedientBrain::default())),
        BrainSpec::Model(spec) => Ok(Box::new(model::brain(spec, &options.model, options.reply_timeout)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BrainErrorClass;

    #[test]
    fn good_specs_keep_what_follows_the_first_colon() {
        for (text, expected) in [
            ("script:a.json", BrainSpec::Script("a.json".into())),
            ("stubborn:a.json", BrainSpec::Stubborn("a.json".into())),
            ("script: dir/a:b.jsonl", BrainSpec::Script("dir/a:b.jsonl".into())),
            ("exec:python3 brain.py --url http://x", BrainSpec::Exec("python3 brain.py --url http://x".into())),
        ] {
            assert_eq!(BrainSpec::parse(text), Ok(expected));
        }
        let spec = BrainSpec::parse("exec:sh -c 'x'").unwrap();
        assert_eq!(spec.to_string(), "exec:sh -c 'x'");
    }

    #[test]
    fn bad_specs_are_one_sentence_with_the_known_kinds_and_a_hint() {
        for (text, expected) in [
            ("", "has no kind"),
            (":x", "has no kind"),
            ("script:", "names no file"),
            ("script", "names no file"),
            ("stubborn:", "names no file"),
            ("exec: ", "names no command"),
            ("magic:x", "\"magic\" is no brain kind"),
            ("replies.json", "\"replies.json\" is no brain kind"),
            ("human", "comes later"),
        ] {
            let error = BrainSpec::parse(text).unwrap_err();
            assert_eq!(error.class(), BrainErrorClass::Usage);
            let sentence = error.to_string();
            assert!(sentence.contains(expected), "{text}: {sentence}");
            assert!(sentence.contains("script:FILE and exec:COMMAND"), "{sentence}");
            assert!(sentence.contains("; hint: ") && !sentence.contains('\n'), "{sentence}");
        }
    }
}
