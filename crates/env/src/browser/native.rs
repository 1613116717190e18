//! Native controls: a list, file, date or colour picker is drawn by the browser, so a click on one is
//! kept from it and answered by a follow-up tool. The control is held by its node id.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;
use surehand_checks::after::probe::Manner;
use surehand_checks::before::options::find_options;
use surehand_checks::before::{Aim, Picker};
use surehand_types::observation::{Pending, PendingKind, SelectChoice};
use surehand_types::{Effect, EffectStatus, ErrorCode};

use super::aiming::RawNative;
use super::nodes::NodeRef;
use super::page::{Page, PageTrouble};
use super::places::Place;
use super::state::Interruption;
use super::uploads::{Wanted, file_name};
use super::{BrowserEnv, failure_of};
use crate::CallFailure;
use crate::cdp::CdpError;
use crate::cdp::protocol::dom::SetFileInputFiles;
use crate::environment::{EffectSource, Environment, Receipt};

/// How late a page may put an old value, choice, date or colour back and still be caught at it.
pub(super) const PUT_BACK: Duration = Duration::from_millis(150);

/// A control that waits for its follow-up.
#[derive(Debug)]
pub(super) struct HeldControl {
    pending: Pending,
    node: NodeRef,
    /// The document it was found in.
    document: String,
    /// When the page opened a chooser by itself; `None` for a control that was clicked.
    opened_at: Option<Instant>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SelectFacts {
    connected: bool,
    disabled: bool,
    multiple: bool,
    choices: Vec<SelectChoice>,
}

impl BrowserEnv {
    pub(super) fn held_pending(&self) -> Option<Pending> {
        let held = self.held_control.as_ref()?;
        (held.document == self.document()).then(|| held.pending.clone())
    }

    /// Whether a chooser was opened by the present call.
    pub(super) fn chooser_opened(&self) -> bool {
        let opened = self.held_control.as_ref().and_then(|held| held.opened_at);
        opened.is_some_and(|opened| opened >= self.committed_at)
    }

    pub(super) async fn hold_native(&mut self, aim: &Aim) -> Result<(), CallFailure> {
        let Some(native) = &aim.native else {
            return Err(CallFailure::new(ErrorCode::NotAvailable, "there is no native control here"));
        };
        let page = self.page()?;
        let place = self.aimed_at.place.clone().unwrap_or_else(|| page.main_place());
        let node = match page.node(&place, "__surehand.holdNative()").await {
            // Its focus handler opened a dialog: the control can be held once that is answered.
            Err(PageTrouble::Interrupted(Interruption::Dialog)) => return Ok(()),
            node => node.map_err(failure_of)?,
        };
        let Some(node) = node else {
            return Err(CallFailure::new(ErrorCode::TargetChanged, "the control is gone; look again"));
        };
        // Some lists are only filled when they get the focus, so what they hold is read after that.
        let focused = page.native_facts(&node).await.and_then(RawNative::control);
        let picker = &focused.as_ref().unwrap_or(native).picker;
        let kind = match picker {
            Picker::Select { .. } => PendingKind::Select,
            Picker::File { .. } => PendingKind::File,
            Picker::Date { .. } => PendingKind::Date,
            Picker::Color => PendingKind::Color,
        };
        let mut pending = Pending::new(kind, aim.hit.clone());
        match picker {
            Picker::Select { multiple, options, .. } => {
                pending.multiple = Some(*multiple);
                pending.options = Some(options.clone());
            }
            Picker::File { multiple, accept, .. } => {
                pending.multiple = Some(*multiple);
                pending.accept.clone_from(accept);
            }
            Picker::Date { .. } | Picker::Color => {}
        }
        self.held_control = Some(HeldControl { pending, node, document: self.document(), opened_at: None });
        Ok(())
    }

    /// A chooser that the page opened becomes a file input that waits.
    pub(super) async fn adopt_file_chooser(&mut self) {
        let opened = self.shared.update(|state| {
            let target = state.active_target().map(str::to_string)?;
            state.tab_mut(&target)?.file_chooser.take()
        });
        let (Some(opened), Ok(page)) = (opened, self.page()) else { return };
        let Some(backend) = opened.input else {
            tracing::warn!("the page opened a file picker that belongs to no input; it cannot be filled");
            return;
        };
        let node = NodeRef { place: Place { session: opened.session, frame: opened.frame }, backend };
        let pending = Pending {
            accept: page.native_facts(&node).await.and_then(|facts| facts.accept),
            multiple: Some(opened.multiple),
            ..Pending::new(PendingKind::File, None)
        };
        let document = self.document();
        self.held_control = Some(HeldControl { pending, node, document, opened_at: Some(Instant::now()) });
    }

    /// The control of that kind that is held, or the refusal that says how to get one.
    fn held_node(&self, kind: PendingKind, code: ErrorCode, hint: &str) -> Result<NodeRef, CallFailure> {
        let alive = self.held_pending().is_some_and(|pending| pending.kind == kind);
        match &self.held_control {
            Some(held) if alive => Ok(held.node.clone()),
            _ => Err(CallFailure::new(code, hint)),
        }
    }

    pub(super) async fn select_options(&mut self, values: &[String]) -> Result<Receipt, CallFailure> {
        let node = self.held_node(
            PendingKind::Select,
            ErrorCode::NoPendingSelect,
            "no select is waiting; click one first, then choose",
        )?;
        let page = self.page()?;
        self.begin_watching(&page).await?;
        let facts: SelectFacts = self.ask_held(&page, &node, "selectFacts").await?;
        if !facts.connected || facts.disabled {
            let what = if facts.connected { "is disabled now" } else { "is gone from the page" };
            self.held_control = None;
            return Err(CallFailure::new(ErrorCode::TargetChanged, format!("the select {what}; click again")));
        }
        let wanted = find_options(&facts.choices, facts.multiple, values)
            .map_err(|problem| CallFailure::new(problem.code, problem.message))?;
        self.committed_at = Instant::now();
        let changed = page.call_on::<bool>(&node, "chooseOptions", vec![json!(wanted)]).await;
        let labels: Vec<String> =
            wanted.iter().map(|index| format!("{:?}", facts.choices[*index].label.trim())).collect();
        let labels = labels.join(", ");
        self.held_control = None;
        let changed = match changed {
            Ok(changed) => changed,
            // The page went on at once, with a dialog or another document: that is its answer.
            Err(PageTrouble::Interrupted(_) | PageTrouble::Unknown(_)) => true,
            Err(trouble) => return Err(failure_of(trouble)),
        };
        tokio::time::sleep(PUT_BACK).await;
        let shown: Option<Vec<usize>> = page.call_on(&node, "chosen", Vec::new()).await.ok();
        let (message, effect) = match shown {
            Some(shown) if shown != wanted => {
                let kept: Vec<&str> =
                    shown.iter().filter_map(|index| Some(facts.choices.get(*index)?.label.as_str())).collect();
                let message = format!("chose {labels}, but the page went back to {:?}", kept.join(", "));
                (message, known(EffectStatus::NoEffect, "the choice was put back"))
            }
            _ if changed => (format!("chose {labels}"), known(EffectStatus::Confirmed, &format!("{labels} selected"))),
            _ => {
                let words = format!("{labels} was selected already");
                (words.clone(), known(EffectStatus::Confirmed, &words))
            }
        };
        Ok(Receipt { message, effect, ..Receipt::default() })
    }

    pub(super) async fn upload_files(&mut self, paths: &[String]) -> Result<Receipt, CallFailure> {
        let node = self.held_node(
            PendingKind::File,
            ErrorCode::NoPendingFileInput,
            "no file input is waiting; click one first, then upload",
        )?;
        let page = self.page()?;
        let wanted = if page.native_facts(&node).await.is_some_and(|facts| facts.folder) {
            Wanted::Folder
        } else {
            Wanted::Files
        };
        let files = self.uploads.allowed(paths, wanted)?;
        let multiple = self.held_control.as_ref().and_then(|held| held.pending.multiple).unwrap_or(false);
        if files.len() > 1 && !multiple {
            let message = format!("this input takes one file, {} were given", files.len());
            return Err(CallFailure::new(ErrorCode::NotMultiple, message));
        }
        self.begin_watching(&page).await?;
        self.committed_at = Instant::now();
        let names: Vec<String> = files.iter().map(|file| format!("{:?}", file_name(file))).collect();
        let method = SetFileInputFiles { files: files.clone(), backend_node_id: node.backend };
        let call = page.connection.start_call(Some(&node.place.session), &method);
        match page.finish(call, self.timing.call).await {
            Ok(_) | Err(PageTrouble::Interrupted(_)) => {}
            Err(PageTrouble::Protocol(CdpError::Refused { .. })) => {
                self.held_control = None;
                let message = "the file input is gone from the page; click again";
                return Err(CallFailure::new(ErrorCode::TargetChanged, message));
            }
            Err(trouble) => return Err(failure_of(trouble)),
        }
        self.held_control = None;
        let words = format!("gave {} to the file input", names.join(", "));
        // A page that takes the files and empties the input at once is judged by what it did with them.
        let held: Option<u32> = page.call_on(&node, "fileCount", Vec::new()).await.ok();
        let effect = match held {
            Some(held) if held > 0 => known(EffectStatus::Confirmed, &words),
            _ => EffectSource::Probe(Manner::Keyboard),
        };
        Ok(Receipt { message: words, effect, ..Receipt::default() })
    }

    async fn ask_held<T: serde::de::DeserializeOwned>(
        &mut self,
        page: &Page,
        node: &NodeRef,
        function: &str,
    ) -> Result<T, CallFailure> {
        match page.call_on(node, function, Vec::new()).await {
            Ok(answer) => Ok(answer),
            Err(PageTrouble::Unknown(_)) => {
                self.held_control = None;
                Err(CallFailure::new(ErrorCode::TargetChanged, "the control is gone from the page; click again"))
            }
            Err(trouble) => Err(failure_of(trouble)),
        }
    }
}

impl Page {
    /// What a control is and holds now; `None` where it cannot be asked or is no native one.
    async fn native_facts(&self, node: &NodeRef) -> Option<RawNative> {
        self.call_on(node, "nativeFacts", Vec::new()).await.ok().flatten()
    }
}

fn known(status: EffectStatus, detail: &str) -> EffectSource {
    EffectSource::Known(Effect::by(status, "value", detail))
}
