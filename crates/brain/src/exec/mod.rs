//! The exec brain: any program that reads turns and writes replies, one JSON object per line. This
//! file knows the conversation; `program` knows processes and pipes.
//!
//! Strictly one answer per question. Lines a program writes before it was asked belong to nothing
//! and are dropped with a warning; the answer to a question nobody waits for any more (its future
//! was dropped) is recognised by counting and dropped as well.

mod program;

use async_trait::async_trait;
use surehand_types::observation::FrameFile;
use surehand_types::{Problem, RunResult, ThreeValued, Turn};

use self::program::{Program, REPLY_LIMIT};
use crate::brain::{Answer, Brain, DoneOpinion, Thought};
use crate::error::BrainError;
use crate::lines::Line;
use crate::spec::BrainOptions;
use crate::wire::{self, Hello};

/// How much of an unusable line is kept for the record.
const RAW_OF_CUT_LINE: usize = 200;

#[derive(Debug)]
pub struct ExecBrain {
    name: String,
    program: Program,
    options: BrainOptions,
    hello: Hello,
    /// Something other than a hello, or the hello itself, has been the program's first line.
    past_first_line: bool,
}

impl ExecBrain {
    /// Starts the program. It may say hello at any time before its first answer, or never.
    pub fn start(command: &str, options: BrainOptions) -> Result<Self, BrainError> {
        let words = shlex::split(command).ok_or_else(|| {
            BrainError::usage(
                format!("the brain command {command:?} has an open quote or a stray backslash"),
                "it is split into words like a shell does, without variables and pipes",
            )
        })?;
        Ok(ExecBrain {
            name: format!("exec:{command}"),
            program: Program::start(&words, &options.hidden_variables)?,
            options,
            hello: Hello::default(),
            past_first_line: false,
        })
    }

    /// One question, one answer, within the deadline. Safe to drop at any point.
    async fn ask(&mut self, question: String) -> Result<Line, BrainError> {
        let limit = self.options.reply_timeout;
        tokio::time::timeout(limit, self.converse(question)).await.unwrap_or_else(|_| Err(BrainError::deadline(limit)))
    }

    async fn converse(&mut self, question: String) -> Result<Line, BrainError> {
        self.program.ask(question).await?;
        loop {
            let received = self.program.receive().await?;
            if !std::mem::replace(&mut self.past_first_line, true)
                && let Ok(text) = str::from_utf8(&received.line.bytes)
                && let Some(hello) = wire::read_hello(text)
            {
                self.hello = hello.map_err(BrainError::Transport)?;
                continue;
            }
            if self.program.is_answer(&received) {
                return Ok(received.line);
            }
        }
    }
}

#[async_trait]
impl Brain for ExecBrain {
    fn name(&self) -> String {
        self.name.clone()
    }

    async fn think(&mut self, turn: &Turn) -> Result<Thought, BrainError> {
        let line = self.ask(wire::turn_line(turn)).await?;
        Ok(match text_of(line) {
            Ok(text) => Thought {
                answer: match wire::read_reply(&text) {
                    Ok(reply) => Answer::Reply(reply),
                    Err(problem) => Answer::Problem(problem),
                },
                raw: Some(text),
                notes: Vec::new(),
            },
            Err((sentence, raw)) => {
                Thought { answer: Answer::Problem(Problem(sentence)), raw: Some(raw), notes: Vec::new() }
            }
        })
    }

    async fn end(&mut self, result: &RunResult) {
        let line = wire::end_line(result);
        self.program.finish(line, self.options.end_timeout).await;
    }

    fn can_verify_done(&self) -> bool {
        self.hello.verify_done
    }

    async fn verify_done(&mut self, summary: &str, frame: Option<&FrameFile>) -> Result<DoneOpinion, BrainError> {
        if !self.hello.verify_done {
            return Ok(DoneOpinion {
                valid: ThreeValued::not_measured("the brain did not announce verify_done"),
                raw: None,
            });
        }
        let line = self.ask(wire::verify_done_line(summary, frame)).await?;
        Ok(match text_of(line) {
            Ok(text) => DoneOpinion { valid: wire::read_opinion(&text), raw: Some(text) },
            Err((sentence, raw)) => DoneOpinion { valid: ThreeValued::not_measured(sentence), raw: Some(raw) },
        })
    }
}

/// The line as text, or a sentence about it and its readable beginning.
fn text_of(line: Line) -> Result<String, (String, String)> {
    let beginning = |bytes: &[u8]| {
        let end = bytes.len().min(RAW_OF_CUT_LINE);
        String::from_utf8_lossy(&bytes[..end]).into_owned()
    };
    if line.cut {
        let sentence = format!(
            "the reply was longer than {} KiB and was not read; answer with one short line of JSON",
            REPLY_LIMIT / 1024
        );
        return Err((sentence, beginning(&line.bytes)));
    }
    String::from_utf8(line.bytes)
        .map_err(|error| ("the reply is not UTF-8 text".to_string(), beginning(error.as_bytes())))
}
