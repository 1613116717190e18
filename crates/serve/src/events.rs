//! The events of a run as server-sent events. The trace on disk is the source, so whoever comes late or comes again
//! gets every event once and in order; a run under way wakes its followers, one of another process is looked at now
//! and then.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::Event as Sent;
use futures_util::Stream;
use futures_util::stream::unfold;
use surehand_store::{EventTail, JobState, RunState};
use surehand_types::Termination;
use surehand_types::event::{Envelope, Event};
use tokio::sync::watch;

use crate::pages::step_view::StepViews;
use crate::server::Server;
use crate::views::status_words;

/// How often a run of another process is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// How often a follower of a run that waits in the queue is told so.
const QUEUE_LOOK: Duration = Duration::from_millis(1000);

struct Following {
    server: Arc<Server>,
    run_id: String,
    /// Away while it is being read.
    tail: Option<EventTail>,
    /// Events up to this one are known to the follower.
    known: u64,
    waiting: std::collections::VecDeque<Envelope>,
    newest: Option<watch::Receiver<u64>>,
    asked: Option<watch::Receiver<u64>>,
    told: Option<String>,
    over: bool,
    /// For followers who want steps in words.
    views: Option<StepViews>,
}

/// Everything after `known`, until the run is over.
pub(crate) fn follow(
    server: Arc<Server>,
    run_id: String,
    tail: EventTail,
    known: u64,
    views: Option<StepViews>,
) -> impl Stream<Item = Result<Sent, Infallible>> + use<> {
    // Steps in words are made from all events before them.
    let tail = Some(if views.is_none() { tail.after(known) } else { tail });
    let following = Following {
        server,
        run_id,
        tail,
        known,
        waiting: Default::default(),
        newest: None,
        asked: None,
        told: None,
        over: false,
        views,
    };
    unfold(following, |mut following| async move {
        let sent = following.next().await?;
        Some((Ok(sent), following))
    })
}

impl Following {
    async fn next(&mut self) -> Option<Sent> {
        loop {
            if let Some(envelope) = self.waiting.pop_front() {
                if envelope.seq <= self.known {
                    if let Some(views) = &mut self.views {
                        views.note(&envelope);
                    }
                    continue;
                }
                self.known = envelope.seq;
                // One that was put away goes on behind that.
                self.over = matches!(&envelope.event, Event::RunEnded { result }
                    if result.termination_reason != Termination::Paused);
                return Some(sent(&envelope, self.views.as_mut()));
            }
            // Asked before the file is read: what is written in between wakes us again.
            self.attach();
            let may_end = self.is_over().await;
            let events = self.read().await?;
            if !events.is_empty() {
                self.waiting.extend(events);
                continue;
            }
            if let Some(status) = self.status().await {
                return Some(status);
            }
            // A server that stops tells of its runs until they are put away.
            if may_end || self.server.quiet.is_cancelled() {
                return None;
            }
            self.wait().await;
        }
    }

    /// The next events of the trace, read where that holds up nobody else; `None` where it cannot be followed.
    async fn read(&mut self) -> Option<Vec<Envelope>> {
        let mut tail = self.tail.take()?;
        let read = tokio::task::spawn_blocking(move || tail.read().map(|events| (tail, events)));
        let read = read.await.map_err(|error| error.to_string());
        match read.and_then(|read| read.map_err(|error| error.to_string())) {
            Ok((tail, events)) => {
                self.tail = Some(tail);
                Some(events)
            }
            Err(error) => {
                tracing::warn!(error, "a trace could not be followed");
                None
            }
        }
    }

    fn attach(&mut self) {
        match self.server.live(&self.run_id) {
            Some(live) => {
                if self.newest.is_none() {
                    self.newest = Some(live.newest.subscribe());
                    self.asked = Some(live.inbox.follow());
                }
                if let Some(newest) = &mut self.newest {
                    newest.mark_unchanged();
                }
                if let Some(asked) = &mut self.asked {
                    asked.mark_unchanged();
                }
            }
            None => (self.newest, self.asked) = (None, None),
        }
    }

    /// Nothing more will be written.
    async fn is_over(&self) -> bool {
        // Its last event is there a moment before its end is in the queue, and the last that is told is that end.
        if self.server.live(&self.run_id).is_some() {
            return false;
        }
        if self.over {
            return true;
        }
        match self.server.jobs.head(&self.run_id).await {
            Ok(Some(job)) => job.state.is_over(),
            Ok(None) => match self.server.store.row(&self.run_id).await {
                Ok(Some(row)) => row.state != RunState::Running,
                _ => true,
            },
            Err(_) => true,
        }
    }

    /// Where the run stands, where that has changed since the follower was told: a hint without a number, since it is
    /// no event of the trace.
    async fn status(&mut self) -> Option<Sent> {
        let words = match self.server.live(&self.run_id) {
            Some(live) => {
                let question = live.inbox.question();
                serde_json::json!({"status": live.status(), "question": question})
            }
            None => match self.server.jobs.head(&self.run_id).await.ok()?? {
                job if job.state == JobState::Queued => {
                    let position = self.server.jobs.position(&self.run_id).await.ok().flatten();
                    serde_json::json!({"status": "queued", "position": position})
                }
                job => serde_json::json!({"status": status_words(job.state), "words": job.words}),
            },
        };
        let words = words.to_string();
        if self.told.as_ref() == Some(&words) {
            return None;
        }
        self.told = Some(words.clone());
        Some(Sent::default().event("status").data(words))
    }

    async fn wait(&mut self) {
        let quiet = self.server.quiet.clone();
        let ended = self.server.ended.notified();
        match (&mut self.newest, &mut self.asked) {
            (Some(newest), Some(asked)) => {
                let mut gait = self.server.live(&self.run_id).map(|live| live.reins.follow());
                let walked = async {
                    if let Some(gait) = &mut gait {
                        // An error means that the run is over, which ends the wait as well.
                        let _ = gait.changed().await;
                    }
                };
                tokio::select! {
                    _ = newest.changed() => {}
                    _ = asked.changed() => {}
                    () = walked => {}
                    () = ended => {}
                    () = quiet.cancelled() => {}
                    () = tokio::time::sleep(QUEUE_LOOK) => {}
                }
            }
            _ => tokio::select! {
                () = ended => {}
                () = quiet.cancelled() => {}
                () = tokio::time::sleep(LOOK) => {}
            },
        }
    }
}

fn sent(envelope: &Envelope, views: Option<&mut StepViews>) -> Sent {
    let number = envelope.seq.to_string();
    let told = match views {
        Some(views) => views.told(envelope),
        None => serde_json::to_string(envelope),
    };
    match told {
        Ok(line) => Sent::default().id(number).event("trace").data(line),
        Err(error) => Sent::default().id(number).event("trace").comment(format!("left out: {error}")),
    }
}
