//! The end of a run is judged by others than its brain: a last look, the contract's questions put to the environment,
//! to files, servers and databases, and the visual judge. What the brain did or said on the way reaches none of them.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use serde_json::Value;
use surehand_checks::before::allowlist::Allowlist;
use surehand_checks::picture;
use surehand_env::browser::Secrets;
use surehand_env::{Environment, Matching, Receipt, Redirects, ServerQuestion, SettleKind, Tables, ask_server};
use surehand_referee::probes::{
    DomAnswer, DomElement, DomQuery, FileAnswer, FileQuery, HttpAnswer, HttpRequest, NotProbed, PageFacts, Probed,
    SqlAnswer, SqlQuery, TableAnswer, TableFound, TableQuery,
};
use surehand_referee::{
    Accept, Baseline, Case, Contract, Evidence, Folders, JudgeSettings, Judging, PROBE_DEADLINE, Probes, Ruling, Shot,
    rule, write_rubric,
};
use surehand_types::event::{Event, NoteLevel};
use surehand_types::referee::RefereeRecord;
use surehand_types::result::{FinalVerdict, SelfReport};
use surehand_types::vision::VisionModel;
use surehand_types::{Observation, Termination, Verdict};
use tokio::sync::Mutex;

use crate::run::{Ending, Run};

/// Who judges a run, and by what.
pub struct Referee {
    pub contract: Option<Contract>,
    /// Where its checks may look for files.
    pub folders: Folders,
    pub judge: Option<Box<dyn VisionModel>>,
    pub judge_settings: JudgeSettings,
    pub accept: Accept,
    pub database: Option<Arc<dyn Database>>,
    /// What headers of `http` checks may name.
    pub secrets: Arc<Secrets>,
    /// Whom `http` checks may ask; anybody where there is no list.
    pub reach: Option<Arc<Allowlist>>,
}

/// Reads databases for contracts; whoever knows SQL implements it.
#[async_trait]
pub trait Database: Send + Sync {
    /// Rows as JSON, and whether there were more. The error is one sentence.
    async fn read(&self, file: &Path, sql: &str, deadline: Duration) -> Result<(Vec<Vec<Value>>, bool), String>;
}

impl std::fmt::Debug for Referee {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let judge = self.judge.as_ref().map(|judge| judge.name());
        f.debug_struct("Referee")
            .field("contract", &self.contract.as_ref().map(Contract::id))
            .field("judge", &judge)
            .finish()
    }
}

impl Referee {
    /// Written from the task alone, before the run can be known. `None` where nothing has to be written.
    pub(crate) async fn rubric(&self, task: &str) -> Option<Result<String, String>> {
        let judge = self.judge.as_deref()?;
        if self.contract.as_ref().is_some_and(|contract| contract.rubric().is_some()) {
            return None;
        }
        Some(write_rubric(judge, task, self.judge_settings.deadline).await)
    }
}

/// What was decided about a run.
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    pub(crate) record: Option<RefereeRecord>,
    pub(crate) cost: f64,
}

impl Judged {
    pub(crate) fn nobody(self_report: Option<SelfReport>) -> Judged {
        Judged { verdict: Verdict::unjudged(self_report), record: None, cost: 0.0 }
    }
}

impl Run {
    /// The verdict about how things are now. Never fails and never hangs: what cannot be found out is uncertain. `None`: the
    /// run is put away and there was no time for it, so that it is judged when it has gone on.
    pub(crate) async fn judge(&mut self, ending: &Ending) -> Option<Judged> {
        let self_report =
            ending.claim.as_ref().map(|claim| SelfReport { success: claim.success, summary: claim.summary.clone() });
        let Some(referee) = self.config.referee.clone() else { return Some(Judged::nobody(self_report)) };
        // A person who stops a run wants it to stop; one that waits to be continued has no outcome yet.
        if matches!(ending.reason, Termination::Cancelled | Termination::Paused) {
            return Some(Judged::nobody(self_report));
        }
        let message = "the outcome is being judged".to_string();
        let _ = self.trace.record(Event::Note { level: NoteLevel::Info, message });
        let asked = Asked {
            task: &self.config.task,
            start_url: self.config.start_url.as_deref(),
            started_at: self.config.started_at.parse::<jiff::Timestamp>().ok().map(SystemTime::from),
            output: ending.claim.as_ref().and_then(|claim| claim.output.clone()),
            rubric: self.rubric.as_deref(),
            self_report: self_report.clone(),
            baseline: self.baseline.clone(),
        };
        let (ruling, last) = tokio::select! {
            judged = judge_now(self.env.as_mut(), &referee, asked) => judged,
            () = self.cancel.cancelled() => {
                if self.told_to_end().reason == Termination::Paused {
                    return None;
                }
                let verdict = Verdict {
                    r#final: FinalVerdict::Uncertain,
                    reasons: vec!["interrupted while the outcome was being judged".into()],
                    ..Verdict::unjudged(self_report)
                };
                return Some(Judged { verdict, record: None, cost: 0.0 });
            }
        };
        let frame = last.and_then(|observation| self.trace.frame(&observation).ok());
        let cost = ruling.record.judge.as_ref().map(|judge| judge.cost).unwrap_or_default();
        Some(Judged { verdict: ruling.verdict, record: Some(RefereeRecord { frame, ..ruling.record }), cost })
    }
}

/// What is judged, beside how things are.
#[derive(Debug, Clone, Default)]
pub struct Asked<'a> {
    pub task: &'a str,
    pub start_url: Option<&'a str>,
    pub started_at: Option<SystemTime>,
    /// The brain's structured answer.
    pub output: Option<Value>,
    /// Written before the run.
    pub rubric: Option<&'a str>,
    pub self_report: Option<SelfReport>,
    /// How things were before the run, where the contract compares.
    pub baseline: Option<Arc<Baseline>>,
}

/// How things are before a run, for a contract that will say what may have changed; `None` where it does not compare.
pub async fn baseline_now(
    env: &mut dyn Environment,
    referee: &Referee,
    start_url: Option<&str>,
) -> Option<Arc<Baseline>> {
    let contract = referee.contract.as_ref().filter(|contract| Baseline::is_wanted(contract))?;
    let evidence = Evidence { start_url: start_url.map(str::to_string), ..Evidence::default() };
    let probes = RunProbes::new(env, referee);
    Some(Arc::new(Baseline::take(contract, &evidence, &probes).await))
}

/// Judges how an environment is at this moment; also the look that was judged, where there was one.
pub async fn judge_now(
    env: &mut dyn Environment,
    referee: &Referee,
    asked: Asked<'_>,
) -> (Ruling, Option<Observation>) {
    let last = last_look(env).await;
    let evidence = Evidence {
        shot: last.as_ref().map(shot),
        start_url: asked.start_url.map(str::to_string),
        started_at: asked.started_at,
        baseline: asked.baseline,
        ..Evidence::default()
    };
    let probes = RunProbes {
        page: last.as_ref().map(|last| PageFacts { url: last.url.clone(), title: last.title.clone() }),
        output: asked.output,
        ..RunProbes::new(env, referee)
    };
    let case = Case {
        task: asked.task,
        contract: referee.contract.as_ref(),
        evidence: &evidence,
        probes: &probes,
        judge: referee.judge.as_deref().map(|model| Judging {
            model,
            settings: referee.judge_settings.clone(),
            rubric: asked.rubric.map(str::to_string),
        }),
        accept: referee.accept,
        self_report: asked.self_report,
    };
    let ruling = rule(case).await;
    (ruling, last)
}

/// How things are at the end, not how they were after the last call.
async fn last_look(env: &mut dyn Environment) -> Option<Observation> {
    if env.lost().is_some() {
        return None;
    }
    let look = Receipt { settle: SettleKind::LastLook, ..Receipt::default() };
    match tokio::time::timeout(PROBE_DEADLINE, env.settle(&look)).await {
        Ok(Ok(settled)) => Some(settled.observation),
        _ => None,
    }
}

/// What is shown to a judge and kept as evidence has its secrets covered.
fn shot(observation: &Observation) -> Shot {
    let mut shot = Shot::of(&observation.frame);
    if !observation.masks.is_empty() {
        let mut pixels = observation.frame.pixels.as_ref().clone();
        picture::fill_boxes(&mut pixels, observation.view, &observation.masks);
        shot.pixels = Arc::new(pixels);
    }
    shot
}

struct RunProbes<'a> {
    /// Asked one question at a time.
    env: Mutex<&'a mut dyn Environment>,
    page: Option<PageFacts>,
    folders: &'a Folders,
    output: Option<Value>,
    database: Option<&'a dyn Database>,
    secrets: &'a Secrets,
    reach: Option<&'a Allowlist>,
}

impl<'a> RunProbes<'a> {
    fn new(env: &'a mut dyn Environment, referee: &'a Referee) -> RunProbes<'a> {
        RunProbes {
            env: Mutex::new(env),
            page: None,
            folders: &referee.folders,
            output: None,
            database: referee.database.as_deref(),
            secrets: &referee.secrets,
            reach: referee.reach.as_deref(),
        }
    }

    /// `<local_storage:KEY>` in a header, as the page that is open keeps it.
    async fn with_kept(&self, text: &str, request: &HttpRequest) -> Probed<String> {
        const MARK: &str = "<local_storage:";
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(MARK) {
            let Some((key, after)) = after.split_once('>') else { break };
            let origin = request.url.origin().ascii_serialization();
            let kept = self.env.lock().await.kept(&origin, key).await;
            let kept = kept.ok_or_else(|| {
                NotProbed::Unavailable(format!("the open page keeps nothing called {key:?} for {origin}"))
            })?;
            filled.push_str(before);
            filled.push_str(&kept);
            rest = after;
        }
        Ok(filled + rest)
    }
}

#[async_trait]
impl Probes for RunProbes<'_> {
    async fn page(&self) -> Probed<PageFacts> {
        match &self.page {
            Some(page) if page.url.is_some() || page.title.is_some() => Ok(page.clone()),
            _ => Err(NotProbed::Unavailable("there is no page to ask".into())),
        }
    }

    async fn dom(&self, query: &DomQuery) -> Probed<DomAnswer> {
        match self.env.lock().await.matching(&query.selector).await {
            None => Err(NotProbed::Unavailable("there is no page to ask, or it does not answer".into())),
            Some(Matching { invalid: true, .. }) => {
                Err(NotProbed::Failed(format!("{:?} is no selector", query.selector)))
            }
            Some(matching) => Ok(elements(matching, query)),
        }
    }

    async fn table(&self, query: &TableQuery) -> Probed<TableAnswer> {
        match self.env.lock().await.tables(&query.selector).await {
            None => Err(NotProbed::Unavailable("there is no page to ask, or it does not answer".into())),
            Some(tables) if tables.invalid => Err(NotProbed::Failed(format!("{:?} is no selector", query.selector))),
            Some(tables) => Ok(rows_of(tables)),
        }
    }

    async fn http(&self, request: &HttpRequest) -> Probed<HttpAnswer> {
        let url = request.url.as_str();
        if let Some(Err(refusal)) = self.reach.map(|list| list.document(url)) {
            let words = format!("this run may not ask there: {}", refusal.reason);
            return Err(NotProbed::Unavailable(words));
        }
        // It would be asked for by another name than the one that was judged.
        if self.reach.is_some() && request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            return Err(NotProbed::Unavailable("this run may not name a host in a header".into()));
        }
        let cookies = if request.with_session {
            let cookies = self.env.lock().await.cookies_for(url).await;
            Some(
                cookies
                    .ok_or_else(|| NotProbed::Unavailable("there is no browser whose session could be used".into()))?,
            )
        } else {
            None
        };
        let mut headers = Vec::new();
        for (name, value) in &request.headers {
            let value = self.with_kept(value, request).await?;
            headers.push((name.clone(), self.secrets.filled(&value, &request.url).map_err(NotProbed::Unavailable)?));
        }
        ask(request, &headers, cookies.as_deref()).await
    }

    async fn files(&self, query: &FileQuery) -> Probed<FileAnswer> {
        let (folders, query) = (self.folders.clone(), query.clone());
        aside(move || folders.list(&query)).await
    }

    async fn read_file(&self, root: Option<&str>, path: &str) -> Probed<Vec<u8>> {
        let (folders, root, path) = (self.folders.clone(), root.map(str::to_string), path.to_string());
        aside(move || folders.read(root.as_deref(), &path)).await
    }

    async fn sqlite(&self, query: &SqlQuery) -> Probed<SqlAnswer> {
        ask_database(self.database, self.folders, query).await
    }

    async fn output(&self) -> Probed<Option<Value>> {
        Ok(self.output.clone())
    }
}

async fn ask(request: &HttpRequest, headers: &[(String, String)], cookies: Option<&str>) -> Probed<HttpAnswer> {
    let redirects = if request.keep_redirect { Redirects::Kept } else { Redirects::SameOrigin };
    let question = ServerQuestion { url: &request.url, headers, cookies, redirects };
    let answer = ask_server(question, PROBE_DEADLINE).await.map_err(NotProbed::Failed)?;
    Ok(HttpAnswer { status: answer.status, body: answer.body, cut: answer.cut, led_to: answer.led_to })
}

fn rows_of(tables: Tables) -> TableAnswer {
    let incomplete = match (tables.complete, tables.count as usize > tables.found.len()) {
        (false, _) => Some("a frame of the page did not answer".to_string()),
        (true, true) => Some(format!("{} tables match, and not all were read", tables.count)),
        (true, false) => None,
    };
    let found = tables.found.into_iter().map(|table| TableFound {
        headings: table.headings,
        rows: table.rows,
        visible: table.visible,
        total: table.total,
        cut: table.cut,
    });
    TableAnswer { tables: found.collect(), incomplete }
}

fn elements(matching: Matching, query: &DomQuery) -> DomAnswer {
    let cut = matching.count as usize > matching.found.len();
    let incomplete = match (matching.complete, cut) {
        (false, _) => Some("a frame of the page did not answer".to_string()),
        (true, true) => Some(format!("{} elements match, and not all were read", matching.count)),
        (true, false) => None,
    };
    let elements = matching
        .found
        .into_iter()
        .map(|found| DomElement {
            attribute: query.attribute.as_ref().and_then(|name| found.attributes.get(name).cloned()),
            text: found.text,
            visible: found.visible,
            value: found.value,
            checked: found.checked,
        })
        .collect();
    DomAnswer { elements, incomplete }
}

async fn ask_database(database: Option<&dyn Database>, folders: &Folders, query: &SqlQuery) -> Probed<SqlAnswer> {
    let database = database.ok_or_else(|| NotProbed::Unavailable("no database can be asked here".into()))?;
    let file = folders.resolve(query.root.as_deref(), &query.db)?;
    let (rows, cut) = database.read(&file, &query.sql, PROBE_DEADLINE).await.map_err(NotProbed::Failed)?;
    Ok(SqlAnswer { rows, cut })
}

/// File systems may take their time.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> Probed<T> + Send + 'static) -> Probed<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(answer) => answer,
        Err(error) => Err(NotProbed::Failed(format!("the files could not be looked at: {error}"))),
    }
}

/// What can still be asked when a run is long over: files, servers and databases, but no page.
pub struct LaterProbes {
    pub folders: Folders,
    pub page: Option<PageFacts>,
    pub output: Option<Option<Value>>,
    pub database: Option<Arc<dyn Database>>,
    pub secrets: Arc<Secrets>,
}

impl std::fmt::Debug for LaterProbes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LaterProbes").field("page", &self.page).finish_non_exhaustive()
    }
}

#[async_trait]
impl Probes for LaterProbes {
    async fn page(&self) -> Probed<PageFacts> {
        self.page.clone().ok_or_else(|| NotProbed::Unavailable("there is only a picture, no page to ask".into()))
    }

    async fn http(&self, request: &HttpRequest) -> Probed<HttpAnswer> {
        if request.with_session {
            return Err(NotProbed::Unavailable("the browser whose session is meant is gone".into()));
        }
        let headers = request.headers.iter().map(|(name, value)| {
            Ok((name.clone(), self.secrets.filled(value, &request.url).map_err(NotProbed::Unavailable)?))
        });
        ask(request, &headers.collect::<Probed<Vec<_>>>()?, None).await
    }

    async fn files(&self, query: &FileQuery) -> Probed<FileAnswer> {
        let (folders, query) = (self.folders.clone(), query.clone());
        aside(move || folders.list(&query)).await
    }

    async fn read_file(&self, root: Option<&str>, path: &str) -> Probed<Vec<u8>> {
        let (folders, root, path) = (self.folders.clone(), root.map(str::to_string), path.to_string());
        aside(move || folders.read(root.as_deref(), &path)).await
    }

    async fn sqlite(&self, query: &SqlQuery) -> Probed<SqlAnswer> {
        ask_database(self.database.as_deref(), &self.folders, query).await
    }

    async fn output(&self) -> Probed<Option<Value>> {
        self.output.clone().ok_or_else(|| NotProbed::Unavailable("there is no run whose output could be read".into()))
    }
}
