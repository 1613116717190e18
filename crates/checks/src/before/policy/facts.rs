//! What the rules look at, taken from a call and from what it aims at. Nothing is asked of anybody here.

use surehand_types::Call;
use surehand_types::call::{DialogAction, KeyboardCall, MouseCall, TabCall, WindowCall};
use surehand_types::keys::{Chord, Modifier};
use surehand_types::observation::DialogKind;
use url::Url;

use super::origin::{KnownOrigins, Origin, OriginPattern};
use super::words::Words;
use crate::before::{Aim, Deed};

/// A call that the policy is asked about.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    pub call: &'a Call,
    pub aim: &'a Aim,
    /// Where the active tab is.
    pub url: Option<&'a str>,
    /// The press that the open dialog came from.
    pub opener: Option<&'a Deed>,
    pub known: &'a KnownOrigins,
}

#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) tool: &'static str,
    pub(crate) action: &'static str,
    pub(crate) url: String,
    pub(crate) origin: Option<Origin>,
    pub(crate) opens: Option<String>,
    /// Words on what is pressed, and on what a drag ends at: an entry for each way to read them.
    pub(crate) targets: Vec<Words>,
    pub(crate) context: Words,
    pub(crate) role: Option<String>,
    pub(crate) presses: bool,
    pub(crate) submits: bool,
    pub(crate) beside: bool,
    pub(crate) resends: bool,
    pub(crate) navigates: bool,
    pub(crate) uploads: bool,
    pub(crate) unseen: bool,
    pub(crate) pastes_secret: bool,
    pub(crate) unknown_origin: bool,
    pub(crate) texts: Vec<Words>,
    pub(crate) secrets: Vec<String>,
    pub(crate) keys: Vec<String>,
    pub(crate) dialog: Option<(DialogKind, Words)>,
}

/// Roles that are only filled in, chosen from or looked at when they are pressed.
const NOT_PRESSED: &[&str] = &[
    "textbox",
    "searchbox",
    "combobox",
    "spinbutton",
    "slider",
    "listbox",
    "checkbox",
    "radio",
    "switch",
    "tab",
    "file",
    "heading",
    "iframe",
    "video",
    "audio",
    "canvas",
];

/// Roles that act whatever is written on them.
const PRESSED: &[&str] = &["button", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "treeitem"];

/// A name with more words than this, on anything else, is a text to read and no label.
const LABEL_WORDS: usize = 6;

impl Facts {
    pub(crate) fn of(query: &Query<'_>, trusted: &[OriginPattern]) -> Facts {
        let (tool, action) = named(query.call);
        let mut facts = Facts { tool, action, url: normalised(query.url.unwrap_or_default()), ..Facts::default() };
        let page = query.url.and_then(Origin::of);
        let deed = deed_of(query);
        let paste = query.aim.pastes.as_ref();
        facts.pastes_secret = paste.is_some();
        // What is pasted goes by the document that gets it, whatever else the call does.
        let document = paste.and_then(|paste| paste.origin.as_deref()).or(deed.and_then(|deed| deed.origin.as_deref()));
        facts.origin = match document {
            Some(origin) => Origin::of(origin)
                .or_else(|| page.clone().filter(|page| origin == "file://" && page.to_string() == "file:")),
            None => page,
        };
        let leads_elsewhere =
            deed.filter(|deed| deed.submits).and_then(|deed| deed.action_origin.as_deref()).is_some_and(|origin| {
                !query.known.with(trusted, Origin::of(origin).or(facts.file_origin(origin)).as_ref())
            });
        facts.unknown_origin = leads_elsewhere || !query.known.with(trusted, facts.origin.as_ref());
        facts.take_call(query);
        if let Some(deed) = deed {
            facts.take_deed(deed);
        }
        if matches!(query.call, Call::Mouse(MouseCall::Drag { .. })) {
            facts.take_drag(query);
        }
        facts
    }

    /// Files have `file://` or nothing as their security origin.
    fn file_origin(&self, origin: &str) -> Option<Origin> {
        self.origin.clone().filter(|own| matches!(origin, "file://" | "null") && own.to_string() == "file:")
    }

    fn take_call(&mut self, query: &Query<'_>) {
        match query.call {
            Call::Tab(TabCall::Open { url } | TabCall::Go { url }) => self.opens = Some(normalised(url)),
            Call::Mouse(MouseCall::Click { .. }) => self.unseen = query.aim.deed.is_none(),
            Call::Tab(TabCall::Refresh { .. }) => self.resends = query.aim.resends,
            Call::Keyboard(KeyboardCall::Type { text }) => {
                self.unseen = text.contains(['\n', '\r']) && query.aim.deed.is_none();
                self.texts.push(Words::of(text));
                self.secrets = secrets_in(text);
                for (character, key) in [('\n', "enter"), ('\t', "tab")] {
                    if text.contains(character) {
                        self.keys.extend(Chord::parse(key, &[]).ok().map(|chord| chord.to_string()));
                    }
                }
            }
            Call::Keyboard(press @ KeyboardCall::Press { chord }) => {
                self.unseen = may_press(press) && query.aim.deed.is_none();
                self.keys.push(chord.to_string());
            }
            Call::Dialog { prompt_text, .. } => {
                self.texts.extend(prompt_text.as_deref().map(Words::of));
                self.secrets = prompt_text.as_deref().map(secrets_in).unwrap_or_default();
                let open = query.aim.dialog.as_ref().map(|open| &open.dialog);
                self.dialog = open.map(|dialog| (dialog.r#type, Words::of(&dialog.message)));
            }
            Call::SelectOption { values } => self.texts.extend(values.iter().map(|value| Words::of(value))),
            Call::UploadFile { .. } => self.uploads = true,
            _ => {}
        }
    }

    fn take_deed(&mut self, deed: &Deed) {
        self.presses = match deed.role.as_deref() {
            _ if deed.submits || deed.beside => true,
            Some(role) if PRESSED.contains(&role) => true,
            Some(role) if NOT_PRESSED.contains(&role) => false,
            _ => is_label(&deed.name),
        };
        self.submits = deed.submits;
        self.beside = deed.beside;
        self.navigates = deed.navigates;
        self.role = Some(deed.role.clone().unwrap_or_else(|| "none".into()));
        self.context = Words::of(&deed.context);
        self.take_words(deed);
    }

    /// A slider may be dragged to pay, and a file into a bin: both ends count, by what they are called and by what is
    /// written on them. A long text at either end is something to read.
    fn take_drag(&mut self, query: &Query<'_>) {
        let start = query.aim.deed.as_ref();
        self.presses |= start.is_some_and(|deed| deed.role.as_deref() == Some("slider") && is_label(&deed.name));
        if !self.presses {
            self.targets.clear();
        }
        let near = query.aim.spots.last().and_then(|spot| spot.hit.as_ref());
        if let Some(near) = near.filter(|near| is_label(&near.descriptor)) {
            self.presses = true;
            self.targets.push(Words::of(&near.descriptor));
        }
        if let Some(end) = query.aim.end.as_ref().filter(|end| is_label(&end.name)) {
            self.presses = true;
            self.take_words(end);
        }
    }

    fn take_words(&mut self, deed: &Deed) {
        self.targets.push(Words::of(&deed.name));
        // Readings of what is shown stand beside each other, with a stroke between them.
        let shown = deed.shown.split(" / ").filter(|text| !text.is_empty() && *text != deed.name);
        let others = shown.chain(deed.labels.iter().map(String::as_str));
        self.targets.extend(others.map(Words::of));
    }
}

/// Whether a text is short enough to be the label of something that has no role.
fn is_label(text: &str) -> bool {
    Words::of(text).len() <= LABEL_WORDS
}

/// Whether Enter, Space or a typed line end may work a control, so that it is worth asking which.
pub fn may_press(call: &KeyboardCall) -> bool {
    match call {
        KeyboardCall::Type { text } => text.contains(['\n', '\r']) || text.contains("<secret:"),
        KeyboardCall::Press { chord } => matches!(chord.stroke.key.as_str(), "Enter" | " "),
        KeyboardCall::Clear => false,
    }
}

/// Whether the keys may paste: the browser's own chords, whatever else is held with them.
pub fn may_paste(call: &KeyboardCall) -> bool {
    let KeyboardCall::Press { chord } = call else { return false };
    let holds = |modifier: Modifier| chord.modifiers.contains(&modifier);
    match chord.stroke.key.as_str() {
        "v" | "V" => holds(Modifier::Ctrl) || holds(Modifier::Meta),
        "Insert" => holds(Modifier::Shift),
        _ => false,
    }
}

/// The press that the call is, or that the dialog it accepts came from.
fn deed_of<'a>(query: &Query<'a>) -> Option<&'a Deed> {
    match query.call {
        // Whatever the button: pages act on the press itself, before it is known which menu it would open.
        Call::Mouse(MouseCall::Click { .. } | MouseCall::Drag { .. }) => query.aim.deed.as_ref(),
        Call::Keyboard(keyboard) if may_press(keyboard) => query.aim.deed.as_ref(),
        Call::Dialog { action: DialogAction::Accept, .. } => {
            let asks = |kind| matches!(kind, DialogKind::Confirm | DialogKind::Prompt);
            query.opener.filter(|_| query.aim.dialog.as_ref().is_some_and(|open| asks(open.dialog.r#type)))
        }
        _ => None,
    }
}

fn named(call: &Call) -> (&'static str, &'static str) {
    let action = match call {
        Call::Tab(tab) => match tab {
            TabCall::Open { .. } | TabCall::Go { .. } => "open",
            TabCall::Close { .. } => "close",
            TabCall::Switch { .. } => "switch",
            TabCall::List => "list",
            TabCall::Refresh { .. } => "refresh",
            TabCall::View { .. } => "view",
            TabCall::Back { .. } => "back",
            TabCall::Forward { .. } => "forward",
        },
        Call::Mouse(mouse) => match mouse {
            MouseCall::Move { .. } => "move",
            MouseCall::Click { .. } => "click",
            MouseCall::Drag { .. } => "drag",
            MouseCall::Scroll { .. } => "scroll",
            MouseCall::Reset => "reset",
            MouseCall::Confirm => "confirm",
        },
        Call::Keyboard(keyboard) => match keyboard {
            KeyboardCall::Type { .. } => "type",
            KeyboardCall::Press { .. } => "press",
            KeyboardCall::Clear => "clear",
        },
        Call::Dialog { action: DialogAction::Accept, .. } => "accept",
        Call::Dialog { action: DialogAction::Dismiss, .. } => "dismiss",
        Call::Window(window) => match window {
            WindowCall::List => "list",
            WindowCall::Focus { .. } => "focus",
            WindowCall::Close { .. } => "close",
            WindowCall::Resize { .. } => "resize",
        },
        _ => "",
    };
    (call.tool_name(), action)
}

/// Every tool and action that a rule may name.
pub(crate) const TOOLS: &[&str] = &[
    "tab",
    "mouse",
    "keyboard",
    "dialog",
    "select_option",
    "upload_file",
    "wait",
    "zoom",
    "inspect",
    "ask_user",
    "done",
    "window",
];
pub(crate) const ACTIONS: &[&str] = &[
    "open", "close", "switch", "list", "refresh", "view", "back", "forward", "move", "click", "drag", "scroll",
    "reset", "confirm", "type", "press", "clear", "accept", "dismiss", "focus", "resize",
];

/// The address as the browser would read it: no blanks around it, the scheme in small letters, no line
/// breaks in the middle of it.
fn normalised(url: &str) -> String {
    match Url::parse(url) {
        Ok(url) => url.to_string(),
        Err(_) => url.trim().to_string(),
    }
}

/// Names in `<secret:NAME>`.
fn secrets_in(text: &str) -> Vec<String> {
    let parts = text.split("<secret:").skip(1);
    parts.filter_map(|part| part.split_once('>')).map(|(name, _)| name.to_string()).collect()
}

/// The canonical spelling of a chord, for comparing.
pub(crate) fn chord(text: &str) -> Result<String, String> {
    Chord::parse(text, &[] as &[Modifier]).map(|chord| chord.to_string())
}
