// What the pages reported: events, verdict and facts per page, all bounded. Behind a lock that is
// never held across an await.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::parts::{DEFAULT_SEED, SiteState};
use crate::reply::ErrorReply;

/// The oldest events of a page give way.
const MOST_EVENTS: usize = 500;
const MOST_EVENT_BYTES: usize = 4 * 1024;
const MOST_FACTS: usize = 60;
const MOST_FACT_BYTES: usize = 16 * 1024;
const MOST_WHY_CHARACTERS: usize = 500;

/// What a page thinks of its own log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Verdict {
    ok: bool,
    /// One sentence: what was right, or the first thing that was not.
    why: String,
}

/// What a page posts. Only the events are new each time; verdict and facts are as of now.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Report {
    /// Which load of the page speaks; reports of an earlier load come too late.
    run: Option<u64>,
    /// Counts the reports of a load, so that the later one wins however they arrive.
    rev: Option<u64>,
    events: Vec<Map<String, Value>>,
    check: Option<Verdict>,
    facts: Map<String, Value>,
}

#[derive(Debug)]
pub(crate) struct LabState {
    data: Mutex<Data>,
    /// Never reset: a page that outlives a reset must not be taken for a newer one.
    runs: Mutex<u64>,
}

#[derive(Debug)]
struct Data {
    seed: u64,
    pages: BTreeMap<&'static str, PageLog>,
}

#[derive(Debug, Default)]
struct PageLog {
    run: u64,
    rev: u64,
    last_number: u64,
    loads: u64,
    dropped: u64,
    events: VecDeque<Map<String, Value>>,
    check: Option<Verdict>,
    facts: Map<String, Value>,
}

impl LabState {
    pub(crate) fn new(seed: u64) -> Self {
        Self { data: Mutex::new(Data { seed, pages: BTreeMap::new() }), runs: Mutex::new(0) }
    }

    /// A fresh load of a page: its log starts anew. Gives the number of the load.
    pub(crate) fn start_run(&self, page: &'static str) -> u64 {
        let run = {
            let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
            *runs += 1;
            *runs
        };
        let mut data = self.lock();
        let loads = data.pages.get(page).map_or(0, |log| log.loads) + 1;
        data.pages.insert(page, PageLog { run, loads, ..PageLog::default() });
        run
    }

    /// The number of the load that is under way, for a document that continues it.
    pub(crate) fn current_run(&self, page: &str) -> u64 {
        self.lock().pages.get(page).map_or(0, |log| log.run)
    }

    /// Takes a report; false when it came from a load that is over.
    pub(crate) fn record(&self, page: &'static str, report: Report) -> Result<bool, ErrorReply> {
        report.validate()?;
        let mut data = self.lock();
        let log = data.pages.entry(page).or_default();
        if report.run.is_some_and(|run| run < log.run) {
            return Ok(false);
        }
        log.run = report.run.unwrap_or(log.run);
        for event in report.events {
            log.push(event);
        }
        let is_latest = report.rev.is_none_or(|rev| rev > log.rev);
        if is_latest {
            log.rev = report.rev.unwrap_or(log.rev);
            log.check = report.check.or(log.check.take());
            for (name, value) in report.facts {
                log.set_fact(name, value);
            }
        }
        Ok(true)
    }

    /// Remembers something that only the server knows.
    pub(crate) fn set_fact(&self, page: &'static str, name: &str, value: Value) {
        self.lock().pages.entry(page).or_default().set_fact(name.to_owned(), value);
    }

    /// Counts something that only the server sees.
    pub(crate) fn count_fact(&self, page: &'static str, name: &str) {
        let mut data = self.lock();
        let log = data.pages.entry(page).or_default();
        let so_far = log.facts.get(name).and_then(Value::as_u64).unwrap_or(0);
        log.set_fact(name.to_owned(), json!(so_far + 1));
    }

    /// The log of one page in the form of the state.
    pub(crate) fn page(&self, page: &str) -> Value {
        self.lock().pages.get(page).map_or_else(|| PageLog::default().as_json(), PageLog::as_json)
    }

    fn lock(&self) -> MutexGuard<'_, Data> {
        self.data.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Report {
    fn validate(&self) -> Result<(), ErrorReply> {
        let too_long = |value: &Value, most: usize| value.to_string().len() > most;
        if self.events.iter().any(|event| too_long(&json!(event), MOST_EVENT_BYTES)) {
            let message = format!("An event is longer than {MOST_EVENT_BYTES} bytes.");
            return Err(ErrorReply::bad_request(message));
        }
        if self.facts.len() > MOST_FACTS || self.facts.values().any(|value| too_long(value, MOST_FACT_BYTES)) {
            let message = format!("There are more than {MOST_FACTS} facts, or one is above {MOST_FACT_BYTES} bytes.");
            return Err(ErrorReply::bad_request(message));
        }
        if self.check.as_ref().is_some_and(|check| check.why.chars().count() > MOST_WHY_CHARACTERS) {
            let message = format!("check.why is longer than {MOST_WHY_CHARACTERS} characters.");
            return Err(ErrorReply::bad_request(message));
        }
        Ok(())
    }
}

impl PageLog {
    /// An event that carries a number already seen was sent twice, as a page does when it ends.
    fn push(&mut self, event: Map<String, Value>) {
        if let Some(number) = event.get("n").and_then(Value::as_u64) {
            if number <= self.last_number {
                return;
            }
            self.last_number = number;
        }
        if self.events.len() == MOST_EVENTS {
            self.events.pop_front();
            self.dropped += 1;
        }
        self.events.push_back(event);
    }

    fn set_fact(&mut self, name: String, value: Value) {
        if self.facts.len() < MOST_FACTS || self.facts.contains_key(&name) {
            self.facts.insert(name, value);
        }
    }

    fn as_json(&self) -> Value {
        json!({
            "loads": self.loads,
            "events": self.events,
            "dropped": self.dropped,
            "check": self.check,
            "facts": self.facts,
        })
    }
}

impl SiteState for LabState {
    fn snapshot(&self) -> Value {
        let data = self.lock();
        let pages: Map<String, Value> =
            data.pages.iter().map(|(name, log)| ((*name).to_owned(), log.as_json())).collect();
        json!({ "seed": data.seed, "pages": pages })
    }

    /// There is nothing random here; the seed is only remembered.
    fn reset(&self, seed: u64) {
        let mut data = self.lock();
        data.seed = seed;
        data.pages.clear();
    }
}

impl Default for LabState {
    fn default() -> Self {
        Self::new(DEFAULT_SEED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(value: Value) -> Report {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn events_are_kept_once_and_the_latest_five_hundred() {
        let state = LabState::default();
        let run = state.start_run("a");
        for number in 1..=MOST_EVENTS + 3 {
            state.record("a", report(json!({"run": run, "events": [{"n": number}]}))).unwrap();
        }
        state.record("a", report(json!({"run": run, "events": [{"n": 3}, {"n": MOST_EVENTS + 3}]}))).unwrap();
        let log = state.page("a");
        assert_eq!(log["events"].as_array().unwrap().len(), MOST_EVENTS);
        assert_eq!((&log["events"][0]["n"], &log["dropped"]), (&json!(4), &json!(3)));
    }

    #[test]
    fn a_late_report_changes_nothing() {
        let state = LabState::default();
        let old = state.start_run("a");
        let new = state.start_run("a");
        assert!(!state.record("a", report(json!({"run": old, "events": [{"n": 1}]}))).unwrap());
        let verdict = |ok: bool, rev: u64| report(json!({"run": new, "rev": rev, "check": {"ok": ok, "why": "w"}}));
        assert!(state.record("a", verdict(true, 5)).unwrap());
        assert!(state.record("a", verdict(false, 4)).unwrap());
        let log = state.page("a");
        assert_eq!((&log["check"]["ok"], &log["events"], &log["loads"]), (&json!(true), &json!([]), &json!(2)));
    }

    #[test]
    fn facts_are_bounded() {
        let state = LabState::default();
        for number in 0..MOST_FACTS + 5 {
            state.set_fact("a", &format!("f{number}"), json!(number));
        }
        state.count_fact("a", "f0");
        let log = state.page("a");
        assert_eq!(log["facts"].as_object().unwrap().len(), MOST_FACTS);
        assert_eq!(log["facts"]["f0"], 1);
    }
}
