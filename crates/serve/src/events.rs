//! The events of a run as server-sent events. The trace on disk is the source, so whoever comes late or comes again
//! gets every event once and in order; a run under way wakes its followers, one of another process is looked at now
//! and then.

use std::convert::Infallible;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::response::sse::Event as Sent;
use futures_util::Stream;
use futures_util::stream::unfold;
use surehand_run::Gait;
use surehand_store::{EventTail, JobState, RunState};
use surehand_types::Termination;
use surehand_types::event::{Envelope, Event};
use tokio::sync::watch;

use crate::live::Live;
use crate::pages::step_view::StepViews;
use crate::server::Server;
use crate::views::status_words;

/// How often a run of another process is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// How often one of this server's own is, whatever wakes its followers.
const OWN_LOOK: Duration = Duration::from_millis(1000);

struct Following {
    server: Arc<Server>,
    run_id: String,
    /// Away while it is being read.
    tail: Option<EventTail>,
    /// Events up to this one are known to the follower.
    known: u64,
    waiting: std::collections::VecDeque<Envelope>,
    attached: Option<Attached>,
    /// The queue knows it.
    is_own: bool,
    told: Option<String>,
    over: bool,
    /// For followers who want steps in words.
    views: Option<StepViews>,
}

/// What wakes a follower of a run under way.
struct Attached {
    /// One that was put away and has gone on is another one.
    live: Weak<Live>,
    newest: watch::Receiver<u64>,
    asked: watch::Receiver<u64>,
    gait: watch::Receiver<Gait>,
}

/// Everything after `known`, until the run is over.
pub(crate) fn follow(
    server: Arc<Server>,
    run_id: String,
    tail: EventTail,
    known: u64,
    views: Option<StepViews>,
) -> impl Stream<Item = Result<Sent, Infallible>> + use<> {
    let following = Following::new(server, run_id, tail, known, views);
    unfold(following, |mut following| async move {
        let sent = following.next().await?;
        Some((Ok(sent), following))
    })
}

impl Following {
    fn new(server: Arc<Server>, run_id: String, tail: EventTail, known: u64, views: Option<StepViews>) -> Following {
        // Steps in words are made from all events before them.
        let tail = Some(if views.is_none() { tail.after(known) } else { tail });
        let waiting = std::collections::VecDeque::new();
        let (attached, is_own, told, over) = (None, false, None, false);
        Following { server, run_id, tail, known, waiting, attached, is_own, told, over, views }
    }

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
            // Asked before anything is looked at: what happens in between wakes us again.
            let server = Arc::clone(&self.server);
            let (began, ended) = (server.began.notified(), server.ended.notified());
            tokio::pin!(began, ended);
            began.as_mut().enable();
            ended.as_mut().enable();
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
            tokio::select! {
                () = began, if self.attached.is_none() => {}
                () = ended => {}
                () = server.quiet.cancelled() => {}
                () = self.moved() => {}
            }
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
        let live = self.server.live(&self.run_id);
        self.is_own |= live.is_some();
        self.attached = live.map(|live| match self.attached.take() {
            Some(mut attached) if std::ptr::eq(attached.live.as_ptr(), Arc::as_ptr(&live)) => {
                attached.newest.mark_unchanged();
                attached.asked.mark_unchanged();
                attached.gait.mark_unchanged();
                attached
            }
            _ => Attached {
                newest: live.newest.subscribe(),
                asked: live.inbox.follow(),
                gait: live.reins.follow(),
                live: Arc::downgrade(&live),
            },
        });
    }

    /// Nothing more will be written.
    async fn is_over(&mut self) -> bool {
        // Its last event is there a moment before its end is in the queue, and the last that is told is that end.
        if self.server.live(&self.run_id).is_some() {
            return false;
        }
        if self.over {
            return true;
        }
        match self.server.jobs.head(&self.run_id).await {
            Ok(Some(job)) => {
                self.is_own = true;
                job.state.is_over()
            }
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

    /// Something happened to the run, or it is time to look whether anything has. A receiver ends with
    /// the process of the run: it is over, or another one when it goes on.
    async fn moved(&mut self) {
        let look = tokio::time::sleep(if self.is_own { OWN_LOOK } else { LOOK });
        let Some(Attached { newest, asked, gait, .. }) = &mut self.attached else { return look.await };
        tokio::select! {
            _ = newest.changed() => {}
            _ = asked.changed() => {}
            _ = gait.changed() => {}
            () = look => {}
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

#[cfg(test)]
mod tests {
    use surehand_store::new_run_id;

    use super::*;

    #[tokio::test]
    async fn whoever_follows_a_run_that_goes_on_is_woken_by_it() {
        let folder = tempfile::tempdir().unwrap();
        let server = crate::testing::server(folder.path()).await;
        let run_id = new_run_id();
        let tail = server.store.tail(&run_id).unwrap();
        let mut following = Following::new(Arc::clone(&server), run_id.clone(), tail, 0, None);
        for _ in 0..2 {
            // The one before is gone: its receivers would be ready for ever.
            let live = Live::new();
            server.live.lock().unwrap().insert(run_id.clone(), Arc::clone(&live));
            following.attach();
            let quiet = tokio::time::timeout(LOOK / 5, following.moved()).await;
            assert!(quiet.is_err(), "nothing has happened to it");
            live.newest.send_replace(1);
            tokio::time::timeout(LOOK / 5, following.moved()).await.unwrap();
        }
    }
}
