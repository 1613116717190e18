//! What every call of a run has to pass: the policy from its file, whom to ask, and the audit log that keeps
//! what was decided. The same for every door.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::json;
use surehand_checks::before::policy::{BUILTIN, FILE_CAP, KnownOrigins, Policy, PolicyProblem};
use surehand_checks::picture;
use surehand_run::{Approver, ConfirmMode, Decided, Nobody, Permits, Witness};
use surehand_store::{AuditLog, DataDir, FolderFrames, StoreError};
use surehand_trace::{FrameSink, content_hash};
use surehand_types::event::Confirmation;
use surehand_types::result::AuditAnchor;
use surehand_types::settings::Source;
use surehand_types::{Encoding, Observation, Redactor, Settings};

use crate::error::ConductError;

/// The rules, and whose word counts beside them.
pub struct Consent {
    policy: Policy,
    /// Hash of the policy's text, so that the log says which one held.
    policy_hash: String,
    pub mode: ConfirmMode,
    approver: Box<dyn Approver>,
    served_for: Option<String>,
}

/// Which run it is for.
#[derive(Debug, Clone, Copy)]
pub struct Desk<'a> {
    /// `run` or `tools`; of a run that a server was asked for the log says `serve`.
    pub door: &'a str,
    pub run_id: &'a str,
    pub task: &'a str,
    pub start_url: Option<&'a str>,
    pub settings: &'a Settings,
    pub data: &'a DataDir,
    pub redactor: &'a Redactor,
    /// Addresses that are known beside the start page.
    pub addresses: &'a [String],
}

impl std::fmt::Debug for Consent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Consent").field("mode", &self.mode).field("policy", &self.policy_hash).finish_non_exhaustive()
    }
}

impl Consent {
    /// With the policy file that the settings name.
    pub fn new(settings: &Settings, mode: ConfirmMode, approver: Box<dyn Approver>) -> Result<Consent, ConductError> {
        let (policy, policy_hash) = match settings.optional_text("policy") {
            None => (Policy::builtin(), content_hash(BUILTIN.as_bytes())),
            Some(file) => {
                let text = policy_text(Path::new(file))?;
                let policy = Policy::of(&text).map_err(|problems| wrong(file, &problems))?;
                (policy, content_hash(text.as_bytes()))
            }
        };
        Ok(Consent { policy, policy_hash, mode, approver, served_for: None })
    }

    /// For a run that somebody asked a server for: the log says so, and who.
    pub fn served_for(self, owner: &str) -> Consent {
        Consent { served_for: Some(owner.to_string()), ..self }
    }

    /// For runs that a program conducts: nobody is asked, what is denied stays denied.
    pub fn scripted(settings: &Settings) -> Result<Consent, ConductError> {
        Consent::new(settings, ConfirmMode::None, Box::new(Nobody))
    }

    /// Opens the audit log, notes the start and every setting that was changed, and stands guard from then on.
    pub fn permits(self, desk: Desk<'_>) -> Result<Permits, StoreError> {
        let mut log = AuditLog::open(desk.data, desk.run_id, desk.redactor.clone())?;
        let mut start = json!({
            "door": desk.door, "task": desk.task, "url": desk.start_url, "confirm": self.mode.as_str(),
            "policy": desk.settings.optional_text("policy"), "policy_sha256": self.policy_hash,
        });
        if let Some(owner) = &self.served_for {
            (start["door"], start["owner"]) = (json!("serve"), json!(owner));
        }
        log.append("run_start", start)?;
        for (name, value) in desk.settings.changed() {
            let source = source_name(desk.settings.source(&name));
            log.append("setting", json!({"name": name, "value": value, "source": source}))?;
        }
        let entries = desk.settings.text("allow").split([',', ' ', '\n', '\t']).map(str::trim).map(str::to_string);
        let allowed: Vec<String> = entries.filter(|entry| !entry.is_empty()).collect();
        let known = KnownOrigins::new(desk.start_url, &allowed).and(desk.addresses);
        // Only runs have a folder of their own.
        let own = (desk.door == "run").then(|| desk.data.asked(desk.run_id));
        let frames = match own {
            Some(_) => FolderFrames::asked(desk.data, desk.run_id),
            None => FolderFrames::new(desk.data),
        };
        let book = Book { log, frames, own, redactor: desk.redactor.clone() };
        Ok(Permits::new(self.policy, self.mode, known, self.approver, Box::new(book)))
    }
}

/// The text of a policy file, as far as it can be one.
pub fn policy_text(file: &Path) -> Result<String, ConductError> {
    let shown = file.display();
    let cannot = |why: String| {
        ConductError::with_hint(
            format!("the policy file {shown} cannot be used: {why}"),
            "`surehand policy show` prints one to start from",
        )
    };
    let mut text = String::new();
    let opened = std::fs::File::open(file).map_err(|error| cannot(error.to_string()))?;
    // One byte more tells that there is more, also of what has no length: a pipe, a device.
    opened.take(FILE_CAP as u64 + 1).read_to_string(&mut text).map_err(|error| cannot(error.to_string()))?;
    if text.len() > FILE_CAP {
        return Err(cannot(format!("it is larger than {FILE_CAP} bytes")));
    }
    Ok(text)
}

fn wrong(file: &str, problems: &[PolicyProblem]) -> ConductError {
    let first = problems.first().map(ToString::to_string).unwrap_or_default();
    let more = match problems.len() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    ConductError::with_hint(
        format!("the policy file {file} cannot be used: {first}{more}"),
        format!("surehand policy check {file} names everything that is wrong"),
    )
}

fn source_name(source: Source) -> &'static str {
    match source {
        Source::Default => "default",
        Source::Profile => "profile",
        Source::UserFile => "user file",
        Source::ProjectFile => "project file",
        Source::Environment => "environment",
        Source::Flag => "flag",
    }
}

/// The witness of a run: its decisions go to the audit log, pictures for people to the frames.
struct Book {
    log: AuditLog,
    frames: FolderFrames,
    /// The folder of these pictures, where it is the run's own.
    own: Option<PathBuf>,
    redactor: Redactor,
}

impl Witness for Book {
    fn decided(&mut self, decided: &Decided<'_>) -> Result<(), String> {
        let fields = json!({
            "step": decided.step, "what": decided.what, "url": decided.url, "decision": decided.verdict,
            "rule": decided.rule, "reason": decided.reason, "confirm": decided.confirm,
        });
        self.log.append("decision", fields).map(drop).map_err(|error| format!("the audit log failed: {error}"))
    }

    fn asked(&mut self, asked: &Confirmation) -> Result<(), String> {
        let mut fields = json!({
            "step": asked.step, "what": asked.what, "url": asked.url, "rule": asked.rule, "reason": asked.reason,
            "answer": asked.answer, "seconds": (asked.seconds * 1000.0).round() / 1000.0,
        });
        if let Some(by) = &asked.by {
            fields["by"] = json!(by);
        }
        self.log.append("approval", fields).map(drop).map_err(|error| format!("the audit log failed: {error}"))
    }

    fn redacted(&self, text: &str) -> String {
        self.redactor.text(text)
    }

    fn picture(&mut self, observation: &Observation) -> Option<PathBuf> {
        let mut pixels = observation.frame.pixels.as_ref().clone();
        picture::fill_boxes(&mut pixels, observation.view, &observation.masks);
        picture::draw_cursor(&mut pixels, observation.view, observation.cursor);
        let bytes = picture::encode_png(&pixels).ok()?;
        if let Some(own) = &self.own {
            // The one before was answered.
            let _ = std::fs::remove_dir_all(own);
        }
        let hash = self.frames.put(&bytes, Encoding::Png).ok()?;
        self.frames.find(&hash)
    }

    fn ended(&mut self, reason: &str, steps: u32) -> Option<AuditAnchor> {
        match self.log.append("run_end", json!({"reason": reason, "steps": steps})) {
            Ok(anchor) => Some(anchor),
            Err(error) => {
                tracing::error!(%error, "the end of the run could not be written to the audit log");
                None
            }
        }
    }
}
