//! The `window` tool: lists, focuses, closes and resizes windows by asking the window manager, as a
//! taskbar would.

use surehand_checks::after::probe::Manner;
use surehand_checks::before::Aim;
use surehand_types::ErrorCode;
use surehand_types::call::WindowCall;
use x11rb::protocol::xproto::{
    ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, EventMask, InputFocus, StackMode, Window,
};

use super::server::{DisplayTrouble, Server};
use super::survey::WindowFact;
use super::{AimedAt, DesktopEnv};
use crate::CallFailure;
use crate::environment::{EffectSource, Receipt, SettleKind};

/// In a message to the window manager: a person wants it, not a program.
const FROM_A_PERSON: u32 = 2;

impl DesktopEnv {
    pub(super) async fn aim_window(&mut self, call: &WindowCall) -> Result<Aim, CallFailure> {
        let before = self.begin_watching().await?;
        let survey = self.display.must(|server| server.survey()).await?;
        self.adopt(survey.clone());
        if let Some(name) = named(call) {
            self.find_window(name)?;
        }
        self.aimed = AimedAt { before: Some(before), active: survey.active, survey, places: Vec::new(), field: None };
        Ok(Aim::default())
    }

    pub(super) async fn commit_window(&mut self, call: &WindowCall) -> Result<Receipt, CallFailure> {
        let message = match call {
            WindowCall::List => {
                let message = self.window_list();
                return Ok(Receipt { message, settle: SettleKind::Look, ..Receipt::default() });
            }
            WindowCall::Focus { window } => {
                let id = self.find_window(window)?.id;
                self.display.must(move |server| server.focus(id)).await?;
                format!("brought {} to the front", self.described(window))
            }
            WindowCall::Close { window } => {
                let id = self.find_window(window)?.id;
                let words = self.described(window);
                self.display.must(move |server| server.close(id)).await?;
                format!("asked {words} to close")
            }
            WindowCall::Resize { window, width, height } => {
                let (id, width, height) = (self.find_window(window)?.id, *width, *height);
                self.display.must(move |server| server.resize(id, width, height)).await?;
                format!("asked {} to be {width}x{height}", self.described(window))
            }
        };
        Ok(Receipt { message, effect: EffectSource::Probe(Manner::Keyboard), ..Receipt::default() })
    }

    fn find_window(&self, name: &str) -> Result<&WindowFact, CallFailure> {
        let found = self.names.find(name).and_then(|id| self.survey.window(id));
        found.ok_or_else(|| {
            let known: Vec<String> =
                self.survey.windows.iter().filter_map(|window| self.names.name(window.id)).collect();
            let known = if known.is_empty() {
                "there are no windows".into()
            } else {
                format!("the windows are {}", known.join(", "))
            };
            let shown: String = name.chars().take(40).collect();
            CallFailure::new(ErrorCode::UnknownTab, format!("there is no window {shown:?}; {known}"))
        })
    }

    fn described(&self, name: &str) -> String {
        let title = self.find_window(name).map(|window| window.title.clone()).unwrap_or_default();
        format!("{name} {title:?}")
    }

    /// One line for the brain, the window on top first.
    fn window_list(&self) -> String {
        let words: Vec<String> = self.survey.windows.iter().rev().map(|window| self.in_words(window)).collect();
        match words.len() {
            0 => "there are no windows".into(),
            1 => format!("1 window: {}", words.join("")),
            count => format!("{count} windows, the one on top first: {}", words.join("; ")),
        }
    }

    fn in_words(&self, window: &WindowFact) -> String {
        let name = self.names.name(window.id).unwrap_or_default();
        let bounds = window.bounds;
        let place = self.view.grid_point(bounds.x0, bounds.y0);
        let active = if self.survey.active == Some(window.id) { ", active" } else { "" };
        let hidden = if window.hidden { ", hidden" } else { "" };
        format!(
            "{name} {:?} ({}), {}x{} px at [{}, {}]{active}{hidden}",
            window.title,
            window.class,
            bounds.x1 - bounds.x0,
            bounds.y1 - bounds.y0,
            place.x,
            place.y
        )
    }
}

fn named(call: &WindowCall) -> Option<&str> {
    match call {
        WindowCall::List => None,
        WindowCall::Focus { window } | WindowCall::Close { window } | WindowCall::Resize { window, .. } => Some(window),
    }
}

impl Server {
    fn focus(&mut self, window: Window) -> Result<(), DisplayTrouble> {
        if self.is_managed()? {
            self.tell_manager(window, self.atoms._NET_ACTIVE_WINDOW, [FROM_A_PERSON, 0, 0, 0, 0])?;
        } else {
            self.connection.configure_window(window, &ConfigureWindowAux::new().stack_mode(StackMode::ABOVE))?;
            self.connection.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME)?;
        }
        self.round_trip()
    }

    fn close(&mut self, window: Window) -> Result<(), DisplayTrouble> {
        if self.is_managed()? {
            self.tell_manager(window, self.atoms._NET_CLOSE_WINDOW, [0, FROM_A_PERSON, 0, 0, 0])?;
        } else {
            let words = [self.atoms.WM_DELETE_WINDOW, x11rb::CURRENT_TIME, 0, 0, 0];
            let message = ClientMessageEvent::new(32, window, self.atoms.WM_PROTOCOLS, words);
            self.connection.send_event(false, window, EventMask::NO_EVENT, message)?;
        }
        self.round_trip()
    }

    /// A window that fills the screen has to stop doing so first.
    fn resize(&mut self, window: Window, width: u32, height: u32) -> Result<(), DisplayTrouble> {
        if self.is_managed()? {
            let (wide, tall) = (self.atoms._NET_WM_STATE_MAXIMIZED_HORZ, self.atoms._NET_WM_STATE_MAXIMIZED_VERT);
            self.tell_manager(window, self.atoms._NET_WM_STATE, [0, wide, tall, FROM_A_PERSON, 0])?;
        }
        self.connection.configure_window(window, &ConfigureWindowAux::new().width(width).height(height))?;
        self.round_trip()
    }

    fn tell_manager(&self, window: Window, what: u32, words: [u32; 5]) -> Result<(), DisplayTrouble> {
        let message = ClientMessageEvent::new(32, window, what, words);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.connection.send_event(false, self.root, mask, message)?;
        Ok(())
    }
}
