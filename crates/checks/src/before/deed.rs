//! What a press would set off, as far as the page can tell before it is made: the words on the control,
//! what it submits, where it leads. Facts for the policy; no judgement.

use surehand_types::Dialog;

/// The control that a click or a key would work.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Deed {
    /// The control's role; `None` for something that has none.
    pub role: Option<String>,
    /// The words on it; for Enter in a field, those of the button that Enter stands for.
    pub name: String,
    /// What is written on it for everybody to see, where that is not its name: a page may call a button one
    /// thing and show another.
    pub shown: String,
    /// Other words that tell what it does, each by itself: its tooltip, its icon, the track of a slider's handle, the
    /// buttons that Enter in a field may stand for.
    pub labels: Vec<String>,
    /// The heading of the dialog, the form or the part of the page that holds it.
    pub context: String,
    /// Enter in a field without a form: the words are those of the buttons beside it, and one of them may be worked.
    pub beside: bool,
    /// Like `button "Save"`.
    pub descriptor: String,
    /// Stays the same for the same element as long as its document lives.
    pub identity: String,
    /// The security origin of the document that holds it, `null` where it has none.
    pub origin: Option<String>,
    /// A form would be sent.
    pub submits: bool,
    /// Where the form would go, as an origin.
    pub action_origin: Option<String>,
    /// `get`, `post` or `dialog`.
    pub method: Option<String>,
    /// A link that only opens another page of the same origin.
    pub navigates: bool,
}

/// A paste or a drop that may carry a secret into a document that the secret is not bound to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Paste {
    /// The secret's name.
    pub secret: String,
    /// The security origin of the document that would get it; `None` where it could not be read.
    pub origin: Option<String>,
    /// Where it would go, like `textbox "Comment"`.
    pub descriptor: String,
    /// Stays the same for the same element as long as its document lives.
    pub identity: String,
}

/// A dialog of the browser that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDialog {
    pub dialog: Dialog,
    /// The tab that shows it, by its own short name.
    pub tab: String,
}
