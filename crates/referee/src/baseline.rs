//! How things were when a run began, for checks that say what may have changed since. Taken once, before anything is
//! done; what could not be read then leaves those checks unknown at the end.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use serde_json::Value;

use crate::checks::{answer, file};
use crate::contract::{Check, Contract, Kind, ValueRules};
use crate::evidence::Evidence;
use crate::probes::{FileQuery, NotProbed, Probed, Probes, SqlQuery, within};

/// By the place of the check: its index, and the index inside of a group.
pub(crate) type Place = (usize, Option<usize>);

/// How things were.
#[derive(Debug, Clone, Default)]
pub struct Baseline {
    were: BTreeMap<Place, Probed<Were>>,
}

#[derive(Debug, Clone)]
pub(crate) enum Were {
    Document(Value),
    /// By their path.
    Files(BTreeMap<String, Value>),
}

impl Baseline {
    /// Whether a contract compares with the start at all.
    pub fn is_wanted(contract: &Contract) -> bool {
        contract.all_checks().any(wants_start)
    }

    /// Asks for all that the contract will compare with.
    pub async fn take(contract: &Contract, evidence: &Evidence, probes: &dyn Probes) -> Baseline {
        let mut places = Vec::new();
        for (index, check) in contract.checks.iter().enumerate() {
            match &check.kind {
                Kind::Group(group) => {
                    places.extend(group.checks.iter().enumerate().map(|(at, inner)| ((index, Some(at)), inner)));
                }
                _ => places.push(((index, None), check)),
            }
        }
        let asked = places.into_iter().filter(|(_, check)| wants_start(check)).map(|(place, check)| async move {
            (place, within(evidence.probe_deadline, look(check, evidence, probes)).await)
        });
        Baseline { were: join_all(asked).await.into_iter().collect() }
    }

    /// What could not be read, one sentence each.
    pub fn troubles(&self) -> Vec<String> {
        let sentence = |(place, were): (&Place, &Probed<Were>)| {
            let why = were.as_ref().err()?;
            let inner = place.1.map(|at| format!(".checks[{at}]")).unwrap_or_default();
            Some(format!("checks[{}]{inner}: how it is at the start could not be found out: {why}", place.0))
        };
        self.were.iter().filter_map(sentence).collect()
    }

    pub(crate) fn document(&self, place: Place) -> Option<&Value> {
        match self.were.get(&place) {
            Some(Ok(Were::Document(document))) => Some(document),
            _ => None,
        }
    }

    pub(crate) fn file(&self, place: Place, path: &str) -> Option<&Value> {
        match self.were.get(&place) {
            Some(Ok(Were::Files(files))) => files.get(path),
            _ => None,
        }
    }
}

fn wants_start(check: &Check) -> bool {
    let value = match &check.kind {
        Kind::Sqlite(rule) => return rule.since_start.is_some(),
        Kind::Http(rule) => &rule.value,
        Kind::File(rule) => &rule.value,
        _ => return false,
    };
    value.as_ref().is_some_and(ValueRules::wants_start)
}

async fn look(check: &Check, evidence: &Evidence, probes: &dyn Probes) -> Probed<Were> {
    match &check.kind {
        Kind::Sqlite(rule) => {
            let query = SqlQuery { root: rule.root.clone(), db: rule.db.clone(), sql: rule.sql.clone() };
            let answer = probes.sqlite(&query).await?;
            if answer.cut {
                return Err(NotProbed::Failed("there are too many rows".into()));
            }
            Ok(Were::Document(Value::Array(answer.rows.into_iter().map(Value::Array).collect())))
        }
        Kind::Http(rule) => {
            let request = answer::request(rule, evidence.start_url.as_deref()).map_err(NotProbed::Unavailable)?;
            let answer = probes.http(&request).await?;
            answer::document(rule, &answer).map(Were::Document).map_err(NotProbed::Failed)
        }
        Kind::File(rule) => {
            let query = FileQuery { root: rule.root.clone(), pattern: rule.pattern.clone() };
            let listed = probes.files(&query).await?;
            let mut files = BTreeMap::new();
            for found in listed.files.iter().take(file::MOST_OPENED) {
                let content = probes.read_file(rule.root.as_deref(), &found.path).await?;
                if let Ok(document) = file::document(rule, &content) {
                    files.insert(found.path.clone(), document);
                }
            }
            Ok(Were::Files(files))
        }
        _ => Err(NotProbed::Unavailable("nothing of this kind is compared with the start".into())),
    }
}
