//! `surehand run --remote URL`: the run is the server's, the terminal is here. Its events are told as they come, what
//! it asks is asked here, and a connection that is lost is made again.

use std::time::Duration;

use surehand_client::api::{QuestionKind, RunStatus, StatusNote, WaitingQuestion};
use surehand_client::{Client, ClientError, Events, Heard};
use surehand_run::{Approver as _, People as _, Question};
use surehand_store::new_run_id;
use surehand_trace::Listener;
use surehand_trace::build::TimelineBuilder;
use surehand_trace::report::outcome::outcome_in_words;
use surehand_types::reason::Exit;
use surehand_types::result::{ConfirmAnswer, exit_of};
use surehand_types::{RunResult, Settings};
use tokio_util::sync::CancellationToken;

use super::remote_order::{expect_nothing_beside_resume, request};
use super::run::{RunOutcome, listener, print_outcome};
use crate::args::RunArguments;
use crate::ask::{Consenting, Terminal};
use crate::exit::Failure;
use crate::logging::clean;
use crate::output::say;
use crate::settings::TOKEN_VARIABLE;
use crate::signals;

/// How long a server that is gone is waited for. One that is started anew takes its runs up by itself.
const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) async fn run_remote(server: &str, arguments: RunArguments, settings: &Settings) -> Result<i32, Failure> {
    let token = std::env::var(TOKEN_VARIABLE).ok();
    let client = Client::new(server, token.as_deref())?;
    let stops = signals::listen();
    let (told, mut begun) = tokio::sync::watch::channel(String::new());
    let work = async {
        let mut following = begin(&client, &arguments, settings).await?;
        told.send_replace(following.run_id.clone());
        eprintln!("run {} at {}", following.run_id, client.server());
        following.followed(&stops.gently).await
    };
    let result = tokio::select! {
        result = work => result?,
        () = stops.now.cancelled() => {
            let run = begun.borrow_and_update().clone();
            return Err(left(&client, &run));
        }
    };
    let exit = exit_of(result.result.verdict.r#final, result.result.termination_reason, false);
    if arguments.json {
        say!("{}", serde_json::json!({"type": "result", "result": result.result}));
    } else {
        // The page asks for a token where one is needed; an address of the API could not be opened by hand.
        let page = client.address(&["runs", &result.result.run_id]);
        print_outcome(&RunOutcome { result: result.result, exit, headline: result.headline }, page.as_str(), None);
    }
    Ok(exit as i32)
}

fn left(client: &Client, run: &str) -> Failure {
    let message = if run.is_empty() {
        "interrupted".to_string()
    } else {
        let server = client.server();
        format!(
            "interrupted; the run {run} may still go on at the server\nhint: surehand run --remote {server} --resume {run} follows it again"
        )
    };
    Failure { code: Exit::Interrupted as i32, message }
}

struct Following<'a> {
    client: &'a Client,
    run_id: String,
    events: Events,
    timeline: TimelineBuilder,
    tell: Listener,
    json: bool,
    /// What is asked at this terminal.
    asked: Option<(String, CancellationToken)>,
    said: Option<RunStatus>,
}

struct Told {
    result: RunResult,
    headline: String,
}

async fn begin<'a>(
    client: &'a Client,
    arguments: &RunArguments,
    settings: &Settings,
) -> Result<Following<'a>, Failure> {
    let mut following = Following {
        client,
        run_id: String::new(),
        events: client.events("", 0, PATIENCE),
        timeline: TimelineBuilder::default(),
        tell: listener(arguments.json),
        json: arguments.json,
        asked: None,
        said: None,
    };
    match &arguments.resume {
        None => {
            let request = request(arguments, settings)?;
            // Before it starts: afterwards nobody could see what becomes of it.
            let caller = client.instance().await?;
            if !caller.scopes.iter().any(|scope| scope == "read") {
                return Err(Failure::usage(format!(
                    "the token {:?} does not have the scope \"read\", so nobody here could follow the run\nhint: POST /v1/cua starts one without following it",
                    caller.caller
                )));
            }
            // An answer that was lost on its way must not leave a run that nobody knows of: the key makes them one.
            let key = new_run_id();
            let accepted = match client.submit(&request, Some(&key)).await {
                Err(ClientError::Unreachable { .. }) => client.submit(&request, Some(&key)).await?,
                accepted => accepted?,
            };
            following.run_id = accepted.run_id;
            following.events = client.events(&following.run_id, 0, PATIENCE);
        }
        Some(run) => {
            expect_nothing_beside_resume(arguments, settings)?;
            let view = client.get_run(run).await?;
            following.run_id = view.run_id;
            following.events = client.events(&following.run_id, 0, PATIENCE);
            match view.status {
                // It goes on already: it is only followed again.
                RunStatus::Queued | RunStatus::Running | RunStatus::Waiting | RunStatus::TakenOver => {}
                RunStatus::Paused => drop(client.resume(run).await?),
                RunStatus::PutAway | RunStatus::Interrupted => following.resume().await?,
                // It ended meanwhile. What it did is not told again.
                RunStatus::Ended | RunStatus::Failed | RunStatus::Cancelled => following.catch_up().await?,
            }
        }
    }
    Ok(following)
}

impl Following<'_> {
    /// Lets a run that came to a rest go on. What it did before is not told again, but the end has to know of it.
    async fn resume(&mut self) -> Result<(), Failure> {
        self.catch_up().await?;
        self.client.resume(&self.run_id).await?;
        self.events = self.client.events(&self.run_id, self.events.known(), PATIENCE);
        Ok(())
    }

    /// Takes in what happened, without a word.
    async fn catch_up(&mut self) -> Result<(), Failure> {
        while let Some(heard) = self.events.next().await? {
            if let Heard::Event(envelope) = heard {
                self.timeline.take(&envelope);
            }
        }
        Ok(())
    }

    async fn followed(&mut self, stop: &CancellationToken) -> Result<Told, Failure> {
        let mut is_stopped = false;
        loop {
            tokio::select! {
                heard = self.events.next() => match heard? {
                    Some(heard) => self.heard(heard),
                    None => break,
                },
                () = stop.cancelled(), if !is_stopped => {
                    is_stopped = true;
                    let (client, run_id) = (self.client.clone(), self.run_id.clone());
                    tokio::spawn(async move {
                        match client.cancel(&run_id).await {
                            // It was over already.
                            Ok(_) | Err(ClientError::Refused { status: 409, .. }) => {}
                            Err(error) => eprintln!("surehand: the run could not be cancelled: {}", clean(&error.to_string())),
                        }
                    });
                }
            }
        }
        self.nobody_is_asked();
        let view = self.client.get_run(&self.run_id).await?;
        let words = clean(&view.words.unwrap_or_default());
        match (view.status, view.result) {
            (RunStatus::Ended, Some(result)) => {
                let timeline = std::mem::take(&mut self.timeline).finish();
                Ok(Told { result: *result, headline: outcome_in_words(&timeline).headline })
            }
            (RunStatus::Cancelled, _) => {
                Err(Failure { code: Exit::Interrupted as i32, message: format!("the run {}: {words}", self.run_id) })
            }
            (RunStatus::Interrupted, _) => Err(Failure::broken(format!(
                "the run {} was cut off: {words}\nhint: surehand run --remote {} --resume {} goes on with it",
                self.run_id,
                self.client.server(),
                self.run_id
            ))),
            (RunStatus::PutAway, _) => Err(Failure::broken(format!(
                "the run {} was {words}\nhint: surehand run --remote {} --resume {} goes on with it",
                self.run_id,
                self.client.server(),
                self.run_id
            ))),
            _ => Err(Failure::broken(format!("the run {} could not be started: {words}", self.run_id))),
        }
    }

    fn heard(&mut self, heard: Heard) {
        match heard {
            Heard::Event(envelope) => {
                self.timeline.take(&envelope);
                (self.tell)(&envelope);
            }
            Heard::Unknown(event) if self.json => say!("{event}"),
            Heard::Unknown(_) => {}
            Heard::Status(note) => self.stands(note),
            Heard::Lost(why) => {
                let why = why.lines().next().unwrap_or_default().to_string();
                eprintln!("surehand: the connection is lost, and is tried again: {}", clean(&why));
            }
            Heard::Back => eprintln!("surehand: the connection is there again"),
        }
    }

    fn stands(&mut self, note: StatusNote) {
        let words = match (note.status, note.position) {
            (RunStatus::Queued, Some(before)) if before > 0 => Some(format!("waits in the queue, {before} before it")),
            (RunStatus::Queued, _) => Some("waits in the queue".to_string()),
            (RunStatus::Paused, _) => Some("is paused".to_string()),
            (RunStatus::PutAway, _) => Some("is put away".to_string()),
            (RunStatus::TakenOver, _) => Some("is worked by a person".to_string()),
            _ => None,
        };
        let before = self.said.replace(note.status);
        if let Some(words) = words.filter(|_| before != Some(note.status)) {
            eprintln!("surehand: the run {words}");
        }
        let same = self.asked.as_ref().map(|(id, _)| id) == note.question.as_ref().map(|question| &question.id);
        if same {
            return;
        }
        self.nobody_is_asked();
        if let Some(question) = note.question {
            let over = CancellationToken::new();
            self.asked = Some((question.id.clone(), over.clone()));
            tokio::spawn(ask(self.client.clone(), self.run_id.clone(), question, over));
        }
    }

    /// The question that was shown here is none any more: somebody answered it, or its time is up.
    fn nobody_is_asked(&mut self) {
        if let Some((_, over)) = self.asked.take() {
            over.cancel();
        }
    }
}

/// Asks at this terminal, and hands the word over. Without one the question stays open for whoever else looks.
async fn ask(client: Client, run_id: String, question: WaitingQuestion, over: CancellationToken) {
    let until = question.until.parse::<jiff::Timestamp>().ok();
    let patience = until.and_then(|until| Duration::try_from(until.duration_since(jiff::Timestamp::now())).ok());
    let patience = patience.unwrap_or(Duration::from_secs(60));
    let said = match question.kind {
        QuestionKind::Approval => {
            let picture =
                question.frame.as_ref().map(|frame| client.address(&["v1", "runs", &run_id, "frames", frame]));
            let shown = Question {
                what: question.text,
                target: question.target,
                url: question.url,
                rule: question.rule.unwrap_or_default(),
                reason: question.reason.unwrap_or_default(),
                picture: picture.map(|url| url.as_str().into()),
            };
            match (Consenting { patience, stop: over }).approve(&shown).await {
                ConfirmAnswer::Yes => client.approve(&run_id, Some(&question.id)).await,
                ConfirmAnswer::No => client.deny(&run_id, Some(&question.id)).await,
                ConfirmAnswer::NoTerminal => {
                    let target = shown.target.as_deref().unwrap_or("the page");
                    let words = clean(&format!("{} on {target}: {} (rule {})", shown.what, shown.reason, shown.rule));
                    eprintln!(
                        "surehand: the run asks whether this may be done, and there is no terminal here: {words}"
                    );
                    return elsewhere(&client, &run_id);
                }
                ConfirmAnswer::Cancelled => return no_longer_asked(),
                ConfirmAnswer::Timeout | ConfirmAnswer::Withdrawn => return,
            }
        }
        QuestionKind::Answer => {
            let mut terminal = Terminal { patience };
            let asking = match &question.without_answer {
                Some(silence) => terminal.ask_or(&question.text, silence),
                None => terminal.ask(&question.text),
            };
            let answer = tokio::select! {
                answer = asking => answer,
                () = over.cancelled() => return no_longer_asked(),
            };
            match answer {
                Ok(word) => client.answer(&run_id, Some(&question.id), &word.text).await,
                Err(why) => {
                    eprintln!("surehand: {}", why.sentence());
                    return elsewhere(&client, &run_id);
                }
            }
        }
    };
    if let Err(error) = said {
        eprintln!("surehand: your word did not arrive: {}", clean(&error.to_string()));
    }
}

/// The question stays open for whoever else looks at the run.
fn elsewhere(client: &Client, run_id: &str) {
    eprintln!("surehand: it can be answered at {} until its time is up", client.address(&["runs", run_id]));
}

/// The prompt still stands open on its line.
fn no_longer_asked() {
    eprintln!("\nsurehand: the question is settled without an answer from here");
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        match &error {
            // The server speaks of headers, which nobody writes here.
            ClientError::Refused { status: 401, facts } => {
                Failure::usage(format!("{}\nhint: put a token of that server into {TOKEN_VARIABLE}", facts.message))
            }
            // Something is wrong with what was asked for; nothing was started.
            ClientError::Refused { status: 400..=499, .. } | ClientError::Usage(_) => Failure::usage(error.to_string()),
            _ => Failure::broken(error.to_string()),
        }
    }
}
