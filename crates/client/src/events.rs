//! A run followed to its end. The server numbers events and goes on after the one that is known, so a connection that
//! is lost costs time and nothing else.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use futures_util::Stream;
use futures_util::stream::unfold;
use reqwest::{Method, Response};
use serde_json::Value;
use surehand_types::api::{RunStatus, StatusNote};
use surehand_types::event::Envelope;

use crate::client::Client;
use crate::error::ClientError;
use crate::sse::{Message, Reader};

/// The server says something every 15 s; after three times that long nobody is there.
const SILENCE: Duration = Duration::from_secs(45);
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// What comes from a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// Each once and in order.
    Event(Box<Envelope>),
    /// An event that this version does not know.
    Unknown(Value),
    /// Where the run stands, and what is asked.
    Status(StatusNote),
    /// The connection is gone, and why; it is tried again.
    Lost(String),
    /// It is there again.
    Back,
}

#[derive(Debug)]
pub struct Events {
    client: Client,
    run_id: String,
    known: u64,
    patience: Duration,
    waiting: VecDeque<Message>,
    open: Option<Open>,
    /// Since when nothing was heard, and how long to wait before the next try.
    lost: Option<(Instant, Duration)>,
    /// How long to wait when a stream ends although its run goes on.
    rest: Duration,
    over: bool,
}

#[derive(Debug)]
struct Open {
    response: Response,
    reader: Reader,
}

impl Events {
    pub(crate) fn new(client: Client, run_id: &str, after: u64, patience: Duration) -> Events {
        Events {
            client,
            run_id: run_id.to_string(),
            known: after,
            patience,
            waiting: VecDeque::new(),
            open: None,
            lost: None,
            rest: FIRST_PAUSE,
            over: false,
        }
    }

    /// The number of the last event that was given out.
    pub fn known(&self) -> u64 {
        self.known
    }

    /// `None` when the run is over, or put away until somebody lets it go on, and everything was told. Dropping it in the middle loses nothing.
    pub async fn next(&mut self) -> Result<Option<Heard>, ClientError> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                if self.lost.take().is_some() {
                    self.waiting.push_front(message);
                    return Ok(Some(Heard::Back));
                }
                match self.heard(&message) {
                    Some(heard) => return Ok(Some(heard)),
                    None => continue,
                }
            }
            if self.over {
                return Ok(None);
            }
            let Some(open) = &mut self.open else {
                match self.connect().await {
                    Ok(()) => continue,
                    Err(error) => match self.missed(error).await? {
                        Some(heard) => return Ok(Some(heard)),
                        None => continue,
                    },
                }
            };
            let part = match tokio::time::timeout(SILENCE, open.response.chunk()).await {
                Ok(Ok(Some(part))) => open.reader.take(&part).map_err(|_| "a message is too large".to_string()),
                Ok(Ok(None)) => {
                    self.open = None;
                    match self.ended().await {
                        Ok(true) => continue,
                        // A server that stops ends every stream at once, however often it is asked for one.
                        Ok(false) => {
                            tokio::time::sleep(self.next_rest()).await;
                            continue;
                        }
                        Err(error) => match self.missed(error).await? {
                            Some(heard) => return Ok(Some(heard)),
                            None => continue,
                        },
                    }
                }
                Ok(Err(error)) => Err(self.client.unreachable(&error).to_string()),
                Err(_) => Err(format!("nothing was heard for {} s", SILENCE.as_secs())),
            };
            match part {
                Ok(messages) => self.waiting.extend(messages),
                Err(why) => {
                    self.open = None;
                    let server = self.client.server().to_string();
                    if let Some(heard) = self.missed(ClientError::Unreachable { server, why }).await? {
                        return Ok(Some(heard));
                    }
                }
            }
        }
    }

    pub fn into_stream(self) -> impl Stream<Item = Result<Heard, ClientError>> {
        unfold(Some(self), |events| async move {
            let mut events = events?;
            match events.next().await {
                Ok(Some(heard)) => Some((Ok(heard), Some(events))),
                Ok(None) => None,
                Err(error) => Some((Err(error), None)),
            }
        })
    }

    async fn connect(&mut self) -> Result<(), ClientError> {
        let url = self.client.address(&["v1", "runs", &self.run_id, "events"]);
        let request = self.client.request(Method::GET, url).header("last-event-id", self.known.to_string());
        let answer = tokio::time::timeout(SILENCE, self.client.sent(request)).await;
        let response = answer.unwrap_or_else(|_| {
            let why = format!("it did not answer within {} s", SILENCE.as_secs());
            Err(ClientError::Unreachable { server: self.client.server().to_string(), why })
        })?;
        self.open = Some(Open { response, reader: Reader::default() });
        Ok(())
    }

    /// The stream came to its end: because the run did, or rests until somebody lets it go on, which is the answer; or
    /// because the server stops.
    async fn ended(&mut self) -> Result<bool, ClientError> {
        let mut status = self.client.get_run(&self.run_id).await?.status;
        if status == RunStatus::PutAway {
            // By a server that stops: the next one goes on with it.
            if self.client.ready().await.is_err() {
                return Ok(false);
            }
            // By one that does not, unless that is the next one already.
            status = self.client.get_run(&self.run_id).await?.status;
        }
        match status {
            RunStatus::Ended
            | RunStatus::Failed
            | RunStatus::Cancelled
            | RunStatus::Interrupted
            | RunStatus::PutAway => {
                self.over = true;
                Ok(true)
            }
            RunStatus::Queued | RunStatus::Running | RunStatus::Paused | RunStatus::TakenOver | RunStatus::Waiting => {
                Ok(false)
            }
        }
    }

    /// Longer each time that nothing happened in the run meanwhile.
    fn next_rest(&mut self) -> Duration {
        let longer = (self.rest * 2).min(LONGEST_PAUSE);
        std::mem::replace(&mut self.rest, longer)
    }

    /// Waits before the next try, or gives up. Tells the first time.
    async fn missed(&mut self, error: ClientError) -> Result<Option<Heard>, ClientError> {
        if !error.is_passing() {
            return Err(error);
        }
        let Some((since, pause)) = self.lost else {
            self.lost = Some((Instant::now(), FIRST_PAUSE));
            return Ok(Some(Heard::Lost(error.to_string())));
        };
        if since.elapsed() + pause > self.patience {
            return Err(error);
        }
        tokio::time::sleep(pause).await;
        self.lost = Some((since, (pause * 2).min(LONGEST_PAUSE)));
        Ok(None)
    }

    fn heard(&mut self, message: &Message) -> Option<Heard> {
        if message.event == "status" {
            return serde_json::from_str(&message.data).ok().map(Heard::Status);
        }
        let number: u64 = message.id.as_deref()?.parse().ok()?;
        if number <= self.known {
            return None;
        }
        let heard = match serde_json::from_str::<Envelope>(&message.data) {
            Ok(envelope) => Heard::Event(Box::new(envelope)),
            Err(_) => Heard::Unknown(serde_json::from_str(&message.data).unwrap_or(Value::Null)),
        };
        self.known = number;
        self.rest = FIRST_PAUSE;
        Some(heard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_that_end_without_news_are_asked_for_less_and_less_often() {
        let client = Client::new("http://127.0.0.1:1", None).unwrap();
        let mut events = Events::new(client, "r1", 0, Duration::from_secs(60));
        let message = |id: Option<&str>, event: &str, data: &str| Message {
            id: id.map(str::to_string),
            event: event.into(),
            data: data.into(),
        };
        let status = message(None, "status", "{\"status\": \"queued\", \"position\": 1}");
        let mut rests = Vec::new();
        for _ in 0..8 {
            assert!(matches!(events.heard(&status), Some(Heard::Status(_))));
            rests.push(events.next_rest());
        }
        assert_eq!(rests[0], FIRST_PAUSE);
        assert!(rests.is_sorted() && rests[7] == LONGEST_PAUSE, "{rests:?}");
        assert!(events.heard(&message(Some("1"), "trace", "{}")).is_some());
        assert_eq!(events.next_rest(), FIRST_PAUSE, "something happened");
    }
}
