//! Which lessons may match a question. The full-text table names the latest rows that have something in common with it,
//! a bounded number of them; what they are filed under says how well each fits, and only the bodies of the few best
//! are read. So a question costs the same among a thousand lessons and among a hundred thousand. Two ways were tried and
//! left: bm25 counts every row of every term first, and one search per term cost a search per term.

use std::collections::HashMap;

use sqlx::{QueryBuilder, Row as _, Sqlite};
use surehand_memory::{Lesson, Query};

use super::terms::{self, Asked, Kind, TRUSTED};
use super::{LessonStore, read};
use crate::error::StoreError;

/// Rows whose fit is estimated, the latest first: of the own origin, which holds no more than memory's cap, and of all
/// others.
const OWN_ROWS: i64 = 600;
const OTHER_ROWS: i64 = 300;
/// Words of a task that a lesson from elsewhere has to share.
const COMMON_WORDS: usize = 6;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    Own,
    Elsewhere,
}

impl LessonStore {
    /// Active lessons that may match, best first by estimate, at most `limit` of the own origin and as many of others.
    pub async fn candidates(&self, query: &Query, limit: usize) -> Result<Vec<Lesson>, StoreError> {
        let asked = terms::of_query(query);
        let mut found = Vec::new();
        for lane in [Lane::Own, Lane::Elsewhere] {
            if let Some(search) = search(query, &asked, lane) {
                found.extend(self.lane(query, &asked, lane, search, limit).await?);
            }
        }
        Ok(found)
    }

    async fn lane(
        &self,
        query: &Query,
        asked: &[Asked],
        lane: Lane,
        search: String,
        limit: usize,
    ) -> Result<Vec<Lesson>, StoreError> {
        let (task, rows) = match lane {
            Lane::Own => (query.task.as_str(), OWN_ROWS),
            Lane::Elsewhere => ("", OTHER_ROWS),
        };
        // One answer in place of hundreds: handing rows over one by one cost more than finding them.
        let filed: Option<String> = sqlx::query_scalar(
            "SELECT group_concat(number || ' ' || terms, char(10)) FROM (SELECT rowid AS lesson FROM lesson_terms \
             WHERE lesson_terms MATCH ?1 ORDER BY rowid DESC LIMIT ?2) JOIN lessons ON number = lesson \
             WHERE ?3 = '' OR task = '' OR task = ?3",
        )
        .bind(search)
        .bind(rows)
        .bind(task)
        .fetch_one(&self.pool)
        .await
        .map_err(self.trouble())?;
        let weights: HashMap<&str, f64> = asked.iter().map(|asked| (asked.term.as_str(), asked.weight)).collect();
        let fit = |line: &str| {
            let (number, terms) = line.split_once(' ')?;
            let fit: f64 = terms.split(' ').filter_map(|term| weights.get(term)).sum();
            Some((fit, number.parse().ok()?))
        };
        let mut fits: Vec<(f64, i64)> = filed.as_deref().unwrap_or_default().lines().filter_map(fit).collect();
        // Equal fits: the later one, which is more likely to hold still.
        fits.sort_by(|left, right| right.0.total_cmp(&left.0).then(right.1.cmp(&left.1)));
        fits.truncate(limit);
        self.bodies(&fits).await
    }

    async fn bodies(&self, fits: &[(f64, i64)]) -> Result<Vec<Lesson>, StoreError> {
        if fits.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql: QueryBuilder<Sqlite> = QueryBuilder::new("SELECT body FROM lessons WHERE number IN (");
        let mut numbers = sql.separated(", ");
        for (_, number) in fits {
            numbers.push_bind(*number);
        }
        // Equals stay in this order when they are ranked.
        sql.push(") ORDER BY number DESC");
        let rows = sql.build().fetch_all(&self.pool).await.map_err(self.trouble())?;
        Ok(rows.iter().filter_map(|row| read(row.try_get::<&str, _>(0).ok()?)).collect())
    }
}

/// What the full-text table is asked; `None` where nothing can be found. All terms are plain letters.
fn search(query: &Query, asked: &[Asked], lane: Lane) -> Option<String> {
    let of = |kind: Kind| asked.iter().filter(move |asked| asked.kind == kind).map(|asked| asked.term.as_str());
    let any = |terms: Vec<&str>| (!terms.is_empty()).then(|| format!("({})", terms.join(" OR ")));
    let trusted = if query.trusted_only { format!(" AND {TRUSTED}") } else { String::new() };
    let own = terms::origin(&query.origin);
    match lane {
        Lane::Own if query.origin.is_empty() => None,
        Lane::Own => {
            let something = any(asked.iter().map(|asked| asked.term.as_str()).collect())?;
            Some(format!("{own}{trusted} AND {something}"))
        }
        Lane::Elsewhere if !query.elsewhere => None,
        // Memory asks more of these: after an error the same failure, at the start nearly the same task.
        Lane::Elsewhere => {
            let common: Vec<&str> = of(Kind::Word).take(COMMON_WORDS).collect();
            let needed = any(of(Kind::Fingerprint).collect())
                .or_else(|| (!common.is_empty()).then(|| format!("({})", common.join(" AND "))))?;
            let apart = if query.origin.is_empty() { String::new() } else { format!(" NOT {own}") };
            Some(format!("({needed}{trusted}){apart}"))
        }
    }
}
