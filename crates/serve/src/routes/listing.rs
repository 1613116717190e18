//! The list of runs, page by page. Runs that have a trace are in the index; what waits, never began or could not be
//! started is in the queue alone and has its place among the others by time.

use std::collections::VecDeque;

use serde::Deserialize;
use surehand_store::{JobHead, JobPage, JobPlace, JobState, RunFilter, RunRow, RunSearch, RunState, StoreError};
use surehand_types::api::{RunPage, RunStatus, RunView};
use surehand_types::result::FinalVerdict;

use crate::access::Caller;
use crate::error::ApiError;
use crate::server::Server;
use crate::views::{in_list, of_job, of_row};

/// Runs of one page: by default, and at most.
const PAGE: usize = 50;
const LARGEST_PAGE: usize = 200;

/// States of jobs that the index may know nothing of.
const UNENDED: &[JobState] = &[
    JobState::Queued,
    JobState::Running,
    JobState::Paused,
    JobState::Failed,
    JobState::Cancelled,
    JobState::Interrupted,
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListQuery {
    #[serde(default)]
    limit: Option<usize>,
    /// Runs that started before this one.
    #[serde(default)]
    before: Option<String>,
    #[serde(default)]
    status: Option<Which>,
    #[serde(default)]
    verdict: Option<FinalVerdict>,
    /// Looked for in task, address, brain and id.
    #[serde(default)]
    q: Option<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Which {
    Queued,
    Running,
    Ended,
    Interrupted,
    Succeeded,
    /// Without success, or it could not be started.
    Failed,
    Cancelled,
    Paused,
    PutAway,
    Waiting,
    TakenOver,
}

pub(crate) async fn page(server: &Server, caller: &Caller, query: &ListQuery) -> Result<RunPage, ApiError> {
    let limit = query.limit.unwrap_or(PAGE);
    if limit == 0 || limit > LARGEST_PAGE {
        return Err(ApiError::invalid(format!("limit: it is from 1 to {LARGEST_PAGE}")));
    }
    let mut source = Source::new(server, caller, query, limit + 1);
    if let Some(run_id) = &query.before {
        source.start_behind(run_id).await?;
    }
    let mut runs = Vec::new();
    // One more than is wanted tells whether there is another page.
    while runs.len() <= limit {
        let Some(view) = source.next().await?.map(in_list) else { break };
        if query.is_meant(&view) {
            runs.push(view);
        }
    }
    let more = runs.len() > limit;
    runs.truncate(limit);
    let next = runs.last().map(|view| view.run_id.clone()).filter(|_| more);
    Ok(RunPage { runs, next })
}

impl ListQuery {
    fn text(&self) -> Option<String> {
        self.q.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_lowercase)
    }

    fn is_meant(&self, view: &RunView) -> bool {
        let places = [Some(&view.task), view.start_url.as_ref(), view.brain.as_ref(), Some(&view.run_id)];
        let contains = |text: &String| places.iter().flatten().any(|place| place.to_lowercase().contains(text));
        let verdict = self.verdict.and_then(name_of);
        self.status.is_none_or(|which| which.fits(view))
            && verdict.is_none_or(|verdict| view.verdict.as_ref() == Some(&verdict))
            && self.text().as_ref().is_none_or(contains)
    }
}

fn name_of(verdict: FinalVerdict) -> Option<String> {
    serde_json::to_value(verdict).ok()?.as_str().map(str::to_string)
}

/// Runs from both files, the newest first, read in pieces.
struct Source<'a> {
    server: &'a Server,
    /// Jobs in these states, of this owner.
    states: &'a [JobState],
    owner: Option<&'a str>,
    /// The queue knows all that are meant; the index is asked about single ones only.
    by_jobs: bool,
    search: RunSearch,
    piece: usize,
    jobs: VecDeque<(JobPlace, JobHead)>,
    rows: VecDeque<RunRow>,
    /// Where the next piece begins; nothing more where it is over.
    jobs_from: Next,
    rows_from: Next,
}

enum Next {
    Start,
    Behind(JobPlace),
    Over,
}

impl Next {
    fn before(&self) -> Option<&JobPlace> {
        match self {
            Next::Behind(place) => Some(place),
            Next::Start | Next::Over => None,
        }
    }
}

impl<'a> Source<'a> {
    fn new(server: &'a Server, caller: &'a Caller, query: &ListQuery, piece: usize) -> Source<'a> {
        // Everything that a caller may ask for came through the queue.
        let owner = caller.own_runs_only.then_some(caller.name.as_str());
        let of_queue = query.status.and_then(Which::job_states);
        let by_jobs = owner.is_some() || of_queue.is_some();
        let unended = query.status.map_or(UNENDED, Which::unended);
        let states = of_queue.unwrap_or(if by_jobs { &JobState::ALL } else { unended });
        // What has no row has no verdict.
        let without_jobs = !by_jobs && (query.verdict.is_some() || states.is_empty());
        Source {
            server,
            states,
            owner,
            by_jobs,
            search: RunSearch {
                filter: query.status.map_or(RunFilter::All, Which::filter),
                verdict: query.verdict.and_then(name_of),
                text: query.text(),
            },
            piece,
            jobs: VecDeque::new(),
            rows: VecDeque::new(),
            jobs_from: if without_jobs { Next::Over } else { Next::Start },
            rows_from: if by_jobs { Next::Over } else { Next::Start },
        }
    }

    async fn start_behind(&mut self, run_id: &str) -> Result<(), ApiError> {
        let row = self.server.store.row(run_id).await?.filter(|_| !self.by_jobs);
        let place = match row {
            Some(row) => Some((row.started_at, row.run_id)),
            None => self.server.jobs.place(run_id).await?,
        };
        // One of somebody else is as unknown as one that is not there.
        let is_seen = match self.owner {
            Some(owner) => self.server.jobs.head(run_id).await?.is_some_and(|job| job.owner == owner),
            None => true,
        };
        let place = place.filter(|_| is_seen).ok_or_else(|| ApiError::invalid("before: there is no such run"))?;
        for from in [&mut self.jobs_from, &mut self.rows_from] {
            if matches!(from, Next::Start) {
                *from = Next::Behind(place.clone());
            }
        }
        Ok(())
    }

    async fn next(&mut self) -> Result<Option<RunView>, StoreError> {
        loop {
            self.refill().await?;
            let newest_row = self.rows.front().map(|row| (&row.started_at, &row.run_id));
            let job_is_newer = self
                .jobs
                .front()
                .is_some_and(|((at, run_id), _)| newest_row.is_none_or(|row| (at, run_id) > (row.0, row.1)));
            if !job_is_newer {
                let Some(row) = self.rows.pop_front() else { return Ok(None) };
                return of_row(self.server, row).await.map(Some);
            }
            let Some((_, job)) = self.jobs.pop_front() else { return Ok(None) };
            match self.server.store.row(&job.run_id).await? {
                Some(row) if self.by_jobs => return of_row(self.server, row).await.map(Some),
                // It comes with the rows of the index.
                Some(_) => {}
                None => return of_job(self.server, job).await.map(Some),
            }
        }
    }

    async fn refill(&mut self) -> Result<(), StoreError> {
        if self.jobs.is_empty() && !matches!(self.jobs_from, Next::Over) {
            let page =
                JobPage { states: self.states, owner: self.owner, before: self.jobs_from.before(), limit: self.piece };
            self.jobs = self.server.jobs.page(page).await?.into();
            self.jobs_from = match self.jobs.back() {
                Some((place, _)) if self.jobs.len() == self.piece => Next::Behind(place.clone()),
                _ => Next::Over,
            };
        }
        if self.rows.is_empty() && !matches!(self.rows_from, Next::Over) {
            let before = self.rows_from.before().map(|(at, run_id)| (at.as_str(), run_id.as_str()));
            self.rows = self.server.store.page_before(self.piece, &self.search, before).await?.into();
            self.rows_from = match self.rows.back() {
                Some(row) if self.rows.len() == self.piece => {
                    Next::Behind((row.started_at.clone(), row.run_id.clone()))
                }
                _ => Next::Over,
            };
        }
        Ok(())
    }
}

impl Which {
    /// Where the queue alone can tell who is meant.
    fn job_states(self) -> Option<&'static [JobState]> {
        match self {
            Which::Queued => Some(&[JobState::Queued]),
            Which::Paused => Some(&[JobState::Paused, JobState::Running]),
            Which::PutAway => Some(&[JobState::Paused]),
            Which::Cancelled => Some(&[JobState::Cancelled]),
            Which::Waiting | Which::TakenOver => Some(&[JobState::Running]),
            Which::Running | Which::Ended | Which::Interrupted | Which::Succeeded | Which::Failed => None,
        }
    }

    /// Those in the queue that may be meant where the index knows nothing of them.
    fn unended(self) -> &'static [JobState] {
        match self {
            Which::Running => &[JobState::Running],
            Which::Interrupted => &[JobState::Interrupted],
            Which::Failed => &[JobState::Failed],
            Which::Ended | Which::Succeeded => &[],
            Which::Queued | Which::Paused | Which::PutAway | Which::Cancelled | Which::Waiting | Which::TakenOver => {
                UNENDED
            }
        }
    }

    /// What can be told by the index alone.
    fn filter(self) -> RunFilter {
        match self {
            Which::Running => RunFilter::State(RunState::Running),
            Which::Ended => RunFilter::State(RunState::Ended),
            Which::Interrupted => RunFilter::Unfinished,
            Which::Succeeded => RunFilter::Succeeded,
            Which::Failed => RunFilter::Failed,
            Which::Queued | Which::Paused | Which::PutAway | Which::Cancelled | Which::Waiting | Which::TakenOver => {
                RunFilter::All
            }
        }
    }

    /// By what the run's view says.
    fn fits(self, view: &RunView) -> bool {
        let status = view.status;
        match self {
            Which::Queued => status == RunStatus::Queued,
            Which::Running => {
                use RunStatus::{Paused, Running, TakenOver, Waiting};
                matches!(status, Running | Waiting | Paused | TakenOver)
            }
            Which::Waiting => status == RunStatus::Waiting,
            Which::TakenOver => status == RunStatus::TakenOver,
            Which::Paused => matches!(status, RunStatus::Paused | RunStatus::PutAway),
            Which::PutAway => status == RunStatus::PutAway,
            Which::Ended => status == RunStatus::Ended,
            Which::Interrupted => status == RunStatus::Interrupted,
            Which::Cancelled => status == RunStatus::Cancelled,
            Which::Succeeded => view.success == Some(true),
            Which::Failed => status == RunStatus::Failed || (status == RunStatus::Ended && view.success == Some(false)),
        }
    }
}
