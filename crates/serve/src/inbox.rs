//! The one question of a run that waits for a person, and the two ways it comes there: a risky action, or something
//! the brain wants to know. No answer in time is a no; a question is withdrawn when a person wants the run to stand
//! still, or when the server stops.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use surehand_run::{Approver, NoAnswer, People, PersonWord, Question, Reins};
use surehand_store::new_run_id;
use surehand_trace::report::escape::visible;
use surehand_types::api::{QuestionKind, WaitingQuestion};
use surehand_types::result::ConfirmAnswer;
use tokio::sync::{oneshot, watch};
use tokio_util::sync::CancellationToken;

/// Longest text of a question that is shown, in characters.
const TEXT_CAP: usize = 4000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
    Yes,
    No,
    Text(String),
}

/// Why a word was not taken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotTaken {
    NothingAsked,
    OtherQuestion,
    OtherKind(QuestionKind),
}

#[derive(Debug)]
pub(crate) struct Inbox {
    waiting: Mutex<Option<Waiting>>,
    changed: watch::Sender<u64>,
    cancel: CancellationToken,
    reins: Reins,
}

#[derive(Debug)]
struct Waiting {
    question: WaitingQuestion,
    word: oneshot::Sender<(Word, String)>,
}

impl Inbox {
    pub(crate) fn new(cancel: CancellationToken, reins: Reins) -> Arc<Inbox> {
        Arc::new(Inbox { waiting: Mutex::new(None), changed: watch::Sender::new(0), cancel, reins })
    }

    pub(crate) fn question(&self) -> Option<WaitingQuestion> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|waiting| waiting.question.clone())
    }

    /// Tells of every question that comes and goes.
    pub(crate) fn follow(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// A word for the question that waits. It meets that question or none.
    pub(crate) fn say(&self, id: Option<&str>, word: Word, by: &str) -> Result<(), NotTaken> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(asked) = waiting.as_ref().map(|waiting| &waiting.question) else { return Err(NotTaken::NothingAsked) };
        if id.is_some_and(|id| id != asked.id) {
            return Err(NotTaken::OtherQuestion);
        }
        let fits = match word {
            Word::Yes | Word::No => asked.kind == QuestionKind::Approval,
            Word::Text(_) => asked.kind == QuestionKind::Answer,
        };
        if !fits {
            return Err(NotTaken::OtherKind(asked.kind));
        }
        // Whoever asked may have stopped waiting at this very moment.
        let taken = waiting.take().is_some_and(|waiting| waiting.word.send((word, by.to_string())).is_ok());
        drop(waiting);
        self.tell();
        if taken { Ok(()) } else { Err(NotTaken::NothingAsked) }
    }

    fn tell(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    async fn put(&self, question: WaitingQuestion, patience: Duration) -> Heard {
        let (word, heard) = oneshot::channel();
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(Waiting { question, word });
        self.tell();
        let _gone = Gone(self);
        tokio::select! {
            biased;
            word = heard => word.map_or(Heard::Nothing, |(word, by)| Heard::Word(word, by)),
            () = tokio::time::sleep(patience) => Heard::Nothing,
            () = self.cancel.cancelled() => Heard::Cancelled,
            () = self.reins.until_hold() => Heard::Withdrawn,
        }
    }
}

/// Takes the question away when nobody waits for its answer any more, for whatever reason.
struct Gone<'a>(&'a Inbox);

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        *self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.0.tell();
    }
}

enum Heard {
    /// And whose it is.
    Word(Word, String),
    Nothing,
    Cancelled,
    Withdrawn,
}

fn until(patience: Duration) -> String {
    let patience = jiff::SignedDuration::try_from(patience).unwrap_or(jiff::SignedDuration::MAX);
    let end = jiff::Timestamp::now().checked_add(patience).unwrap_or(jiff::Timestamp::MAX);
    format!("{end:.3}")
}

/// What would make the question read otherwise than it is, such as marks that turn the direction, is shown as a sign.
fn shown(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { visible(c) }).take(TEXT_CAP).collect()
}

/// Asks whoever looks at the run whether something may be done.
#[derive(Debug)]
pub(crate) struct AskApproval {
    inbox: Arc<Inbox>,
    patience: Duration,
    answered_by: Option<String>,
}

impl AskApproval {
    pub(crate) fn new(inbox: Arc<Inbox>, patience: Duration) -> AskApproval {
        AskApproval { inbox, patience, answered_by: None }
    }
}

#[async_trait]
impl Approver for AskApproval {
    async fn approve(&mut self, question: &Question) -> ConfirmAnswer {
        let frame = question.picture.as_ref().and_then(|path| path.file_stem()?.to_str().map(str::to_string));
        let asked = WaitingQuestion {
            id: new_run_id(),
            kind: QuestionKind::Approval,
            text: shown(&question.what),
            target: question.target.as_deref().map(shown),
            url: question.url.as_deref().map(shown),
            rule: Some(question.rule.clone()),
            reason: Some(shown(&question.reason)),
            frame,
            until: until(self.patience),
            without_answer: None,
        };
        self.answered_by = None;
        match self.inbox.put(asked, self.patience).await {
            Heard::Word(word, by) => {
                self.answered_by = Some(by);
                if word == Word::Yes { ConfirmAnswer::Yes } else { ConfirmAnswer::No }
            }
            Heard::Nothing => ConfirmAnswer::Timeout,
            Heard::Cancelled => ConfirmAnswer::Cancelled,
            Heard::Withdrawn => ConfirmAnswer::Withdrawn,
        }
    }

    fn answered_by(&self) -> Option<String> {
        self.answered_by.clone()
    }
}

/// Asks whoever looks at the run what the brain wants to know.
#[derive(Debug)]
pub(crate) struct AskPeople {
    pub(crate) inbox: Arc<Inbox>,
    pub(crate) patience: Duration,
}

#[async_trait]
impl People for AskPeople {
    async fn ask(&mut self, question: &str) -> Result<PersonWord, NoAnswer> {
        self.put(question, None).await
    }

    async fn ask_or(&mut self, question: &str, silence: &str) -> Result<PersonWord, NoAnswer> {
        self.put(question, Some(shown(silence))).await
    }
}

impl AskPeople {
    async fn put(&self, question: &str, without_answer: Option<String>) -> Result<PersonWord, NoAnswer> {
        let asked = WaitingQuestion {
            id: new_run_id(),
            kind: QuestionKind::Answer,
            text: shown(question),
            target: None,
            url: None,
            rule: None,
            reason: None,
            frame: None,
            until: until(self.patience),
            without_answer,
        };
        match self.inbox.put(asked, self.patience).await {
            Heard::Word(Word::Text(text), by) => Ok(PersonWord { text, by: Some(by) }),
            Heard::Cancelled => Err(NoAnswer::Because("the run was told to stop".into())),
            Heard::Withdrawn => Err(NoAnswer::Withdrawn),
            Heard::Word(..) | Heard::Nothing => {
                Err(NoAnswer::Because(format!("nobody answered within {} s", self.patience.as_secs())))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn asked(inbox: &Inbox) -> WaitingQuestion {
        let mut changes = inbox.follow();
        loop {
            if let Some(question) = inbox.question() {
                return question;
            }
            tokio::time::timeout(Duration::from_secs(10), changes.changed()).await.unwrap().unwrap();
        }
    }

    fn risky() -> Question {
        Question {
            what: "click".into(),
            target: None,
            url: None,
            rule: "payment".into(),
            reason: "it pays".into(),
            picture: None,
        }
    }

    #[test]
    fn a_question_cannot_be_turned_around() {
        assert_eq!(shown("pay \u{202e}01\u{2066} dollars\u{7}\nnow"), "pay \u{fffd}01\u{fffd} dollars\u{fffd}\nnow");
    }

    #[tokio::test]
    async fn a_word_meets_its_own_question_or_none() {
        let inbox = Inbox::new(CancellationToken::new(), Reins::default());
        assert_eq!(inbox.say(None, Word::Yes, "ada"), Err(NotTaken::NothingAsked));
        let mut approver = AskApproval::new(Arc::clone(&inbox), Duration::from_secs(60));
        let answer = tokio::spawn(async move { (approver.approve(&risky()).await, approver.answered_by()) });
        let question = asked(&inbox).await;
        assert_eq!(inbox.say(Some("another"), Word::Yes, "ada"), Err(NotTaken::OtherQuestion));
        assert_eq!(inbox.say(None, Word::Text("x".into()), "ada"), Err(NotTaken::OtherKind(QuestionKind::Approval)));
        assert_eq!(inbox.say(Some(&question.id), Word::Yes, "ada"), Ok(()));
        assert_eq!(answer.await.unwrap(), (ConfirmAnswer::Yes, Some("ada".into())));
        assert_eq!(inbox.say(Some(&question.id), Word::Yes, "ada"), Err(NotTaken::NothingAsked), "once is enough");
    }

    #[tokio::test]
    async fn silence_is_a_no_and_so_is_a_cancelled_run() {
        let inbox = Inbox::new(CancellationToken::new(), Reins::default());
        let mut approver = AskApproval::new(Arc::clone(&inbox), Duration::from_millis(30));
        assert_eq!(approver.approve(&risky()).await, ConfirmAnswer::Timeout);
        let mut people = AskPeople { inbox: Arc::clone(&inbox), patience: Duration::from_millis(20) };
        assert!(people.ask("who?").await.unwrap_err().sentence().contains("nobody answered"));
        assert_eq!(inbox.question(), None);
        assert!(inbox.reins.wish(surehand_run::Wish::TakeOver { by: "ada".into() }));
        assert_eq!(approver.approve(&risky()).await, ConfirmAnswer::Withdrawn);
        assert_eq!(people.ask("who?").await.unwrap_err(), NoAnswer::Withdrawn);
        assert!(inbox.reins.wish(surehand_run::Wish::Go { by: "ada".into() }));
        inbox.cancel.cancel();
        assert_eq!(approver.approve(&risky()).await, ConfirmAnswer::Cancelled);
    }
}
