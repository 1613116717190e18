//! Secrets on their way out again: what was typed can be copied, and a paste or a drop would carry it into a
//! document that it is not bound to. Nobody looks into the clipboard; once a secret was typed, it may be there.

use surehand_checks::before::policy::may_paste;
use surehand_checks::before::{Deed, Paste};
use surehand_types::ViewPoint;
use surehand_types::call::{KeyboardCall, MouseButton, MouseCall};
use surehand_types::secret::names_in;

use super::BrowserEnv;
use super::page::Page;

impl BrowserEnv {
    /// Before the first key: a part of it may be typed even where the call fails.
    pub(super) fn note_typed_secrets(&mut self, call: &KeyboardCall) {
        if let KeyboardCall::Type { text } = call {
            let known = names_in(text).into_iter().filter(|name| self.secrets.find(name).is_some());
            self.typed_secrets.extend(known.map(str::to_string).collect::<Vec<_>>());
        }
    }

    pub(super) async fn keys_paste(&self, page: &Page, call: &KeyboardCall) -> Option<Paste> {
        if self.typed_secrets.is_empty() || !may_paste(call) {
            return None;
        }
        self.pasted_into(page.key_deed("paste", false).await.as_ref())
    }

    /// A middle click pastes what is selected, into the field under it or into the page's own handler. A drag
    /// takes a selection along.
    pub(super) async fn pointer_pastes(
        &self,
        page: &Page,
        call: &MouseCall,
        end: ViewPoint,
        pressed: Option<&Deed>,
    ) -> Option<Paste> {
        if self.typed_secrets.is_empty() {
            return None;
        }
        match call {
            MouseCall::Click { button: MouseButton::Middle, .. } => self.pasted_into(pressed),
            MouseCall::Drag { .. } => {
                let dropped = self.dropped_on(page, end).await;
                let origin = |deed: Option<&Deed>| deed.and_then(|deed| deed.origin.clone());
                // Within one origin nothing is carried anywhere; documents without one are strangers.
                let (from, to) = (origin(pressed), origin(dropped.as_ref()));
                let stays = from.is_some() && from == to && from.as_deref() != Some("null");
                if stays { None } else { self.pasted_into(dropped.as_ref()) }
            }
            _ => None,
        }
    }

    /// What would get something that is dropped there.
    pub(super) async fn dropped_on(&self, page: &Page, point: ViewPoint) -> Option<Deed> {
        let look = "__surehand.dropAt({x},{y})";
        page.aimed(point, self.view, look, look).await.ok()?.deed
    }

    /// The first secret that was typed and is not bound to this document. What cannot be read is bound to nothing.
    fn pasted_into(&self, deed: Option<&Deed>) -> Option<Paste> {
        let origin = deed.and_then(|deed| deed.origin.clone());
        let stranger = |name: &&String| self.secrets.may_go(name, origin.as_deref().unwrap_or("null")).is_err();
        let secret = self.typed_secrets.iter().find(stranger)?.clone();
        let unread = || "something that could not be read".to_string();
        Some(Paste {
            secret,
            descriptor: deed.map_or_else(unread, |deed| deed.descriptor.clone()),
            identity: deed.map(|deed| deed.identity.clone()).unwrap_or_default(),
            origin,
        })
    }
}
