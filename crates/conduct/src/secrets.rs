//! `--secret NAME[@ORIGIN,…]=SOURCE`: where the values of secrets come from. Nothing in here prints a
//! value, nor what might be one: a wrong argument is named by the secret's name or by its number.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use surehand_env::browser::{BoundOrigin, BoundSecret, Secrets};
use surehand_types::secret::{NAME_LIMIT, is_name};
use surehand_types::{Secret, Settings};
use tokio::io::AsyncReadExt;
use tokio::process::Command;

use crate::error::ConductError;

/// Time that a file or a command may take to give its value.
const PATIENCE: Duration = Duration::from_secs(10);

/// Longest value, in bytes.
const LONGEST: u64 = 64 * 1024;

const FORM: &str =
    "hint: like --secret password=env:CRM_PASSWORD, --secret pin=file:pin.txt or --secret token='cmd:pass show crm'";

/// What one argument says, before anything is read.
#[derive(Debug, PartialEq, Eq)]
struct Declared {
    name: String,
    /// As given after the `@`.
    origins: Option<Vec<BoundOrigin>>,
    source: Source,
}

#[derive(Debug, PartialEq, Eq)]
enum Source {
    Variable(String),
    File(String),
    Command(Vec<String>),
}

/// Reads every secret. Whoever keeps logs tells them what they must not show.
pub async fn load(
    given: &[String],
    start_url: Option<&str>,
    settings: &Settings,
) -> Result<Arc<Secrets>, ConductError> {
    let hidden = api_keys(settings);
    if given.is_empty() && hidden.is_empty() {
        return Ok(Arc::default());
    }
    if given.is_empty() {
        return Ok(Arc::new(Secrets::beside(Vec::new(), &hidden)));
    }
    if settings.text("profile") == "vectors" {
        return Err(ConductError::usage(
            "secrets cannot be used with the profile \"vectors\", whose artefacts are pinned to what its cases show\nhint: leave out --secret or --set profile=vectors",
        ));
    }
    let declared = declared(given)?;
    let start = start_url.and_then(BoundOrigin::of_address);
    let mut bound = Vec::new();
    for Declared { name, origins, source } in declared {
        let origins = match (origins, &start, start_url) {
            (Some(origins), ..) => origins,
            (None, Some(start), _) => vec![start.clone()],
            (None, None, Some(_)) => return Err(unbound(&name, "the start page has no origin of its own")),
            (None, None, None) => return Err(unbound(&name, "there is no start page whose origin it could have")),
        };
        let value = source.read().await.map_err(|why| ConductError::usage(format!("the secret {name:?} {why}")))?;
        if value.trim().is_empty() {
            let hint = "hint: look at what its source gives; a value of spaces alone does not count either";
            return Err(ConductError::usage(format!("the secret {name:?} is empty\n{hint}")));
        }
        bound.push(BoundSecret { secret: Secret::new(name, value), origins });
    }
    Ok(Arc::new(Secrets::beside(bound, &hidden)))
}

/// Keys of model APIs in our environment. A server or a page may say one back to us. One that is shorter than any
/// real key would only tear holes into what is written.
fn api_keys(settings: &Settings) -> Vec<Secret> {
    const SHORTEST: usize = 8;
    if settings.text("profile") == "vectors" {
        return Vec::new();
    }
    let value = |name: &'static str| std::env::var(name).ok().filter(|value| value.trim().len() >= SHORTEST);
    let keys = surehand_brain::key_variables().into_iter();
    keys.filter_map(|name| Some(Secret::new(name, value(name)?.trim()))).collect()
}

/// Variables that hold secrets: programs that we start do not get them.
pub fn variables(given: &[String]) -> Vec<String> {
    let variable = |declared: Declared| match declared.source {
        Source::Variable(name) => Some(name),
        Source::File(_) | Source::Command(_) => None,
    };
    declared(given).unwrap_or_default().into_iter().filter_map(variable).collect()
}

/// The value of something that is no secret of pages, like a key of the server: `env:VARIABLE`, `file:PATH` or
/// `cmd:COMMAND`.
pub async fn read_source(name: &str, source: &str) -> Result<Secret, ConductError> {
    let wrong = |why: String| ConductError::usage(format!("the {name} {why}"));
    let declared = parse(&format!("value={source}")).map_err(|problem| match problem {
        Wrong::Argument(why) | Wrong::Secret(_, why) => {
            let why = why.lines().next().unwrap_or_default();
            wrong(format!("{why}\nhint: like env:VARIABLE or file:PATH"))
        }
    })?;
    Ok(Secret::new(name, declared.source.read().await.map_err(wrong)?))
}

fn declared(given: &[String]) -> Result<Vec<Declared>, ConductError> {
    let mut all: Vec<Declared> = Vec::new();
    for (index, argument) in given.iter().enumerate() {
        let declared = parse(argument).map_err(|wrong| match wrong {
            Wrong::Argument(why) => ConductError::usage(format!("--secret number {} {why}", index + 1)),
            Wrong::Secret(name, why) => ConductError::usage(format!("the secret {name:?} {why}")),
        })?;
        if all.iter().any(|other| other.name == declared.name) {
            let hint = "hint: give each secret a name of its own";
            return Err(ConductError::usage(format!("the secret {:?} is given twice\n{hint}", declared.name)));
        }
        all.push(declared);
    }
    Ok(all)
}

enum Wrong {
    /// Even its name cannot be told.
    Argument(String),
    Secret(String, String),
}

fn parse(argument: &str) -> Result<Declared, Wrong> {
    let Some((bound, source)) = argument.split_once('=') else {
        return Err(Wrong::Argument(format!("is not of the form NAME=SOURCE\n{FORM}")));
    };
    let (name, origins) = match bound.split_once('@') {
        Some((name, origins)) => (name, Some(origins)),
        None => (bound, None),
    };
    if !is_name(name) {
        let rule = format!("has no usable name: letters, digits, _ - and ., up to {NAME_LIMIT} of them");
        return Err(Wrong::Argument(format!("{rule}\n{FORM}")));
    }
    let wrong = |why: String| Wrong::Secret(name.to_string(), why);
    let origins = origins.map(|origins| origins.split(',').map(str::trim).map(BoundOrigin::parse).collect());
    let origins = origins.transpose().map_err(|why: String| {
        wrong(format!("cannot be bound: {why}\nhint: like --secret {name}@https://crm.example=env:VARIABLE"))
    })?;
    let missing = |what: &str| wrong(format!("has a source without {what}\n{FORM}"));
    let source = match source.split_once(':') {
        Some(("env", "")) => return Err(missing("a variable")),
        Some(("env", variable)) => Source::Variable(variable.to_string()),
        Some(("file", "")) => return Err(missing("a path")),
        Some(("file", path)) => Source::File(path.to_string()),
        Some(("cmd", command)) => {
            let words = shlex::split(command).ok_or_else(|| {
                wrong("has a command with an open quote or a stray backslash\nhint: it is split into words like a shell does, without variables and pipes".into())
            })?;
            if words.is_empty() {
                return Err(missing("a command"));
            }
            Source::Command(words)
        }
        // Perhaps the value itself, so it is not repeated.
        _ => return Err(wrong(format!("has no source: it begins with env:, file: or cmd:\n{FORM}"))),
    };
    Ok(Declared { name: name.to_string(), origins, source })
}

fn unbound(name: &str, why: &str) -> ConductError {
    ConductError::usage(format!(
        "the secret {name:?} is bound to no origin: {why}\nhint: say where it may be typed, like --secret {name}@https://crm.example=env:VARIABLE"
    ))
}

impl Source {
    async fn read(&self) -> Result<String, String> {
        let bytes = match self {
            Source::Variable(name) => {
                let value = std::env::var_os(name);
                let value = value.ok_or(format!(
                    "is to come from the variable {name}, which is not set\nhint: export {name} before you start"
                ))?;
                return value.into_string().map_err(|_| not_text());
            }
            Source::File(path) => read_file(path).await?,
            Source::Command(words) => run_command(words).await?,
        };
        if bytes.len() as u64 > LONGEST {
            return Err(format!("is longer than {LONGEST} bytes\nhint: a secret is something that could be typed"));
        }
        let text = String::from_utf8(bytes).map_err(|_| not_text())?;
        let without = text.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text));
        Ok(without.unwrap_or(&text).to_string())
    }
}

fn not_text() -> String {
    "is not text in UTF-8\nhint: only text can be typed".into()
}

/// With a deadline: a pipe may never end.
async fn read_file(path: &str) -> Result<Vec<u8>, String> {
    let open = path.to_string();
    let reading = tokio::task::spawn_blocking(move || {
        use std::io::Read;
        let mut bytes = Vec::new();
        std::fs::File::open(open)?.take(LONGEST + 2).read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(bytes)
    });
    let hint = "hint: file: takes the path of a file that you can read";
    match tokio::time::timeout(PATIENCE, reading).await {
        Ok(Ok(Ok(bytes))) => Ok(bytes),
        Ok(Ok(Err(error))) => Err(format!("cannot be read from {path:?}: {error}\n{hint}")),
        Ok(Err(_)) => Err(format!("cannot be read from {path:?}\n{hint}")),
        Err(_) => Err(format!("did not come from {path:?} within {} s\n{hint}", PATIENCE.as_secs())),
    }
}

/// What the command writes. Its errors may hold anything, so nobody sees them.
async fn run_command(words: &[String]) -> Result<Vec<u8>, String> {
    let hint = "hint: try the command by itself; it is started without a shell and without input";
    let name = words.first().map(String::as_str).unwrap_or_default();
    let mut child = Command::new(name)
        .args(words.get(1..).unwrap_or_default())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("cannot be had from the command {name:?}: {error}\n{hint}"))?;
    let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
    let mut out = child.stdout.take();
    let work = async {
        let mut bytes = Vec::new();
        if let Some(out) = &mut out {
            out.take(LONGEST + 2).read_to_end(&mut bytes).await?;
        }
        drop(out);
        Ok::<_, std::io::Error>((bytes, child.wait().await?))
    };
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(Ok((bytes, status))) if status.success() => Ok(bytes),
        Ok(Ok((_, status))) => Err(format!("cannot be had from the command {name:?}: it ended with {status}\n{hint}")),
        Ok(Err(error)) => Err(format!("cannot be had from the command {name:?}: {error}\n{hint}")),
        Err(_) => {
            // Not reaped yet, so the number is still its own.
            if let Some(group) = group {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            let _ = child.kill().await;
            Err(format!("did not come from the command {name:?} within {} s\n{hint}", PATIENCE.as_secs()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(given: &str) -> String {
        match declared(&[given.to_string()]) {
            Ok(_) => "ok".into(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn wrong_arguments_are_told_without_what_may_be_the_value() {
        for (given, expected) in [
            ("hunter2", "--secret number 1 is not of the form"),
            ("pass word=env:X", "has no usable name"),
            ("=env:X", "has no usable name"),
            ("pw=hunter2", "the secret \"pw\" has no source"),
            ("pw=https://hunter2", "has no source"),
            ("pw=env:", "without a variable"),
            ("pw=file:", "without a path"),
            ("pw=cmd: ", "without a command"),
            ("pw=cmd:echo 'hunter2", "open quote"),
            ("pw@=env:X", "cannot be bound"),
            ("pw@https://a.b,ftp://c=env:X", "cannot be bound"),
        ] {
            let message = words(given);
            assert!(message.contains(expected), "{given}: {message}");
            assert!(message.contains("\nhint: ") && !message.contains("hunter2"), "{given}: {message}");
        }
        for good in ["a=env:X", "a.b-c_1@crm.example,https://x.y:8443=file:/a=b", "a=cmd:pass show 'a b'"] {
            assert_eq!(words(good), "ok");
        }
        let twice = declared(&["a=env:X".into(), "a@b.c=env:Y".into()]).unwrap_err();
        assert!(twice.to_string().contains("\"a\" is given twice"));
        assert_eq!(variables(&["a=env:X".into(), "b=file:y".into(), "c=env:Z".into()]), ["X", "Z"]);
    }

    #[tokio::test]
    async fn one_line_end_is_no_part_of_a_value() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("value");
        for (content, expected) in [("a b\n", "a b"), ("a\r\n", "a"), ("a\n\n", "a\n"), ("a", "a"), (" a ", " a ")] {
            std::fs::write(&path, content).unwrap();
            let source = Source::File(path.display().to_string());
            assert_eq!(source.read().await.unwrap(), expected);
            let source = Source::Command(vec!["cat".into(), path.display().to_string()]);
            assert_eq!(source.read().await.unwrap(), expected);
        }
        std::fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(Source::File(path.display().to_string()).read().await.unwrap_err().contains("UTF-8"));
        std::fs::write(&path, vec![b'a'; LONGEST as usize + 1]).unwrap();
        assert!(Source::File(path.display().to_string()).read().await.unwrap_err().contains("longer than"));
        let failing = Source::Command(vec!["sh".into(), "-c".into(), "echo hunter2; echo hunter2 >&2; exit 3".into()]);
        let sentence = failing.read().await.unwrap_err();
        assert!(sentence.contains("exit status: 3") && !sentence.contains("hunter2"), "{sentence}");
        assert!(Source::Command(vec!["/no/such/program".into()]).read().await.is_err());
    }
}
