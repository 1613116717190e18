//! What the active window's application says about its fields and switches: the second source of `inspect` on desktops
//! where an accessibility bus answers. Bounded like every walk; what was not told in time is left out, and said so.

use std::time::Duration;

use futures_util::future::join_all;
use surehand_types::ViewSize;
use surehand_types::ui::{OnOff, PixelBox, UiField, UiSource, UiState, UiToggle};

use super::DesktopEnv;
use super::accessibility::ElementFacts;

/// What all fields together may take to tell what they hold.
const TEXTS_DEADLINE: Duration = Duration::from_millis(600);

/// Fields and switches that are told.
const MOST: usize = 200;

impl DesktopEnv {
    /// `None` where nobody tells anything.
    pub(super) async fn told_by_trees(&self, view: ViewSize) -> Option<UiState> {
        let process = self.survey.active().and_then(|window| window.pid)?;
        let accessibility = self.accessibility.as_ref()?;
        let found = accessibility.interactables(process).await;
        if found.is_empty() {
            return None;
        }
        let mut state = UiState::empty(UiSource::Atspi, view.width, view.height);
        let fields: Vec<&ElementFacts> = found.iter().filter(|element| is_field(element)).take(MOST).collect();
        let texts = join_all(fields.iter().map(|field| accessibility.text_of(field)));
        let texts = match tokio::time::timeout(TEXTS_DEADLINE, texts).await {
            Ok(texts) => texts,
            Err(_) => {
                state.notes.push("the fields did not tell in time what they hold".into());
                vec![None; fields.len()]
            }
        };
        for (field, text) in fields.into_iter().zip(texts) {
            let Some(bbox) = place(field, view) else { continue };
            state.fields.push(UiField { label: label(field), value: text, bbox, conf: 1.0 });
        }
        for element in found.iter().filter(|element| is_switch(element)).take(MOST) {
            let Some(bbox) = place(element, view) else { continue };
            state.toggles.push(UiToggle { label: label(element), bbox, state: OnOff::of(element.checked), conf: 1.0 });
        }
        (!state.fields.is_empty() || !state.toggles.is_empty()).then_some(state)
    }
}

/// What a password field holds is nobody's business.
fn is_field(element: &ElementFacts) -> bool {
    element.editable && !element.password && matches!(element.role.as_str(), "textbox" | "combobox" | "spinbutton")
}

fn is_switch(element: &ElementFacts) -> bool {
    matches!(element.role.as_str(), "checkbox" | "radio" | "switch")
}

fn label(element: &ElementFacts) -> Option<String> {
    (!element.name.is_empty()).then(|| element.name.clone())
}

/// Clipped to the screen, whose pixels are those of the frame; `None` for what lies outside.
fn place(element: &ElementFacts, view: ViewSize) -> Option<PixelBox> {
    let bounds = element.bounds?;
    // A float cast saturates.
    let [x0, x1] = [bounds.x0, bounds.x1].map(|x| (x.round().max(0.0) as u32).min(view.width));
    let [y0, y1] = [bounds.y0, bounds.y1].map(|y| (y.round().max(0.0) as u32).min(view.height));
    (x0 < x1 && y0 < y1).then_some([x0, y0, x1, y1])
}
