//! `surehand tools`: calls as JSON lines in, answers as JSON lines out, in order, until the input ends.

use std::io::Write;

use serde_json::Value;
use surehand_brain::{Line, LineSplitter};
use surehand_conduct::{Desk, guards, open_environment};
use surehand_env::{EnvError, Environment};
use surehand_run::{FrameFiles, Hand, answer_for, schema_error};
use surehand_store::new_run_id;
use surehand_types::reason::Exit;
use surehand_types::{Call, CallProblem, ErrorCode, Redactor, Settings};
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::args::ToolsArguments;
use crate::consent::tools_consent;
use crate::environment::{apply_consent, apply_flags, environment_choice, open_data, say_notes};
use crate::exit::Failure;
use crate::{secrets, signals};

/// Longest input line.
const LINE_LIMIT: usize = 1024 * 1024;

pub(crate) async fn tools(mut arguments: ToolsArguments, mut settings: Settings) -> Result<i32, Failure> {
    apply_flags(&mut settings, &arguments.browser, arguments.url.as_deref())?;
    apply_consent(&mut settings, &arguments.consent)?;
    let data = open_data(&settings)?;
    arguments.browser.secrets = secrets::load(&arguments.browser.secret, arguments.url.as_deref(), &settings).await?;
    let stops = signals::listen();
    let consent = tools_consent(&settings, &stops.gently)?;
    let folder = tempfile::Builder::new()
        .prefix("surehand-tools-")
        // Frames of somebody's accounts.
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700))
        .tempdir()
        .map_err(|error| Failure::usage(format!("cannot create a temporary folder: {error}")))?;
    let downloads = folder.path().join("downloads");
    let interrupted = || Failure { code: Exit::Interrupted as i32, message: String::new() };
    let choice = environment_choice(&arguments.browser);
    let mut env = tokio::select! {
        env = open_environment(&settings, &choice, &data, &downloads, arguments.url.as_deref()) => env?,
        () = stops.gently.cancelled() => return Err(interrupted()),
    };
    say_notes(env.notes());
    let files = FrameFiles::new(&folder.path().join("frames")).map_err(|error| Failure::usage(error.to_string()))?;
    let redactor = arguments.browser.secrets.redactor().clone();
    let desk = Desk {
        door: "tools",
        run_id: &new_run_id(),
        task: "",
        start_url: arguments.url.as_deref(),
        settings: &settings,
        data: &data,
        redactor: &redactor,
        addresses: &[],
    };
    let permits = match consent.permits(desk) {
        Ok(permits) => permits,
        Err(error) => {
            env.close().await;
            return Err(error.into());
        }
    };
    let mut session = Session {
        files,
        hand: Hand::new(guards(&settings)).judging_effects(settings.is_on("effect_verify")).under(permits),
        redactor,
        step: 0,
        stopping: stops.gently.clone(),
    };
    let mut lines = input_lines();
    let result = loop {
        let line = tokio::select! {
            biased;
            () = stops.gently.cancelled() => break Err(interrupted()),
            line = lines.recv() => line,
        };
        let Some(line) = line else { break Ok(0) };
        let answer = tokio::select! {
            answer = session.answer(env.as_mut(), &line) => answer,
            () = stops.now.cancelled() => break Err(interrupted()),
        };
        match answer {
            Ok(None) => {}
            Ok(Some(answer)) => {
                if !print_line(&answer) {
                    break Ok(0);
                }
            }
            Err(ended) => {
                print_line(&ended.answer);
                break Err(Failure::broken(ended.reason));
            }
        }
    };
    session.hand.ended(if result.is_ok() { "closed" } else { "interrupted" }, session.step);
    env.close().await;
    result
}

struct Session {
    files: FrameFiles,
    hand: Hand,
    redactor: Redactor,
    step: u32,
    stopping: CancellationToken,
}

/// The environment is gone: the last answer says so, then the program ends.
struct Ended {
    answer: Value,
    reason: String,
}

impl Session {
    async fn answer(&mut self, env: &mut dyn Environment, line: &Line) -> Result<Option<Value>, Ended> {
        let (id, call) = match read_call(line, &self.redactor) {
            Read::Blank => return Ok(None),
            Read::Wrong(answer) => return Ok(Some(answer)),
            Read::Call(id, call) => (id, call),
        };
        self.step += 1;
        let acted = match &call {
            // A plain wait has nothing to finish when we are asked to stop.
            Call::Wait { .. } => tokio::select! {
                acted = self.hand.act(env, &call, self.step) => acted,
                () = self.stopping.cancelled() => return Ok(None),
            },
            call => self.hand.act(env, call, self.step).await,
        };
        let acted = acted.map_err(|error| lost(&id, &error, &self.redactor))?;
        match answer_for(&id, &acted, &mut self.files, &self.redactor) {
            Ok(answer) => Ok(Some(answer)),
            Err(error) => Err(Ended {
                answer: schema_error(
                    &id,
                    &CallProblem { code: ErrorCode::EnvLost, message: error.to_string() },
                    &self.redactor,
                ),
                reason: error.to_string(),
            }),
        }
    }
}

enum Read {
    Blank,
    Wrong(Value),
    Call(Value, Call),
}

fn read_call(line: &Line, redactor: &Redactor) -> Read {
    let wrong = |id: &Value, message: String| Read::Wrong(schema_error(id, &CallProblem::invalid(message), redactor));
    if line.cut {
        return wrong(&Value::Null, format!("the line is longer than {LINE_LIMIT} bytes"));
    }
    if line.bytes.iter().all(u8::is_ascii_whitespace) {
        return Read::Blank;
    }
    // Some shells put a byte order mark before the first line.
    let bytes = line.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line.bytes);
    let value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) => return wrong(&Value::Null, format!("the line is not JSON: {error}")),
    };
    let Value::Object(mut map) = value else {
        return wrong(
            &Value::Null,
            "the line must be a JSON object like {\"id\":1,\"tool\":\"tab\",\"action\":\"view\"}".into(),
        );
    };
    let id = map.shift_remove("id").unwrap_or(Value::Null);
    match Call::parse(&Value::Object(map)) {
        Ok(parsed) => Read::Call(id, parsed.call),
        Err(problem) => Read::Wrong(schema_error(&id, &problem, redactor)),
    }
}

fn lost(id: &Value, error: &EnvError, redactor: &Redactor) -> Ended {
    let reason = error.to_string();
    let answer = schema_error(id, &CallProblem { code: ErrorCode::EnvLost, message: reason.clone() }, redactor);
    Ended { answer, reason }
}

/// `false` when nobody reads any more.
fn print_line(answer: &Value) -> bool {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{answer}").and_then(|()| out.flush()).is_ok()
}

/// Reads stdin on its own task, so that a signal is not kept waiting by an idle input.
fn input_lines() -> mpsc::Receiver<Line> {
    let (sender, receiver) = mpsc::channel(16);
    tokio::spawn(async move {
        let mut stdin = tokio::io::stdin();
        let mut splitter = LineSplitter::new(LINE_LIMIT);
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let count = match stdin.read(&mut buffer).await {
                Ok(0) | Err(_) => break,
                Ok(count) => count,
            };
            let mut complete = Vec::new();
            splitter.push(&buffer[..count], |line| complete.push(line));
            for line in complete {
                if sender.send(line).await.is_err() {
                    return;
                }
            }
        }
        if let Some(line) = splitter.finish() {
            let _ = sender.send(line).await;
        }
    });
    receiver
}
