//! The reins of a run: how people outside the loop pause it, go on, take over, hand back, or put it away for later.
//! Wishes are looked at between calls, so a call under way is always finished first. What is left of a reply is run
//! when the run goes on, unless a person worked on the page meanwhile or the page is another one.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use surehand_env::{EnvError, Receipt, SettleKind};
use surehand_types::event::Event;
use surehand_types::observation::Pending;
use surehand_types::person::PersonEvent;
use surehand_types::reply::CallResult;
use surehand_types::{Call, CallProblem, Observation, StepRecord, Termination};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use crate::acted::Acted;
use crate::doing::cut_short;
use crate::run::{Ending, Run};
use crate::step::milliseconds;

/// Calls of a person that may wait for their turn; a page sends one after the other.
const WAITING_CALLS: usize = 8;

/// Several people may watch the page that one of them works on.
const BETWEEN_GLANCES: Duration = Duration::from_millis(250);

/// Who a step was done by, where it was not the brain.
pub const BY_PERSON: &str = "person";

/// What people want of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    Go { by: String },
    Pause { by: String },
    TakeOver { by: String },
}

/// The last wish, and whether the run is to end now in a state that can be gone on from later.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wished {
    last: Wish,
    put_away: bool,
}

impl Wished {
    fn wants_a_hold(&self) -> bool {
        self.put_away || !matches!(self.last, Wish::Go { .. })
    }
}

/// Where the run stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Gait {
    #[default]
    Going,
    Paused,
    TakenOver,
}

/// What became of a person's call.
#[derive(Debug, Clone, PartialEq)]
pub struct PersonAnswer {
    pub ok: bool,
    pub message: String,
    pub error: Option<CallProblem>,
    /// What waits for a second call: options of a list, a date, a confirmation.
    pub pending: Option<Pending>,
}

/// Steers one run. Clones steer the same one.
#[derive(Debug, Clone)]
pub struct Reins {
    wish: Arc<watch::Sender<Wished>>,
    gait: Arc<watch::Sender<Gait>>,
    calls: mpsc::Sender<Errand>,
    incoming: Arc<Mutex<Option<mpsc::Receiver<Errand>>>>,
    kept: Arc<Mutex<Option<Value>>>,
    cancelled_by: Arc<Mutex<CancelledBy>>,
}

/// Who wanted the run to end, for as long as anybody may still want it.
#[derive(Debug, Default)]
struct CancelledBy {
    name: Option<String>,
    is_too_late: bool,
}

/// What a person who has taken over wants of the page.
#[derive(Debug)]
enum Errand {
    Call(Box<PersonCall>),
    /// To see it as it is now. No step, and nothing of it is kept.
    Look(oneshot::Sender<Observation>),
}

#[derive(Debug)]
struct PersonCall {
    by: String,
    given: Map<String, Value>,
    call: Call,
    answer: oneshot::Sender<PersonAnswer>,
}

/// Changes of what people want of a run.
#[derive(Debug)]
pub struct Wishes(watch::Receiver<Wished>);

impl Wishes {
    /// Ends when something else is wanted than at the last time, or at the beginning.
    pub async fn changed(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending().await
        }
    }
}

impl Default for Reins {
    fn default() -> Self {
        let (calls, incoming) = mpsc::channel(WAITING_CALLS);
        Reins {
            wish: Arc::new(watch::Sender::new(Wished { last: Wish::Go { by: String::new() }, put_away: false })),
            gait: Arc::new(watch::Sender::new(Gait::Going)),
            calls,
            incoming: Arc::new(Mutex::new(Some(incoming))),
            kept: Arc::default(),
            cancelled_by: Arc::default(),
        }
    }
}

impl Reins {
    /// `false`: it is not taken, because the run is being put away.
    #[must_use]
    pub fn wish(&self, wish: Wish) -> bool {
        let mut is_taken = true;
        self.wish.send_if_modified(|now| {
            is_taken = !now.put_away;
            let changes = is_taken && now.last != wish;
            if changes {
                now.last = wish;
            }
            changes
        });
        is_taken
    }

    /// What people wanted last; of a run that is put away, how it is to come back.
    pub fn wished(&self) -> Wish {
        self.wish.borrow().last.clone()
    }

    /// Tells of every change of what is wanted.
    pub fn follow_wishes(&self) -> Wishes {
        Wishes(self.wish.subscribe())
    }

    /// Ends the run in a state that can be gone on from later. From now on no other wish is taken.
    pub fn put_away(&self) {
        self.wish.send_if_modified(|now| !std::mem::replace(&mut now.put_away, true));
    }

    pub fn is_put_away(&self) -> bool {
        self.wish.borrow().put_away
    }

    pub fn gait(&self) -> Gait {
        self.gait.borrow().clone()
    }

    /// Tells of every change of the gait.
    pub fn follow(&self) -> watch::Receiver<Gait> {
        self.gait.subscribe()
    }

    /// One call of a person while somebody has taken over, in the shape of a brain's call.
    pub async fn call(&self, given: Map<String, Value>, by: &str) -> Result<PersonAnswer, String> {
        if self.gait() != Gait::TakenOver {
            return Err("nobody has taken over; take over first".into());
        }
        let parsed = Call::parse(&Value::Object(given.clone())).map_err(|problem| problem.message)?;
        if matches!(parsed.call, Call::Done { .. } | Call::AskUser { .. }) {
            return Err("done and ask_user are for the brain; hand back instead".into());
        }
        let (answer, answered) = oneshot::channel();
        let waiting = Errand::Call(Box::new(PersonCall { by: by.to_string(), given, call: parsed.call, answer }));
        self.calls.try_send(waiting).map_err(|_| "too many calls wait already, or the run is over".to_string())?;
        self.in_hand(answered).await.ok_or_else(|| "the run went on or ended before the call was made".to_string())
    }

    /// The page as it is now, while somebody has taken over. `None`: nobody has, or too much waits already.
    pub async fn look(&self) -> Option<Observation> {
        // Whoever only watches leaves room for whoever works.
        if self.gait() != Gait::TakenOver || self.calls.capacity() <= WAITING_CALLS / 2 {
            return None;
        }
        let (answer, answered) = oneshot::channel();
        self.calls.try_send(Errand::Look(answer)).ok()?;
        self.in_hand(answered).await
    }

    /// What comes back while the page is in a person's hand.
    async fn in_hand<T>(&self, answered: oneshot::Receiver<T>) -> Option<T> {
        let mut gait = self.gait.subscribe();
        tokio::select! {
            biased;
            answer = answered => answer.ok(),
            // Sent at the very moment in which the run went on. Nobody does it any more; see `held`.
            _ = gait.wait_for(|gait| *gait != Gait::TakenOver) => None,
        }
    }

    /// Who wants the run to end, for its trace. Whoever says it first is named. `false`: it is too late for that, since what
    /// becomes of the run is decided.
    #[must_use]
    pub fn note_cancel(&self, by: &str) -> bool {
        let mut cancelled_by = self.cancelled_by.lock().unwrap_or_else(PoisonError::into_inner);
        if !cancelled_by.is_too_late {
            cancelled_by.name.get_or_insert_with(|| by.to_string());
        }
        !cancelled_by.is_too_late
    }

    pub fn cancelled_by(&self) -> Option<String> {
        self.cancelled_by.lock().unwrap_or_else(PoisonError::into_inner).name.clone()
    }

    /// The same for whoever decides by it what becomes of the run: nobody can cancel it any more.
    pub fn cancelled_in_the_end_by(&self) -> Option<String> {
        let mut cancelled_by = self.cancelled_by.lock().unwrap_or_else(PoisonError::into_inner);
        cancelled_by.is_too_late = true;
        cancelled_by.name.clone()
    }

    /// What a run that was put away left to go on from.
    pub fn take_kept(&self) -> Option<Value> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) fn keep(&self, kept: Option<Value>) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept;
    }

    pub(crate) fn wants_a_hold(&self) -> bool {
        self.wish.borrow().wants_a_hold()
    }

    /// Ends when people want the run to stand still or to be put away: what it asks a person is withdrawn then.
    pub async fn until_hold(&self) {
        let mut wishes = self.wish.subscribe();
        // The sender lives as long as these reins do.
        let _ = wishes.wait_for(Wished::wants_a_hold).await;
    }

    /// Ends when the run is to be put away: nobody waits for a brain's thought then.
    pub(crate) async fn until_put_away(&self) {
        let mut wishes = self.wish.subscribe();
        // The sender lives as long as these reins do.
        let _ = wishes.wait_for(|wished| wished.put_away).await;
    }

    fn take_calls(&self) -> Option<mpsc::Receiver<Errand>> {
        self.incoming.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn give_calls_back(&self, calls: mpsc::Receiver<Errand>) {
        *self.incoming.lock().unwrap_or_else(PoisonError::into_inner) = Some(calls);
    }
}

/// What became of the time in which people held the run.
pub(crate) struct Held {
    /// Calls that a person made meanwhile.
    pub(crate) calls: u32,
    /// For the brain.
    pub(crate) words: String,
    /// The page as it is now.
    pub(crate) seen: Observation,
}

/// Between two turns: waits for as long as people want it to, and the brain is told with its next turn.
pub(crate) async fn hold(run: &mut Run) -> Result<(), Ending> {
    if let Some(Held { words, .. }) = stand_still(run).await? {
        run.feedback = if run.feedback.is_empty() { words } else { format!("{}\n{words}", run.feedback) };
    }
    Ok(())
}

/// Waits for as long as people want it to. The time does not count against the run.
pub(crate) async fn stand_still(run: &mut Run) -> Result<Option<Held>, Ending> {
    if !run.reins.wants_a_hold() {
        return Ok(None);
    }
    let began = Instant::now();
    let reins = run.reins.clone();
    let Some(mut calls) = reins.take_calls() else { return Ok(None) };
    let held = held(run, &reins, &mut calls).await;
    // What nobody will run any more is said to have been dropped.
    while calls.try_recv().is_ok() {}
    reins.give_calls_back(calls);
    reins.gait.send_replace(Gait::Going);
    run.budget.pause(began.elapsed());
    run.held += began.elapsed();
    held.map(Some)
}

async fn held(run: &mut Run, reins: &Reins, calls: &mut mpsc::Receiver<Errand>) -> Result<Held, Ending> {
    let mut wishes = reins.wish.subscribe();
    let mut since_take_over: Option<(String, u32)> = None;
    let mut done = 0;
    let mut glance = None;
    run.put_aside.forget();
    loop {
        let Wished { last: wish, put_away } = wishes.borrow_and_update().clone();
        let stays_with = |who: &String| !put_away && matches!(&wish, Wish::TakeOver { by } if by == who);
        if let Some((by, calls)) = since_take_over.take_if(|(who, _)| !stays_with(who)) {
            run.person(PersonEvent::HandedBack { by, calls })?;
        }
        match wish {
            _ if put_away => return Err(Ending::of(Termination::Paused)),
            Wish::Go { by } => return went_on(run, by, done).await,
            Wish::Pause { by } if reins.gait() != Gait::Paused => {
                run.person(PersonEvent::Paused { by })?;
                reins.gait.send_replace(Gait::Paused);
            }
            Wish::TakeOver { by } if since_take_over.is_none() => {
                run.person(PersonEvent::TookOver { by: by.clone() })?;
                since_take_over = Some((by, 0));
                reins.gait.send_replace(Gait::TakenOver);
            }
            Wish::Pause { .. } | Wish::TakeOver { .. } => {}
        }
        run.put_aside_now().await;
        tokio::select! {
            biased;
            () = run.cancel.cancelled() => return Err(run.told_to_end()),
            reason = run.env.until_lost() => return Err(EnvError::Lost(reason).into()),
            changed = wishes.changed() => if changed.is_err() { return went_on(run, String::new(), done).await },
            Some(errand) = calls.recv() => match (errand, &mut since_take_over) {
                // Whoever sent it was told already that it is not made.
                (Errand::Call(call), Some((_, count))) if !call.answer.is_closed() => {
                    *count += 1;
                    done += 1;
                    glance = None;
                    do_for_person(run, *call).await?;
                }
                (Errand::Look(answer), Some(_)) if !answer.is_closed() => {
                    let _ = answer.send(glance_at(run, &mut glance).await?);
                }
                _ => {}
            }
        }
    }
}

/// A look at the page for people who work on it, shared by all who want one at about the same time.
async fn glance_at(run: &mut Run, last: &mut Option<(Instant, Observation)>) -> Result<Observation, Ending> {
    if let Some((at, seen)) = last
        && at.elapsed() < BETWEEN_GLANCES
    {
        return Ok(seen.clone());
    }
    let seen = look(run).await?;
    *last = Some((Instant::now(), seen.clone()));
    Ok(seen)
}

async fn look(run: &mut Run) -> Result<Observation, Ending> {
    let look = Receipt { settle: SettleKind::Look, ..Receipt::default() };
    Ok(run.env.settle(&look).await?.observation)
}

/// The brain is told that the world may not be as it left it.
async fn went_on(run: &mut Run, by: String, done: u32) -> Result<Held, Ending> {
    let seen = look(run).await?;
    run.trace.frame(&seen)?;
    run.person(PersonEvent::Resumed { by })?;
    let words = match done {
        0 => "A person paused the run and let it go on; look at the page anew.".to_string(),
        1 => "A person took over, made one call and handed back; look at the page anew.".to_string(),
        _ => format!("A person took over, made {done} calls and handed back; look at the page anew."),
    };
    run.last = None;
    run.put_aside.forget();
    Ok(Held { calls: done, words, seen })
}

/// A person's call passes the same hand as a brain's: aimed, judged by the policy, verified and written down. What the
/// policy wants a person for, a person is doing.
async fn do_for_person(run: &mut Run, asked: PersonCall) -> Result<(), Ending> {
    let before = run.env.observe().await?;
    let frame_before = run.trace.frame(&before)?;
    let by = Some(BY_PERSON.to_string());
    run.trace.record(Event::CallStarted { step: run.steps + 1, call: asked.given.clone(), by })?;
    let began = Instant::now();
    let step = run.steps + 1;
    let acted = tokio::select! {
        biased;
        acted = run.hand.act_for_person(run.env.as_mut(), &asked.call, step, &asked.by) => Some(acted?),
        () = nobody_waits(run.cancel.clone(), run.reins.clone()), if matches!(asked.call, Call::Wait { .. }) => None,
    };
    let mut acted = match acted {
        Some(acted) => acted,
        None => cut_short(run, step).await?,
    };
    if let Some(policy) = &mut acted.policy {
        policy.by = Some(asked.by);
    }
    write_down(run, asked.given, Some(BY_PERSON), &frame_before, &acted, began)?;
    run.budget.grant_step();
    // Whoever has to offer the rest of a reply again goes by what ran of it.
    if run.problem.is_none() {
        run.results = Vec::<CallResult>::new();
    }
    let redactor = &run.config.redactor;
    let pending = acted.pending.as_ref().and_then(|pending| redactor.copy_of(pending));
    let answer = PersonAnswer { ok: acted.ok, message: redactor.text(&acted.message), error: acted.error, pending };
    // The page that asked may be gone; the step is written down all the same.
    let _ = asked.answer.send(answer);
    Ok(())
}

/// Ends when the run is to end, or is wanted otherwise than in this person's hand.
async fn nobody_waits(cancel: CancellationToken, reins: Reins) {
    let mut wishes = reins.wish.subscribe();
    tokio::select! {
        () = cancel.cancelled() => {}
        // The sender lives as long as these reins do.
        _ = wishes.wait_for(|wished| wished.put_away || !matches!(wished.last, Wish::TakeOver { .. })) => {}
    }
}

/// A step that did not pass the brain's own checks: of somebody else, or one that came to nothing.
pub(crate) fn write_down(
    run: &mut Run,
    given: Map<String, Value>,
    by: Option<&str>,
    frame_before: &str,
    acted: &Acted,
    began: Instant,
) -> Result<(), Ending> {
    let frame_after = run.trace.frame(&acted.observation)?;
    let mut record = StepRecord {
        call: Some(given),
        by: by.map(str::to_string),
        ok: acted.ok,
        message: acted.message.clone(),
        error: acted.error.clone(),
        dispatched: acted.dispatched,
        hit: acted.hit.clone(),
        effect: acted.effect.clone(),
        policy: acted.policy.clone(),
        observed: run.observed(&acted.observation),
        ..run.blank_record()
    };
    record.frames.before = Some(frame_before.to_string());
    record.frames.after = Some(frame_after);
    record.timing_ms.total = milliseconds(began.elapsed());
    if let Some(asked) = &acted.confirmation {
        run.trace.record(Event::Confirmation(asked.clone()))?;
    }
    for event in acted.happenings.events.clone() {
        run.trace.record(Event::Environment(event))?;
    }
    run.downloads.extend(acted.happenings.downloads.clone());
    if by == Some(BY_PERSON) {
        run.memory.heard_of(&record);
    }
    run.keep(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pause() -> Wish {
        Wish::Pause { by: "ada".into() }
    }

    #[tokio::test]
    async fn what_is_put_away_takes_no_wish_and_knows_how_it_is_to_come_back() {
        let reins = Reins::default();
        assert!(!reins.wants_a_hold() && !reins.is_put_away());
        assert!(reins.wish(pause()) && reins.wish(pause()), "once more is no harm");
        reins.put_away();
        reins.until_put_away().await;
        reins.until_hold().await;
        assert!(!reins.wish(Wish::Go { by: "eve".into() }), "nobody is told that it goes on");
        assert_eq!(reins.wished(), pause());
        let going = Reins::default();
        assert!(going.wish(pause()) && going.wish(Wish::Go { by: "ada".into() }));
        going.put_away();
        going.until_hold().await;
        assert_eq!(going.wished(), Wish::Go { by: "ada".into() });
    }

    #[test]
    fn a_cancellation_is_taken_until_it_is_decided_what_becomes_of_the_run() {
        let reins = Reins::default();
        assert!(reins.note_cancel("ada") && reins.note_cancel("eve"));
        assert_eq!(reins.cancelled_in_the_end_by().as_deref(), Some("ada"));
        assert!(!reins.note_cancel("eve"));
        let over = Reins::default();
        assert_eq!(over.cancelled_in_the_end_by(), None);
        assert!(!over.note_cancel("eve"));
        assert_eq!(over.cancelled_by(), None);
    }
}
