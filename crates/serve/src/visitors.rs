//! Connections at which nothing is under way: those that have asked for nothing yet, those whose request is still on its
//! way, and those between two requests. When all places are taken, one of them makes room for the next: whoever opens
//! sockets keeps nobody else out. What is under way, which a stream of events is to its end, is never cut.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use hyper::body::{Frame, SizeHint};
use tokio_util::sync::CancellationToken;

use crate::seats::Place;

/// Put into an answer whose request was let in: with a token, where one is needed. It holds the caller's seat until
/// all of the answer was taken.
#[derive(Debug, Clone)]
pub(crate) struct LetIn(#[expect(dead_code, reason = "its end gives the seat back")] pub(crate) Arc<Place>);

/// In the order in which they have to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// Has asked for nothing.
    Silent,
    /// Has asked, and only for what anybody gets.
    Stranger,
    /// Is in the middle of a request.
    Sending,
    LetIn,
}

#[derive(Debug, Default)]
pub(crate) struct Visitors {
    resting: Mutex<Resting>,
}

#[derive(Debug, Default)]
struct Resting {
    next: u64,
    /// Among those of one standing, who rests for the longest time goes first.
    by_turn: BTreeMap<(Standing, u64), CancellationToken>,
}

/// One of them, until its connection is over.
#[derive(Debug)]
pub(crate) struct Visitor {
    all: Arc<Visitors>,
    dismissed: CancellationToken,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    standing: Standing,
    /// Where it rests.
    turn: Option<(Standing, u64)>,
}

impl Visitors {
    pub(crate) fn welcome(self: &Arc<Self>) -> Arc<Visitor> {
        let state = Mutex::new(State { standing: Standing::Silent, turn: None });
        let visitor = Visitor { all: Arc::clone(self), dismissed: CancellationToken::new(), state };
        visitor.rest();
        Arc::new(visitor)
    }

    /// Tells the one that has to go first to leave. Returns whether there was one.
    pub(crate) fn dismiss_one(&self) -> bool {
        let first = self.lock().by_turn.pop_first();
        first.map(|(_, dismissed)| dismissed.cancel()).is_some()
    }

    fn enter(&self, standing: Standing, dismissed: &CancellationToken) -> (Standing, u64) {
        let mut resting = self.lock();
        let turn = (standing, resting.next);
        resting.next += 1;
        resting.by_turn.insert(turn, dismissed.clone());
        turn
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Resting> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Visitor {
    /// Something is under way until this is dropped.
    pub(crate) fn asks(self: &Arc<Self>) -> UnderWay {
        let turn = {
            let mut state = self.state();
            state.standing = state.standing.max(Standing::Stranger);
            state.turn.take()
        };
        self.leave(turn);
        UnderWay { visitor: Arc::clone(self), let_in: None }
    }

    /// The rest of a request is on its way until this is dropped.
    pub(crate) fn sends(self: &Arc<Self>) -> Sending {
        Sending { turn: self.all.enter(Standing::Sending, &self.dismissed), visitor: Arc::clone(self) }
    }

    pub(crate) fn has_asked(&self) -> bool {
        self.state().standing != Standing::Silent
    }

    /// Nothing is under way.
    pub(crate) fn is_resting(&self) -> bool {
        self.state().turn.is_some()
    }

    /// Ends when it has to go.
    pub(crate) async fn dismissed(&self) {
        self.dismissed.cancelled().await;
    }

    fn rest(&self) {
        let mut state = self.state();
        state.turn = Some(self.all.enter(state.standing, &self.dismissed));
    }

    fn leave(&self, turn: Option<(Standing, u64)>) {
        if let Some(turn) = turn {
            self.all.lock().by_turn.remove(&turn);
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        let turn = self.state().turn.take();
        self.leave(turn);
    }
}

/// A request of a visitor, from its head to the end of its answer.
#[derive(Debug)]
pub(crate) struct UnderWay {
    visitor: Arc<Visitor>,
    let_in: Option<LetIn>,
}

impl UnderWay {
    pub(crate) fn note_let_in(&mut self, let_in: LetIn) {
        self.visitor.state().standing = Standing::LetIn;
        self.let_in = Some(let_in);
    }
}

/// The body of a request that is still coming.
#[derive(Debug)]
pub(crate) struct Sending {
    turn: (Standing, u64),
    visitor: Arc<Visitor>,
}

impl Sending {
    pub(crate) async fn dismissed(&self) {
        self.visitor.dismissed().await;
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.visitor.leave(Some(self.turn));
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.visitor.rest();
    }
}

/// The body of an answer, which is under way until all of it was taken.
#[derive(Debug)]
pub(crate) struct AnswerBody {
    pub(crate) body: Body,
    #[expect(dead_code, reason = "its end is the end of the answer")]
    pub(crate) under_way: UnderWay,
}

impl hyper::body::Body for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seats::Seats;

    #[test]
    fn who_has_asked_for_nothing_goes_first_and_who_was_let_in_last_and_what_is_under_way_stays() {
        let all: Arc<Visitors> = Arc::default();
        let [busy, let_in, first, second, silent] = [(); 5].map(|()| all.welcome());
        let under_way = busy.asks();
        let_in.asks().note_let_in(LetIn(Arc::new(Place::new(&Seats::new(1), "ada"))));
        drop(second.asks());
        drop(first.asks());
        drop(second.asks());
        let gone = || [&silent, &first, &second, &let_in, &busy].map(|visitor| visitor.dismissed.is_cancelled());
        for count in 1..=4 {
            assert!(all.dismiss_one());
            let expected: Vec<bool> = (0..5).map(|place| place < count).collect();
            assert_eq!(gone().to_vec(), expected);
        }
        assert!(!all.dismiss_one(), "nobody rests any more");
        drop(under_way);
        assert!(all.dismiss_one() && busy.dismissed.is_cancelled());
        drop(all.welcome());
        assert!(!all.dismiss_one(), "it has left by itself");
        let slow = all.welcome();
        let _under_way = slow.asks();
        drop(slow.sends());
        assert!(!all.dismiss_one(), "all of it has come");
        let _sending = slow.sends();
        assert!(!slow.is_resting() && all.dismiss_one() && slow.dismissed.is_cancelled());
    }
}
