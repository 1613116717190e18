//! People beside the run: whom a brain may ask something that only a person knows, such as a one-time code,
//! and who has to agree before something is done that cannot be taken back.

use std::path::PathBuf;

use async_trait::async_trait;
use surehand_types::result::ConfirmAnswer;

/// Longest answer that is taken, in characters.
pub const ANSWER_CAP: usize = 2000;

#[async_trait]
pub trait People: Send {
    /// Bounded in time.
    async fn ask(&mut self, question: &str) -> Result<PersonWord, NoAnswer>;

    /// The same for a plan's question. To it silence is an answer as well, and people are told which.
    async fn ask_or(&mut self, question: &str, silence: &str) -> Result<PersonWord, NoAnswer> {
        self.ask(&format!("{question}\nWithout an answer: {silence}")).await
    }
}

/// What a person said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonWord {
    pub text: String,
    /// Who it was, where the door knows names.
    pub by: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAnswer {
    /// The question was taken back because people want the run to stand still; it may be asked again.
    Withdrawn,
    /// One sentence.
    Because(String),
}

impl NoAnswer {
    pub fn sentence(self) -> String {
        match self {
            NoAnswer::Withdrawn => "not answered: the question was withdrawn".into(),
            NoAnswer::Because(sentence) => sentence,
        }
    }
}

/// What a person is asked before a call is made. Its texts come from the page and from the brain: whoever
/// shows them takes out what could steer a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What would be done, like `click left at 512,300`.
    pub what: String,
    /// What it would be done to, like `button "Delete"`.
    pub target: Option<String>,
    pub url: Option<String>,
    pub rule: String,
    pub reason: String,
    /// A picture of the present moment with secrets masked.
    pub picture: Option<PathBuf>,
}

/// Whoever may agree. Each door has its own way to a person: a terminal, later a web page.
#[async_trait]
pub trait Approver: Send {
    /// Bounded in time; silence is no consent.
    async fn approve(&mut self, question: &Question) -> ConfirmAnswer;

    /// Who gave the last answer, where the door knows names.
    fn answered_by(&self) -> Option<String> {
        None
    }
}

/// Nobody is there.
#[derive(Debug, Clone, Copy)]
pub struct Nobody;

#[async_trait]
impl People for Nobody {
    async fn ask(&mut self, _question: &str) -> Result<PersonWord, NoAnswer> {
        Err(NoAnswer::Because("nobody is there to answer".into()))
    }
}

#[async_trait]
impl Approver for Nobody {
    async fn approve(&mut self, _question: &Question) -> ConfirmAnswer {
        ConfirmAnswer::NoTerminal
    }
}
