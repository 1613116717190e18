//! What is on the screen, as the X server and the window manager tell it: windows with titles and
//! places, which of them is active, menus and tooltips, and where the pointer is.

use surehand_types::{ViewBox, ViewPoint};
use x11rb::cookie::Cookie;
use x11rb::errors::ConnectionError;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt as _, GetGeometryReply, GetPropertyReply, GetWindowAttributesReply, MapState,
    TranslateCoordinatesReply, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;

use super::server::{DisplayTrouble, Server};

/// Titles are for people; one that is longer is cut.
const TITLE_LENGTH: usize = 300;

/// A top-level window of an application.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WindowFact {
    pub(super) id: Window,
    pub(super) title: String,
    pub(super) class: String,
    /// Without the window manager's frame, in screen pixels.
    pub(super) bounds: ViewBox,
    pub(super) pid: Option<u32>,
    pub(super) hidden: bool,
    /// Only shown while the application starts.
    pub(super) splash: bool,
}

/// A window that no window manager cares for: a menu, a list, a tooltip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Popup {
    pub(super) id: Window,
    pub(super) bounds: ViewBox,
    pub(super) tooltip: bool,
    pub(super) pid: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Survey {
    /// The lowest first.
    pub(super) windows: Vec<WindowFact>,
    pub(super) active: Option<Window>,
    pub(super) popups: Vec<Popup>,
    pub(super) pointer: Option<ViewPoint>,
    /// The child of the root that holds each window: its frame, or itself.
    frames: Vec<(Window, Window)>,
}

impl Survey {
    pub(super) fn active(&self) -> Option<&WindowFact> {
        self.windows.iter().find(|window| Some(window.id) == self.active)
    }

    pub(super) fn window(&self, id: Window) -> Option<&WindowFact> {
        self.windows.iter().find(|window| window.id == id)
    }

    /// The process that a press there would go to. Menus often do not say whose they are; then they are
    /// the active window's.
    pub(super) fn process_under(&self, under: Under) -> Option<u32> {
        match under {
            Under::Window(id) => self.window(id)?.pid,
            Under::Popup(id) => {
                let popup = self.popups.iter().find(|popup| popup.id == id)?;
                popup.pid.or_else(|| self.active()?.pid)
            }
            Under::Frame(_) | Under::Nothing => None,
        }
    }
}

/// What a point belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Under {
    Window(Window),
    /// Something that the window manager drew around a window.
    Frame(Window),
    Popup(Window),
    Nothing,
}

type Asked<'c, R> = Result<Cookie<'c, RustConnection, R>, ConnectionError>;

/// Everything that is asked about one window, sent before any answer is waited for.
struct Questions<'c> {
    id: Window,
    attributes: Cookie<'c, RustConnection, GetWindowAttributesReply>,
    geometry: Cookie<'c, RustConnection, GetGeometryReply>,
    place: Cookie<'c, RustConnection, TranslateCoordinatesReply>,
    title: Cookie<'c, RustConnection, GetPropertyReply>,
    old_title: Cookie<'c, RustConnection, GetPropertyReply>,
    class: Cookie<'c, RustConnection, GetPropertyReply>,
    pid: Cookie<'c, RustConnection, GetPropertyReply>,
    state: Cookie<'c, RustConnection, GetPropertyReply>,
    kind: Cookie<'c, RustConnection, GetPropertyReply>,
}

impl Server {
    pub(super) fn survey(&self) -> Result<Survey, DisplayTrouble> {
        let connection = &self.connection;
        let stacked = self.property(self.root, self.atoms._NET_CLIENT_LIST_STACKING)?;
        let listed = self.property(self.root, self.atoms._NET_CLIENT_LIST)?;
        let active = self.property(self.root, self.atoms._NET_ACTIVE_WINDOW)?;
        let tree = connection.query_tree(self.root)?;
        let pointer = connection.query_pointer(self.root)?;
        let focus = connection.get_input_focus()?;
        let mut clients = numbers(stacked.reply().ok());
        if clients.is_empty() {
            clients = numbers(listed.reply().ok());
        }
        let children = tree.reply()?.children;
        let managed = !clients.is_empty() || self.is_managed()?;
        let active = numbers(active.reply().ok()).first().copied().filter(|id| *id != x11rb::NONE);
        let pointer = pointer.reply()?;
        let focus = focus.reply()?.focus;
        let mut survey = Survey {
            pointer: Some(ViewPoint { x: pointer.root_x.into(), y: pointer.root_y.into() }),
            active: if managed { active } else { None },
            ..Survey::default()
        };
        survey.frames = self.frames_of(&clients)?;
        let is_frame = |id: &Window| survey.frames.iter().any(|(_, frame)| frame == id);
        let asked: Vec<Questions<'_>> = clients.iter().map(|id| self.ask_about(*id)).collect::<Result<_, _>>()?;
        let others: Vec<Questions<'_>> = children
            .iter()
            .filter(|id| !clients.contains(id) && !is_frame(id))
            .map(|id| self.ask_about(*id))
            .collect::<Result<_, _>>()?;
        for questions in asked {
            survey.windows.extend(self.window_of(questions).map(|(window, ..)| window));
        }
        for questions in others {
            let Some((window, overriding, kinds)) = self.window_of(questions) else { continue };
            if overriding {
                // Window managers and toolkits keep windows of one pixel, somewhere off the screen, for themselves.
                let size = (window.bounds.x1 - window.bounds.x0).min(window.bounds.y1 - window.bounds.y0);
                if size <= 2.0 || window.bounds.x1 <= 0.0 || window.bounds.y1 <= 0.0 {
                    continue;
                }
                let tooltip = kinds.contains(&self.atoms._NET_WM_WINDOW_TYPE_TOOLTIP);
                survey.popups.push(Popup { id: window.id, bounds: window.bounds, tooltip, pid: window.pid });
            } else if !managed {
                // Without a window manager every plain window is an application's, and the focus says which is active.
                if window.id == focus {
                    survey.active = Some(focus);
                }
                survey.windows.push(window);
            }
        }
        if !managed && survey.active.is_none() {
            survey.active = survey.windows.last().map(|window| window.id);
        }
        Ok(survey)
    }

    /// Whether a window manager is at work.
    pub(super) fn is_managed(&self) -> Result<bool, DisplayTrouble> {
        let check = self.property(self.root, self.atoms._NET_SUPPORTING_WM_CHECK)?;
        Ok(numbers(check.reply().ok()).first().is_some_and(|id| *id != x11rb::NONE))
    }

    /// What would get a press at the point.
    pub(super) fn under(&self, point: ViewPoint, survey: &Survey) -> Result<Under, DisplayTrouble> {
        let (x, y) = (i16::try_from(point.x).unwrap_or_default(), i16::try_from(point.y).unwrap_or_default());
        let mut parent = self.root;
        let mut top = None;
        // Windows are nested a few deep; a client that nests them without end is not followed.
        for _ in 0..32 {
            let child = self.connection.translate_coordinates(self.root, parent, x, y)?.reply()?.child;
            if child == x11rb::NONE {
                break;
            }
            if survey.window(child).is_some() {
                return Ok(Under::Window(child));
            }
            top = top.or(Some(child));
            parent = child;
        }
        let Some(top) = top else { return Ok(Under::Nothing) };
        let framed = survey.frames.iter().find(|(_, frame)| *frame == top);
        let popup = survey.popups.iter().find(|popup| popup.id == top);
        Ok(match (framed, popup) {
            (Some((window, _)), _) => Under::Frame(*window),
            (None, Some(popup)) => Under::Popup(popup.id),
            (None, None) => Under::Nothing,
        })
    }

    /// Climbs from every window at once: window managers put one or two frames around each.
    fn frames_of(&self, windows: &[Window]) -> Result<Vec<(Window, Window)>, DisplayTrouble> {
        let mut climbing: Vec<(Window, Window)> = windows.iter().map(|id| (*id, *id)).collect();
        let mut frames = Vec::new();
        for _ in 0..6 {
            let asked: Vec<_> = climbing
                .iter()
                .map(|(window, at)| Ok((*window, *at, self.connection.query_tree(*at)?)))
                .collect::<Result<_, ConnectionError>>()?;
            climbing.clear();
            for (window, at, tree) in asked {
                match tree.reply() {
                    Ok(tree) if tree.parent == self.root => frames.push((window, at)),
                    Ok(tree) if tree.parent != x11rb::NONE => climbing.push((window, tree.parent)),
                    _ => {}
                }
            }
            if climbing.is_empty() {
                break;
            }
        }
        Ok(frames)
    }

    fn ask_about(&self, id: Window) -> Result<Questions<'_>, DisplayTrouble> {
        let (connection, atoms) = (&self.connection, &self.atoms);
        Ok(Questions {
            id,
            attributes: connection.get_window_attributes(id)?,
            geometry: connection.get_geometry(id)?,
            place: connection.translate_coordinates(id, self.root, 0, 0)?,
            title: self.property(id, atoms._NET_WM_NAME)?,
            old_title: self.property(id, AtomEnum::WM_NAME.into())?,
            class: self.property(id, AtomEnum::WM_CLASS.into())?,
            pid: self.property(id, atoms._NET_WM_PID)?,
            state: self.property(id, atoms._NET_WM_STATE)?,
            kind: self.property(id, atoms._NET_WM_WINDOW_TYPE)?,
        })
    }

    /// `None` for a window that went meanwhile, or that shows nothing.
    fn window_of(&self, asked: Questions<'_>) -> Option<(WindowFact, bool, Vec<Atom>)> {
        let attributes = asked.attributes.reply();
        let (geometry, place) = (asked.geometry.reply(), asked.place.reply());
        let title = asked.title.reply().ok().map(|reply| text(&reply)).filter(|title| !title.is_empty());
        let old_title = asked.old_title.reply().ok().map(|reply| text(&reply));
        let class = asked.class.reply().ok().map(|reply| class_name(&reply.value)).unwrap_or_default();
        let pid = numbers(asked.pid.reply().ok()).first().copied();
        let states = numbers(asked.state.reply().ok());
        let kinds = numbers(asked.kind.reply().ok());
        let (attributes, geometry, place) = (attributes.ok()?, geometry.ok()?, place.ok()?);
        let hidden = states.contains(&self.atoms._NET_WM_STATE_HIDDEN);
        let shown = attributes.map_state == MapState::VIEWABLE || hidden;
        let (x, y) = (f64::from(place.dst_x), f64::from(place.dst_y));
        let bounds = ViewBox { x0: x, y0: y, x1: x + f64::from(geometry.width), y1: y + f64::from(geometry.height) };
        let splash = kinds.contains(&self.atoms._NET_WM_WINDOW_TYPE_SPLASH);
        let title = title.or(old_title).unwrap_or_default();
        let window = WindowFact { id: asked.id, title, class, bounds, pid, hidden, splash };
        (shown && attributes.class == WindowClass::INPUT_OUTPUT).then_some((
            window,
            attributes.override_redirect,
            kinds,
        ))
    }

    fn property(
        &self,
        window: Window,
        name: Atom,
    ) -> Result<Cookie<'_, RustConnection, GetPropertyReply>, DisplayTrouble> {
        let asked: Asked<'_, GetPropertyReply> =
            self.connection.get_property(false, window, name, AtomEnum::ANY, 0, 4096);
        Ok(asked?)
    }
}

/// A property of 32-bit numbers: windows, atoms, a pid.
fn numbers(reply: Option<GetPropertyReply>) -> Vec<u32> {
    reply.and_then(|reply| reply.value32().map(Iterator::collect)).unwrap_or_default()
}

fn text(reply: &GetPropertyReply) -> String {
    let text = match std::str::from_utf8(&reply.value) {
        Ok(text) => text.to_string(),
        // Old titles are Latin-1, whose bytes are their code points.
        Err(_) => reply.value.iter().map(|byte| char::from(*byte)).collect(),
    };
    text.trim_end_matches('\0').chars().filter(|character| !character.is_control()).take(TITLE_LENGTH).collect()
}

/// The second of the two words in WM_CLASS: the application's kind, not its instance.
fn class_name(value: &[u8]) -> String {
    let mut words = value.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    let (instance, class) = (words.next(), words.next());
    class.or(instance).map(|word| String::from_utf8_lossy(word).chars().take(80).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_is_the_second_word() {
        for (value, expected) in [(b"lmms\0LMMS\0".as_slice(), "LMMS"), (b"only\0", "only"), (b"", ""), (b"\0\0", "")] {
            assert_eq!(class_name(value), expected);
        }
    }
}
