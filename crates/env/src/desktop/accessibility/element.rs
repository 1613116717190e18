//! One element, asked about itself.

use surehand_types::ViewBox;
use surehand_types::observation::{FocusedElement, descriptor};
use zbus::OwnedVariant;

use super::roles::{is_interactable, web_role};
use super::{Accessibility, Address};

/// Bits of the state set.
const EDITABLE: u32 = 7;
const CHECKED: u32 = 4;
const ENABLED: u32 = 8;
const SHOWING: u32 = 25;

/// Longest value that is told.
const VALUE_LENGTH: usize = 200;

const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
const COMPONENT: &str = "org.a11y.atspi.Component";
const TEXT: &str = "org.a11y.atspi.Text";

/// Coordinates of the whole screen.
const SCREEN: u32 = 0;

#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct ElementFacts {
    pub(in super::super) address: Address,
    /// In the words of the web: `button`, `textbox`.
    pub(in super::super) role: String,
    pub(in super::super) name: String,
    pub(in super::super) bounds: Option<ViewBox>,
    pub(in super::super) editable: bool,
    pub(in super::super) enabled: bool,
    pub(in super::super) showing: bool,
    pub(in super::super) checked: bool,
    /// What is entered never leaves a field of this kind.
    pub(in super::super) password: bool,
}

impl ElementFacts {
    pub(in super::super) fn descriptor(&self) -> String {
        descriptor(&self.role, &self.name)
    }

    /// Whether keys do something to it.
    pub(in super::super) fn takes_input(&self) -> bool {
        self.editable || is_interactable(&self.role)
    }

    pub(in super::super) fn identity(&self) -> String {
        format!("{} {}", self.address.bus, self.address.path.as_str())
    }

    pub(in super::super) fn as_focus(&self, value: Option<String>) -> FocusedElement {
        let shown = value.as_ref().map(|value| value.chars().take(VALUE_LENGTH).collect());
        FocusedElement {
            tag: self.role.clone(),
            role: Some(self.role.clone()),
            name: Some(self.name.clone()).filter(|name| !name.is_empty()),
            r#type: self.password.then(|| "password".to_string()),
            empty: value.as_ref().map(String::is_empty),
            value: if self.password { shown.map(|_: String| "•••".into()) } else { shown },
            editable: self.editable,
            ..FocusedElement::default()
        }
    }
}

impl Accessibility {
    /// `None` when it is gone, or does not answer.
    pub(in super::super) async fn describe(&self, address: &Address) -> Option<ElementFacts> {
        let role = self.ask::<_, (String,)>(address, ACCESSIBLE, "GetRoleName", &());
        let name = self.property(address, ACCESSIBLE, "Name");
        let states = self.ask::<_, (Vec<u32>,)>(address, ACCESSIBLE, "GetState", &());
        let extents = self.ask::<_, ((i32, i32, i32, i32),)>(address, COMPONENT, "GetExtents", &(SCREEN,));
        let (role, name, states, extents) = tokio::join!(role, name, states, extents);
        let (role,) = role?;
        let states = states.map(|(states,)| states).unwrap_or_default();
        let has = |bit: u32| states.get(bit as usize / 32).is_some_and(|word| word >> (bit % 32) & 1 == 1);
        let bounds = extents.map(|(extents,)| extents).filter(|(.., width, height)| *width > 0 && *height > 0);
        Some(ElementFacts {
            address: address.clone(),
            password: role.to_lowercase().contains("password"),
            role: web_role(&role),
            name: name.unwrap_or_default().trim().chars().take(VALUE_LENGTH).collect(),
            bounds: bounds.map(|(x, y, width, height)| ViewBox {
                x0: x.into(),
                y0: y.into(),
                x1: f64::from(x) + f64::from(width),
                y1: f64::from(y) + f64::from(height),
            }),
            editable: has(EDITABLE),
            enabled: has(ENABLED),
            showing: has(SHOWING),
            checked: has(CHECKED),
        })
    }

    /// The text that a field holds, the first part of it.
    pub(in super::super) async fn text_of(&self, element: &ElementFacts) -> Option<String> {
        if !element.editable {
            return None;
        }
        let longest = i32::try_from(VALUE_LENGTH + 1).unwrap_or(i32::MAX);
        let count = self.length_of(element).await?;
        let (text,): (String,) = self.ask(&element.address, TEXT, "GetText", &(0_i32, count.min(longest))).await?;
        Some(text)
    }

    /// How many characters a field holds.
    pub(in super::super) async fn length_of(&self, element: &ElementFacts) -> Option<i32> {
        self.number(&element.address, TEXT, "CharacterCount").await
    }

    async fn property(&self, address: &Address, interface: &str, name: &str) -> Option<String> {
        let (value,): (OwnedVariant,) =
            self.ask(address, "org.freedesktop.DBus.Properties", "Get", &(interface, name)).await?;
        String::try_from(value).ok()
    }

    async fn number(&self, address: &Address, interface: &str, name: &str) -> Option<i32> {
        let (value,): (OwnedVariant,) =
            self.ask(address, "org.freedesktop.DBus.Properties", "Get", &(interface, name)).await?;
        i32::try_from(value).ok()
    }
}
