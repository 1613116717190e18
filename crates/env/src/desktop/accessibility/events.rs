//! Events of applications, as far as they tell what an action did: the focus, text and states.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use futures_util::StreamExt;
use futures_util::stream::select_all;
use zbus::message::{Message, Type};
use zbus::{Connection, MatchRule, MessageStream};

use super::{Address, REGISTRY};

/// News that are kept: enough for one action.
const KEPT: usize = 64;

/// Kinds that are listened to: interface, signal, its first argument, and how applications are asked for it.
const KINDS: &[(&str, &str, Option<&str>, &str)] = &[
    ("org.a11y.atspi.Event.Object", "StateChanged", Some("focused"), "object:state-changed:focused"),
    ("org.a11y.atspi.Event.Object", "StateChanged", Some("checked"), "object:state-changed:checked"),
    ("org.a11y.atspi.Event.Object", "StateChanged", Some("selected"), "object:state-changed:selected"),
    ("org.a11y.atspi.Event.Object", "StateChanged", Some("expanded"), "object:state-changed:expanded"),
    ("org.a11y.atspi.Event.Object", "TextChanged", None, "object:text-changed"),
    ("org.a11y.atspi.Event.Object", "TextCaretMoved", None, "object:text-caret-moved"),
];

/// One thing that an application told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct News {
    pub(in super::super) at: Instant,
    /// `focus`, `state`, `text` or `caret`.
    pub(in super::super) kind: &'static str,
    pub(in super::super) element: Address,
}

#[derive(Debug, Default)]
pub(in super::super) struct Heard {
    /// The element that told last that it has the focus, and did not tell since that it lost it.
    pub(in super::super) focused: Option<Address>,
    pub(in super::super) news: VecDeque<News>,
}

impl Heard {
    fn take(&mut self, message: &Message) -> Option<()> {
        let header = message.header();
        let element = Address { bus: header.sender()?.to_string(), path: header.path()?.to_owned().into() };
        let (detail, gained, _): (String, i32, i32) = message.body().deserialize_ignore_signature().ok()?;
        let kind = match (header.member()?.as_str(), detail.as_str()) {
            ("StateChanged", "focused") => {
                if gained == 0 {
                    self.focused.take_if(|focused| *focused == element);
                    return None;
                }
                self.focused = Some(element.clone());
                "focus"
            }
            ("StateChanged", _) => "state",
            ("TextChanged", _) => "text",
            _ => "caret",
        };
        self.news.push_back(News { at: Instant::now(), kind, element });
        if self.news.len() > KEPT {
            self.news.pop_front();
        }
        Some(())
    }
}

pub(super) async fn listen(bus: &Connection, heard: Arc<Mutex<Heard>>) -> zbus::Result<tokio::task::JoinHandle<()>> {
    let mut streams = Vec::new();
    for (interface, member, detail, event) in KINDS {
        let mut rule = MatchRule::builder().msg_type(Type::Signal).interface(*interface).member(*member);
        if let Some(detail) = detail {
            rule = rule.add_arg(*detail);
        }
        streams.push(MessageStream::for_match_rule(rule.build()?, bus, None).await?);
        register(bus, event).await;
    }
    let mut all = select_all(streams);
    Ok(tokio::spawn(async move {
        while let Some(message) = all.next().await {
            if let Ok(message) = message {
                heard.lock().unwrap_or_else(PoisonError::into_inner).take(&message);
            }
        }
    }))
}

/// Toolkits stay silent until somebody wants to hear. Registries older than 2.42 take the name alone.
async fn register(bus: &Connection, event: &str) {
    let (path, none): (&str, Vec<String>) = ("/org/a11y/atspi/registry", Vec::new());
    let wanted = (event, none, "");
    let told = bus.call_method(Some(REGISTRY), path, Some(REGISTRY), "RegisterEvent", &wanted).await;
    if told.is_err() {
        let _ = bus.call_method(Some(REGISTRY), path, Some(REGISTRY), "RegisterEvent", &(event,)).await;
    }
}
