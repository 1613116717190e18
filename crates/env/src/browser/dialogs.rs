//! Answering dialogs. An alert is accepted by the event task; the others wait for this call.

use std::time::Duration;

use surehand_types::call::DialogAction;
use surehand_types::observation::{DialogHandled, DialogKind};
use surehand_types::{Effect, ErrorCode};

use super::{BrowserEnv, EnvError};
use crate::CallFailure;
use crate::cdp::CdpError;
use crate::cdp::protocol::page::HandleJavaScriptDialog;
use crate::cdp::protocol::runtime;
use crate::environment::{EffectSource, Receipt};

/// How long a dialog is waited for that comes after another one.
const LEAST_WAIT: Duration = Duration::from_millis(120);
const LONGEST_WAIT: Duration = Duration::from_secs(2);

impl BrowserEnv {
    pub(super) async fn commit_dialog(
        &mut self,
        action: DialogAction,
        prompt_text: Option<String>,
    ) -> Result<Receipt, CallFailure> {
        self.restless_before = false;
        let open = {
            let state = self.shared.lock();
            let found = state.open_dialog();
            found.and_then(|(tab, dialog)| Some((tab.target.clone(), tab.session.clone()?, dialog.clone())))
        };
        let Some((target, session, mut dialog)) = open else {
            return Err(CallFailure::new(ErrorCode::NoDialog, "no dialog is open"));
        };
        let accept = action == DialogAction::Accept;
        let prompt_text = match (dialog.r#type, prompt_text) {
            (DialogKind::Prompt, None) if accept => dialog.default.clone(),
            (DialogKind::Prompt, given) if accept => given,
            _ => None,
        };
        // Forgotten before the answer is sent, so that a dialog that follows at once is seen as new.
        self.shared.update(|state| {
            if let Some(tab) = state.tab_mut(&target) {
                tab.dialog = None;
            }
        });
        let method = HandleJavaScriptDialog { accept, prompt_text };
        let answered = self.connection.call(Some(&session), &method, self.timing.call).await;
        if let Err(error) = answered {
            let already_gone = matches!(&error, CdpError::Refused { message, .. } if message.contains("No dialog"));
            if !already_gone {
                self.shared.update(|state| {
                    if let Some(tab) = state.tab_mut(&target) {
                        tab.dialog = Some(dialog);
                    }
                });
            }
            return Err(EnvError::from(error).into());
        }
        dialog.handled = Some(if accept { DialogHandled::Accepted } else { DialogHandled::Dismissed });
        let word = if accept { "accepted" } else { "dismissed" };
        let message = format!(
            "{word} the {} {:?}",
            kind_word(dialog.r#type),
            shortened(&self.secrets.redactor().clean(&dialog.message))
        );
        self.shared.update(|state| state.happenings.answered_dialog = Some(dialog));
        self.wait_for_the_next(&target, &session).await;
        let effect = EffectSource::Known(Effect::confirmed("dialog", message.clone()));
        Ok(Receipt { message, effect, ..Receipt::default() })
    }

    /// A cascade opens its next dialog right away; this gives it the chance to be in the answer. The script that waited
    /// for the last one has either opened it or come to its end once the page answers us again, however slow it is.
    async fn wait_for_the_next(&self, target: &str, session: &str) {
        let question = runtime::Evaluate { expression: "0".into(), ..runtime::Evaluate::default() };
        let at_rest = async {
            let _ = tokio::join!(
                tokio::time::sleep(LEAST_WAIT),
                self.connection.call(Some(session), &question, LONGEST_WAIT)
            );
        };
        tokio::select! {
            _ = self.shared.wait_for(LONGEST_WAIT, |state| state.interruption(target)) => {}
            () = at_rest => {}
        }
    }
}

fn kind_word(kind: DialogKind) -> &'static str {
    match kind {
        DialogKind::Alert => "alert",
        DialogKind::Confirm => "confirm dialog",
        DialogKind::Prompt => "prompt",
        DialogKind::Beforeunload => "leave-page dialog",
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(120).collect()
}
