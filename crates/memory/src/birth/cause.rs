//! What made the difference between an action that failed and the same one that worked later on. That something was the
//! last thing before the success says nothing: people and brains that have cleared the way fill in a form first. So it is
//! told where the facts leave one answer, and only there.

use crate::facts::{ActionClass, Attempt, Came, Spot};
use crate::phrase::deed;

/// What no more than this came of has left everything where it was.
const TAKES_NOTHING_AWAY: &[&str] = &["focus", "value", "selection", "caret", "flashed", "title", "history"];
/// On the way to something else, as a click into a field is to typing.
const BY_THE_WAY: &[&str] = &["focus", "selection", "caret", "scroll"];
/// How the probe says that something is not there any more, or is there now.
const WENT: &str = "something went";
const CAME: &str = "something appeared";

/// Of what came in between; `None` where the facts do not tell.
pub(super) fn cause<'a>(failed: &Attempt, between: &'a [Attempt]) -> Option<&'a Attempt> {
    match failed.cover() {
        Some(cover) => uncovering(failed, cover, between),
        None => only(&weighty(between.iter().filter(|attempt| may_matter(attempt)).collect())),
    }
}

/// Something verifiably changed in between that may have made the difference just as well as the other way that worked
/// after it.
pub(super) fn is_open(failed: &Attempt, between: &[Attempt]) -> bool {
    let changes = between.iter().filter(|attempt| attempt.has_worked());
    match failed.cover() {
        Some(_) => changes.into_iter().any(may_uncover),
        None => changes.into_iter().any(|attempt| !is_by_the_way(attempt)),
    }
}

/// What took away what lay over the thing: after the last sign that it still lay there, before the first that it did not.
fn uncovering<'a>(failed: &Attempt, cover: &Spot, between: &'a [Attempt]) -> Option<&'a Attempt> {
    let still_there = |attempt: &Attempt| {
        let spot = attempt.spot.as_ref();
        spot.is_some_and(|spot| cover.is_same(spot) || (may_uncover(attempt) && cover.holds(spot)))
    };
    let covered: Vec<String> = std::iter::once(failed)
        .chain(between.iter().filter(|attempt| attempt.cover().is_some_and(|other| cover.is_same(other))))
        .map(Attempt::at)
        .filter(|at| !at.is_empty())
        .collect();
    let reached =
        |attempt: &Attempt| attempt.spot.as_ref().is_some_and(|spot| !spot.covers) && covered.contains(&attempt.at());
    // What was done to it or in it may be what took it away, so that comes along.
    let from = between.iter().rposition(still_there).unwrap_or(0);
    let length = between[from..].iter().position(reached).unwrap_or(between.len() - from);
    let possible: Vec<&Attempt> = between[from..from + length].iter().filter(|attempt| may_uncover(attempt)).collect();
    let taking: Vec<&Attempt> = possible.iter().copied().filter(|attempt| took_away(attempt, cover)).collect();
    let is_proven = |attempt: &&Attempt| {
        attempt.spot.as_ref().is_some_and(|spot| cover.holds(spot)) || possible.iter().all(|other| other.has_worked())
    };
    only(&possible).or_else(|| only(&taking).filter(is_proven))
}

/// Waiting may, what verifiably came to something, and a deed of which nobody knows what came.
fn may_matter(attempt: &Attempt) -> bool {
    let is_unknown = attempt.made && attempt.came == Came::Open && attempt.class.is_deed();
    attempt.class == ActionClass::Wait || attempt.has_worked() || is_unknown
}

fn may_uncover(attempt: &Attempt) -> bool {
    may_matter(attempt) && !attempt.only_shows(TAKES_NOTHING_AWAY)
}

fn took_away(attempt: &Attempt, cover: &Spot) -> bool {
    let tells = |detail: &str| detail.starts_with(WENT) || (!detail.starts_with(CAME) && cover.is_named_in(detail));
    attempt.has_worked() && attempt.evidence.iter().any(|fact| tells(&fact.detail))
}

/// What is done by the way counts where there is nothing else.
fn weighty(attempts: Vec<&Attempt>) -> Vec<&Attempt> {
    let weighty: Vec<&Attempt> = attempts.iter().copied().filter(|attempt| !is_by_the_way(attempt)).collect();
    if weighty.is_empty() { attempts } else { weighty }
}

fn is_by_the_way(attempt: &Attempt) -> bool {
    attempt.class == ActionClass::Scroll || attempt.only_shows(BY_THE_WAY)
}

/// The one deed that all of these are. What was not seen to work is no answer; waiting has nothing to show.
fn only<'a>(attempts: &[&'a Attempt]) -> Option<&'a Attempt> {
    let (first, others) = attempts.split_first()?;
    let is_one = others.iter().all(|other| deed(other) == deed(first));
    let seen = attempts.iter().find(|attempt| attempt.has_worked() || attempt.class == ActionClass::Wait)?;
    is_one.then_some(*seen)
}
