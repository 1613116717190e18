//! People beside the run: whom a brain may ask something that only a person knows, such as a one-time code,
//! and who has to agree before something is done that cannot be taken back.

use std::path::PathBuf;

use async_trait::async_trait;
use surehand_types::result::ConfirmAnswer;

/// Longest answer that is taken, in characters.
pub(crate) const ANSWER_CAP: usize = 2000;

#[async_trait]
pub trait People: Send {
    /// The answer, or one sentence about why there is none. Bounded in time.
    async fn ask(&mut self, question: &str) -> Result<String, String>;
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
    async fn ask(&mut self, _question: &str) -> Result<String, String> {
        Err("nobody is there to answer".into())
    }
}

#[async_trait]
impl Approver for Nobody {
    async fn approve(&mut self, _question: &Question) -> ConfirmAnswer {
        ConfirmAnswer::NoTerminal
    }
}
