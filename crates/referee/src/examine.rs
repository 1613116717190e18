//! Examines a contract: looks once, asks whoever has to be asked, and adds the findings up. Start reading at
//! `examine`.

mod look;
mod sum;

use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::Value;
use surehand_checks::picture;
use surehand_types::Pixels;
use surehand_types::referee::{Channel, CheckEvidence, ContractRecord};
use surehand_types::result::CheckVerdict;
use surehand_types::ui::PixelBox;
use surehand_types::{ViewBox, ViewSize};

use crate::baseline::Place;
use crate::checks::{answer, database, dom, file, grid, group, page, table, text, toggle};
use crate::contract::{Check, Contract, FileRule, Kind, Start};
use crate::evidence::Evidence;
use crate::finding::Finding;
use crate::probes::{
    DomQuery, FileQuery, HttpAnswer, HttpRequest, NotProbed, Probed, Probes, SqlQuery, TableQuery, within,
};
use crate::sight::{OwnSight, Sight};
use look::Seen;

/// What came of a contract.
#[derive(Debug, Clone)]
pub struct ContractReport {
    pub id: String,
    pub sha256: String,
    /// `None` for a contract without checks, which only brings a rubric.
    pub result: Option<CheckVerdict>,
    pub score: Option<f64>,
    pub reasons: Vec<String>,
    pub checks: Vec<CheckEvidence>,
    pub channels: Vec<Channel>,
    pub warnings: Vec<String>,
    pub grounds: Grounds,
    /// Parts of the picture for the checks that have a box. Whoever stores them names the file in `crop`.
    pub crops: Vec<Crop>,
}

/// What a pass would stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grounds {
    /// A required check that passed has its facts from somewhere else than the picture.
    AnotherChannel,
    /// Only pictures, and the contract says that they may decide.
    PixelsDeclared,
    PixelsOnly,
}

/// A part of the picture, as a PNG file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crop {
    /// Of the check.
    pub index: u32,
    pub png: Vec<u8>,
}

impl ContractReport {
    pub fn record(&self) -> ContractRecord {
        ContractRecord {
            id: self.id.clone(),
            sha256: self.sha256.clone(),
            result: self.result,
            score: self.score,
            reasons: self.reasons.clone(),
        }
    }
}

/// Examines every check. Looks at the picture itself, with the referee's own eyes.
pub async fn examine(contract: &Contract, evidence: &Evidence, probes: &dyn Probes) -> ContractReport {
    examine_with(Arc::new(OwnSight), contract, evidence, probes).await
}

pub(crate) async fn examine_with(
    sight: Arc<dyn Sight>,
    contract: &Contract,
    evidence: &Evidence,
    probes: &dyn Probes,
) -> ContractReport {
    let seen = Seen::look(sight, contract, evidence).await;
    let answers = ask_servers(contract, evidence, probes).await;
    let work = contract.checks.iter().enumerate().map(|(index, check)| {
        let (seen, answers) = (&seen, answers.as_slice());
        async move { (index, check, finding(check, index, seen, answers, evidence, probes).await) }
    });
    let mut checks = Vec::new();
    let mut crops = Vec::new();
    for (index, check, finding) in join_all(work).await {
        let index = index as u32;
        if let (Some(bbox), Some(shot)) = (finding.bbox, &evidence.shot)
            && let Some(png) = crop_of(&shot.pixels, bbox)
        {
            crops.push(Crop { index, png });
        }
        checks.push(evidence_of(index, check, finding));
    }
    sum::add_up(contract, checks, crops)
}

fn evidence_of(index: u32, check: &Check, finding: Finding) -> CheckEvidence {
    CheckEvidence {
        index,
        r#type: check.kind.name().into(),
        name: check.name.clone(),
        required: check.required,
        channel: check.kind.channel(),
        result: finding.result,
        expected: expected(&check.kind),
        observed: finding.observed,
        confidence: finding.confidence,
        bbox: finding.bbox,
        crop: None,
        reason: finding.reason,
    }
}

fn expected(kind: &Kind) -> Value {
    match kind {
        Kind::GridRow(rule) => grid::expected(rule),
        Kind::TextPresent(rule) | Kind::TextAbsent(rule) => text::expected(rule),
        Kind::Toggle(rule) => toggle::expected(rule),
        Kind::Dom(rule) => dom::expected(rule),
        Kind::Url(rule) | Kind::Title(rule) => page::expected(rule),
        Kind::Http(rule) => answer::expected_of_server(rule),
        Kind::File(rule) => file::expected(rule),
        Kind::Sqlite(rule) => database::expected(rule),
        Kind::Output(rule) => answer::expected_of_output(rule),
        Kind::Table(rule) => table::expected(rule),
        Kind::Group(rule) => {
            let inner =
                |check: &Check| serde_json::json!({"type": check.kind.name(), "expected": expected(&check.kind)});
            Value::Array(rule.checks.iter().map(inner).collect())
        }
    }
}

type ServerAnswer = (HttpRequest, Probed<HttpAnswer>);

/// Every request once: checks of the same address are about the same moment.
async fn ask_servers(contract: &Contract, evidence: &Evidence, probes: &dyn Probes) -> Vec<ServerAnswer> {
    let mut requests: Vec<HttpRequest> = Vec::new();
    for check in contract.all_checks() {
        if let Kind::Http(rule) = &check.kind
            && let Ok(request) = answer::request(rule, evidence.start_url.as_deref())
            && !requests.contains(&request)
        {
            requests.push(request);
        }
    }
    let deadline = evidence.probe_deadline;
    join_all(requests.into_iter().map(|request| async move {
        let answer = within(deadline, probes.http(&request)).await;
        (request, answer)
    }))
    .await
}

async fn finding(
    check: &Check,
    index: usize,
    seen: &Seen,
    answers: &[ServerAnswer],
    evidence: &Evidence,
    probes: &dyn Probes,
) -> Finding {
    let asked = match &check.kind {
        Kind::GridRow(rule) => return seen.structure(|state| grid::judge(rule, state, evidence.missing_row)),
        Kind::Toggle(rule) => return seen.structure(|state| toggle::judge(rule, state)),
        Kind::TextPresent(rule) => return seen.text(index, |t| text::present(rule, &t.reading, t.region, t.blank)),
        Kind::TextAbsent(rule) => return seen.text(index, |t| text::absent(rule, &t.reading, t.region, t.blank)),
        Kind::Group(rule) => {
            let members = rule.checks.iter().enumerate().map(|(at, inner)| async move {
                let asked = ask(&inner.kind, (index, Some(at)), answers, evidence, probes).await;
                asked.unwrap_or_else(|why| Finding::not_probed(&why))
            });
            return group::judge(rule, &join_all(members).await);
        }
        kind => ask(kind, (index, None), answers, evidence, probes).await,
    };
    asked.unwrap_or_else(|why| Finding::not_probed(&why))
}

async fn ask(
    kind: &Kind,
    place: Place,
    answers: &[ServerAnswer],
    evidence: &Evidence,
    probes: &dyn Probes,
) -> Probed<Finding> {
    let deadline = evidence.probe_deadline;
    let start = evidence.baseline.as_ref().and_then(|baseline| baseline.document(place));
    Ok(match kind {
        Kind::Url(rule) => page::judge(rule, within(deadline, probes.page()).await?.url.as_deref()),
        Kind::Title(rule) => page::judge(rule, within(deadline, probes.page()).await?.title.as_deref()),
        Kind::Dom(rule) => {
            let query = DomQuery { selector: rule.selector.clone(), attribute: rule.attribute.clone() };
            dom::judge(rule, &within(deadline, probes.dom(&query)).await?)
        }
        Kind::Http(rule) => {
            let request = answer::request(rule, evidence.start_url.as_deref()).map_err(NotProbed::Unavailable)?;
            let answered = answers.iter().find(|(asked, _)| *asked == request).map(|(_, answer)| answer);
            match answered {
                Some(Ok(answer)) => answer::judge_server(rule, answer, start.map_or(Start::NotKnown, Start::Known)),
                Some(Err(why)) => Finding::not_probed(why),
                None => Finding::unknown("not_available: nobody was asked", Value::Null),
            }
        }
        Kind::Sqlite(rule) => {
            let query = SqlQuery { root: rule.root.clone(), db: rule.db.clone(), sql: rule.sql.clone() };
            database::judge(rule, &within(deadline, probes.sqlite(&query)).await?, start)
        }
        Kind::Output(rule) => answer::judge_output(rule, within(deadline, probes.output()).await?.as_ref()),
        Kind::File(rule) => within(deadline, look_at_files(rule, place, evidence, probes)).await?,
        Kind::Table(rule) => {
            let query = TableQuery { selector: rule.selector.clone() };
            table::judge(rule, &within(deadline, probes.table(&query)).await?)
        }
        Kind::GridRow(_) | Kind::Toggle(_) | Kind::TextPresent(_) | Kind::TextAbsent(_) | Kind::Group(_) => {
            Finding::unknown("not_available: this is found out elsewhere", Value::Null)
        }
    })
}

async fn look_at_files(rule: &FileRule, place: Place, evidence: &Evidence, probes: &dyn Probes) -> Probed<Finding> {
    let query = FileQuery { root: rule.root.clone(), pattern: rule.pattern.clone() };
    let mut answer = probes.files(&query).await?;
    // Whoever answers may be generous; the pattern is what counts.
    answer.files.retain(|found| rule.glob.is_match(&found.path));
    let candidates = match file::candidates(rule, &answer, evidence.started_at) {
        Ok(candidates) => candidates,
        Err(why) => return Ok(Finding::unknown(why, Value::Null)),
    };
    let mut looked_at = Vec::new();
    for found in candidates.iter().take(file::MOST_OPENED) {
        if !file::wants_content(rule) {
            looked_at.push(file::judge_file(rule, found, None, Start::NotKnown));
            continue;
        }
        let content = probes.read_file(rule.root.as_deref(), &found.path).await;
        let content = content.as_deref().map_err(ToString::to_string);
        let start = evidence.baseline.as_ref().and_then(|baseline| baseline.file(place, &found.path));
        let start = start.map_or(Start::NotKnown, Start::Known);
        looked_at.push(file::judge_file(rule, found, Some(content), start));
    }
    let left_out = candidates.len().saturating_sub(file::MOST_OPENED);
    Ok(file::judge(rule, &answer, &looked_at, left_out))
}

/// With some room around, so that people see where it is.
fn crop_of(pixels: &Pixels, [x0, y0, x1, y1]: PixelBox) -> Option<Vec<u8>> {
    const ROOM: f64 = 8.0;
    let view = ViewSize { width: pixels.width, height: pixels.height };
    let bounds = ViewBox {
        x0: f64::from(x0) - ROOM,
        y0: f64::from(y0) - ROOM,
        x1: f64::from(x1) + ROOM,
        y1: f64::from(y1) + ROOM,
    };
    picture::encode_png(&picture::crop(pixels, view, bounds)?).ok()
}

#[cfg(test)]
mod tests;
