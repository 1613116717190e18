//! What a press would hit: the element, where the application tells it, else the window. Also what the
//! policy is told of it.

use surehand_checks::before::{Aim, Deed};
use surehand_types::observation::descriptor;
use surehand_types::{Hit, ViewBox, ViewPoint};

use super::DesktopEnv;
use super::accessibility::ElementFacts;
use super::survey::{Survey, Under};
use crate::EnvError;

impl DesktopEnv {
    /// The window at a point, and the element in it.
    pub(super) async fn found_at(
        &self,
        point: ViewPoint,
        survey: &Survey,
    ) -> Result<(Under, Option<ElementFacts>), EnvError> {
        let known = survey.clone();
        let under = self.display.must(move |server| server.under(point, &known)).await?;
        let element = match (&self.accessibility, survey.process_under(under)) {
            (Some(accessibility), Some(process)) => accessibility.element_at(process, point).await,
            _ => None,
        };
        let element = match under {
            Under::Popup(_) => self.in_popup(element, point).await,
            _ => element,
        };
        Ok((under, element))
    }

    /// Toolkits leave menus out when they are asked what lies at a point, and name what is underneath. The entry
    /// that the pointer is over has the focus.
    async fn in_popup(&self, found: Option<ElementFacts>, point: ViewPoint) -> Option<ElementFacts> {
        const ENTRIES: &[&str] = &["menuitem", "menuitemcheckbox", "menuitemradio", "option", "cell", "treeitem"];
        let is_entry = |element: &ElementFacts| ENTRIES.contains(&element.role.as_str());
        if let Some(found) = found.filter(is_entry) {
            return Some(found);
        }
        let (focused, _) = self.focused().await?;
        Some(focused).filter(|focused| is_entry(focused) && focused.bounds.is_some_and(|bounds| bounds.contains(point)))
    }

    pub(super) fn hit(&self, under: Under, element: Option<&ElementFacts>, survey: &Survey) -> Hit {
        let window = self.window_hit(under, survey);
        let Some(element) = element else { return window };
        Hit {
            descriptor: element.descriptor(),
            tag: element.role.clone(),
            role: Some(element.role.clone()),
            name: Some(element.name.clone()).filter(|name| !name.is_empty()),
            r#box: element.bounds.map(|bounds| self.view.grid_box(bounds)),
            ..window
        }
    }

    /// For the policy. A window whose application tells nothing cannot be read, and neither can what would
    /// be pressed in it; its frame and the empty desktop are known for what they are.
    pub(super) fn deed(&self, under: Under, element: Option<&ElementFacts>, survey: &Survey) -> Option<Deed> {
        let hit = self.hit(under, element, survey);
        let context = match under {
            Under::Window(id) | Under::Frame(id) => survey.window(id).map(|window| window.title.clone()),
            Under::Popup(_) | Under::Nothing => survey.active().map(|window| window.title.clone()),
        };
        let identity = match (element, under) {
            (Some(element), _) => element.identity(),
            (None, Under::Frame(id)) => format!("frame {id}"),
            (None, Under::Nothing) => "desktop".into(),
            (None, Under::Window(_) | Under::Popup(_)) => return None,
        };
        Some(Deed {
            role: element.map(|element| element.role.clone()),
            name: element.map(|element| element.name.clone()).unwrap_or_default(),
            context: context.unwrap_or_default(),
            descriptor: hit.descriptor,
            identity,
            ..Deed::default()
        })
    }

    /// For keys that may work a control: the one that has the focus.
    pub(super) fn aim_of_focus(&self, focused: Option<&ElementFacts>, survey: &Survey) -> Aim {
        let deed = focused.map(|element| Deed {
            role: Some(element.role.clone()),
            name: element.name.clone(),
            context: survey.active().map(|window| window.title.clone()).unwrap_or_default(),
            descriptor: element.descriptor(),
            identity: element.identity(),
            ..Deed::default()
        });
        Aim { deed, ..Aim::default() }
    }

    /// A control, as opposed to a pane that fills the window: what changes in it is where the press was made.
    pub(super) fn is_small(&self, bounds: ViewBox) -> bool {
        let area = (bounds.x1 - bounds.x0) * (bounds.y1 - bounds.y0);
        area * 12.0 <= f64::from(self.view.width) * f64::from(self.view.height)
    }

    pub(super) fn window_bounds(&self, under: Under, survey: &Survey) -> Option<ViewBox> {
        match under {
            Under::Window(id) | Under::Frame(id) => survey.window(id).map(|window| window.bounds),
            Under::Popup(id) => survey.popups.iter().find(|popup| popup.id == id).map(|popup| popup.bounds),
            Under::Nothing => None,
        }
    }

    fn window_hit(&self, under: Under, survey: &Survey) -> Hit {
        let (tag, found) = match under {
            Under::Window(id) => ("window", survey.window(id)),
            Under::Frame(id) => ("frame", survey.window(id)),
            Under::Popup(_) => ("popup", None),
            Under::Nothing => ("desktop", None),
        };
        let bounds = self.window_bounds(under, survey);
        let name = found.map(|window| window.title.clone()).unwrap_or_default();
        let kind = if tag == "frame" { "frame of window" } else { tag };
        Hit {
            descriptor: descriptor(kind, &name),
            tag: tag.into(),
            role: None,
            name: Some(name).filter(|name| !name.is_empty()),
            id: found.and_then(|window| self.names.name(window.id)),
            classes: found.map(|window| window.class.clone()).into_iter().collect(),
            r#box: bounds.map(|bounds| self.view.grid_box(bounds)),
            frame: None,
            covers: None,
        }
    }
}
