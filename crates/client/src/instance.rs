//! The instance: its checks, its queue, its lessons.

use std::collections::BTreeMap;

use reqwest::Method;
use surehand_types::api::{
    Health, InstanceView, LessonDetail, LessonPage, LessonStats, LessonStatus, LessonWish, QueueState, Readiness,
    ToggleChange, ToggleList,
};

use crate::client::{Client, DEADLINE};
use crate::error::ClientError;

/// Which lessons a list shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LessonQuery {
    pub origin: Option<String>,
    pub status: Option<LessonStatus>,
    /// A text in the rule, the origin, the id or the task.
    pub text: Option<String>,
    pub limit: Option<u32>,
    /// `next` of the page before.
    pub after: Option<String>,
}

impl Client {
    pub async fn health(&self) -> Result<Health, ClientError> {
        self.get(self.address(&["healthz"])).await
    }

    /// Whether it takes runs: not while it stops. An error is no.
    pub async fn ready(&self) -> Result<Readiness, ClientError> {
        self.get(self.address(&["readyz"])).await
    }

    /// What it offers, and what whoever asks may do.
    pub async fn instance(&self) -> Result<InstanceView, ClientError> {
        self.get(self.address(&["v1", "instance"])).await
    }

    pub async fn queue(&self) -> Result<QueueState, ClientError> {
        self.get(self.address(&["v1", "queue"])).await
    }

    pub async fn toggles(&self) -> Result<ToggleList, ClientError> {
        self.get(self.address(&["v1", "toggles"])).await
    }

    /// All of them or none, for runs that start later.
    pub async fn change_toggles(&self, toggles: BTreeMap<String, String>) -> Result<ToggleList, ClientError> {
        let put = self.request(Method::PUT, self.address(&["v1", "toggles"])).timeout(DEADLINE);
        self.json(put.json(&ToggleChange { toggles })).await
    }

    pub async fn lessons(&self, query: &LessonQuery) -> Result<LessonPage, ClientError> {
        let mut url = self.address(&["v1", "lessons"]);
        {
            let mut pairs = url.query_pairs_mut();
            let status = query.status.map(|status| status.as_str().to_string());
            let limit = query.limit.map(|limit| limit.to_string());
            for (name, value) in [
                ("origin", &query.origin),
                ("status", &status),
                ("q", &query.text),
                ("limit", &limit),
                ("after", &query.after),
            ] {
                if let Some(value) = value {
                    pairs.append_pair(name, value);
                }
            }
        }
        self.get(url).await
    }

    pub async fn lesson(&self, id: &str) -> Result<LessonDetail, ClientError> {
        self.get(self.address(&["v1", "lessons", id])).await
    }

    pub async fn lesson_stats(&self) -> Result<LessonStats, ClientError> {
        self.get(self.address(&["v1", "lessons", "stats"])).await
    }

    pub async fn suppress_lesson(&self, id: &str, reason: Option<&str>) -> Result<LessonDetail, ClientError> {
        self.lesson_word(id, "suppress", reason).await
    }

    /// Takes a suppression back.
    pub async fn lift_lesson(&self, id: &str, reason: Option<&str>) -> Result<LessonDetail, ClientError> {
        self.lesson_word(id, "lift", reason).await
    }

    pub async fn promote_lesson(&self, id: &str, reason: Option<&str>) -> Result<LessonDetail, ClientError> {
        self.lesson_word(id, "promote", reason).await
    }

    async fn lesson_word(&self, id: &str, word: &str, reason: Option<&str>) -> Result<LessonDetail, ClientError> {
        self.post(&["v1", "lessons", id, word], &LessonWish { reason: reason.map(str::to_string) }).await
    }
}
