//! The data folder of Surehand and the index over it. Files are the truth (one event log per run,
//! frames by content hash); SQLite only answers questions faster and can always be rebuilt.

mod audit;
mod audit_line;
mod audit_verify;
mod data_dir;
mod error;
mod evals;
mod export;
mod export_views;
mod files;
mod import;
mod index;
mod jobs;
mod lessons;
mod process;
mod read_only;
mod rebuild;
mod references;
mod remove;
mod retention;
mod row;
mod sqlite;
mod store;
mod tail;

pub use audit::AuditLog;
pub use audit_verify::{AuditFault, AuditProblem, AuditReport, read_audit, verify_audit};
pub use data_dir::DataDir;
pub use error::StoreError;
pub use evals::{EvalHead, EvalRecord, NewEval};
pub use export_views::{Progress, TrainingFacts, TrainingImages};
pub use files::{FileEventLog, FolderFrames};
pub use import::Imported;
pub use jobs::{
    About, DueWebhook, Enqueued, Job, JobHead, JobKey, JobPage, JobPlace, JobState, JobStore, NewJob, NewWebhook,
    Requeued, RipeWebhook, Room, ToggleRow, Tried, WebhookRow, WebhookState,
};
pub use lessons::{LessonFilter, LessonPlace, LessonStore, LessonTotals, RunMark, Tidied, UtilityPoint};
pub use process::ProcessMark;
pub use read_only::{read_sqlite, syntax_problem};
pub use remove::RemoveReport;
pub use retention::{Retention, RetentionReport};
pub use row::{RunFilter, RunRow, RunSearch, RunState};
pub use store::{NewRun, Store};
pub use tail::EventTail;

/// A new run id: sorts by time of creation, lower-case, safe as a file name.
pub fn new_run_id() -> String {
    ulid::Ulid::generate().to_string().to_lowercase()
}
