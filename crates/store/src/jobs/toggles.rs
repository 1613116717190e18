//! Settings that were changed on the running instance: they hold for runs that start later, and after a restart.

use sqlx::Row as _;

use super::{JobStore, trouble};
use crate::error::StoreError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToggleRow {
    pub name: String,
    pub value: String,
    pub changed_by: String,
    pub changed_at: String,
}

impl JobStore {
    pub async fn toggles(&self) -> Result<Vec<ToggleRow>, StoreError> {
        let rows = sqlx::query("SELECT * FROM toggles ORDER BY name").fetch_all(&self.pool).await.map_err(trouble)?;
        let read = |row: &sqlx::sqlite::SqliteRow| {
            Ok(ToggleRow {
                name: row.try_get("name")?,
                value: row.try_get("value")?,
                changed_by: row.try_get("changed_by")?,
                changed_at: row.try_get("changed_at")?,
            })
        };
        rows.iter().map(read).collect::<Result<_, sqlx::Error>>().map_err(trouble)
    }

    /// All of them or none.
    pub async fn set_toggles(&self, changes: &[(String, String)], by: &str, at: &str) -> Result<(), StoreError> {
        let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await.map_err(trouble)?;
        for (name, value) in changes {
            sqlx::query(
                "INSERT INTO toggles (name, value, changed_by, changed_at) VALUES (?1, ?2, ?3, ?4) \
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed_by = excluded.changed_by, \
                 changed_at = excluded.changed_at",
            )
            .bind(name)
            .bind(value)
            .bind(by)
            .bind(at)
            .execute(&mut *transaction)
            .await
            .map_err(trouble)?;
        }
        transaction.commit().await.map_err(trouble)
    }
}
