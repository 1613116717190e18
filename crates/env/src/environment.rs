//! The trait every environment implements. A call passes through aim, (guards, elsewhere), commit
//! and settle, so that a guard can look at what would be hit before anything is pressed.

use std::collections::BTreeMap;
use std::pin::Pin;

use async_trait::async_trait;
use surehand_checks::after::batch::PageChange;
use surehand_checks::after::probe::Manner;
use surehand_checks::before::Aim;
use surehand_checks::before::allowlist::Refused;
use surehand_types::call::TargetQuery;
use surehand_types::event::EnvironmentEvent;
use surehand_types::observation::{Dialog, Dispatched, Download, Pending};
use surehand_types::surroundings::{Surroundings, Whereabouts};
use surehand_types::{Call, Effect, ErrorCode, Interactable, Observation, Pixels, UiState, ViewBox, ViewSize};

use crate::{CallFailure, EnvError};

/// What a commit did, and what settle needs to know about it.
#[derive(Debug, Default)]
pub struct Receipt {
    /// Where input went; `None` for calls that point at nothing.
    pub dispatched: Option<Dispatched>,
    /// One line for the brain.
    pub message: String,
    /// A picture that was asked for (zoom).
    pub picture: Option<Pixels>,
    /// What was read off the screen, where that was asked for (inspect). Advice: no verdict is made from it.
    pub seen: Option<Vec<UiState>>,
    pub settle: SettleKind,
    pub effect: EffectSource,
}

/// Where the effect of a call is known from.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum EffectSource {
    /// The call is not one that has an effect.
    #[default]
    None,
    /// The commit saw it itself, by reading back.
    Known(Effect),
    /// The probe judges what changed since the mark.
    Probe(Manner),
}

/// The moment after a call, with what became of it.
#[derive(Debug, Clone)]
pub struct Settled {
    pub observation: Observation,
    pub effect: Option<Effect>,
}

/// What a person could read, for predictions that speak of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sight {
    pub lines: Vec<String>,
    /// False where something may have been left out.
    pub complete: bool,
    /// One for each selector that was asked for; `None` for what is none.
    pub counts: Vec<Option<u32>>,
    /// Dialogs of the page and of the browser that are open.
    pub modals: u32,
}

/// What a selector matches, for contracts that ask about the end state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matching {
    /// The text is no selector.
    pub invalid: bool,
    /// False where a part of the page could not be asked.
    pub complete: bool,
    /// All of them; `found` has the first ones.
    pub count: u32,
    pub found: Vec<Found>,
}

/// One element that a selector matched.
#[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
#[serde(default)]
pub struct Found {
    pub text: String,
    /// What a field holds; never a password.
    pub value: Option<String>,
    pub checked: Option<bool>,
    pub attributes: BTreeMap<String, String>,
    pub visible: bool,
}

/// The tables that a selector matches, in the page and its frames.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tables {
    /// The text is no selector.
    pub invalid: bool,
    /// False where a part of the page could not be asked.
    pub complete: bool,
    /// All of them; `found` has the first ones.
    pub count: u32,
    pub found: Vec<Table>,
}

/// One table, as it is shown.
#[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
#[serde(default)]
pub struct Table {
    pub headings: Vec<String>,
    pub rows: Vec<Vec<serde_json::Value>>,
    pub visible: bool,
    /// Rows that it says to have, drawn or not.
    pub total: Option<u64>,
    /// There were more rows than are in here.
    pub cut: bool,
}

/// Boxes that a person who watches the live page is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WatcherBox {
    pub bounds: ViewBox,
    /// What would be hit, rather than an alternative.
    pub hit: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SettleKind {
    /// Input was sent: wait until its consequences are drawn.
    #[default]
    AfterInput,
    /// A page was opened or reloaded: wait for it to load first.
    AfterNavigation,
    /// Nothing was sent; a fresh look is enough.
    Look,
    /// Nothing was sent and nothing new is wanted: the last observation still holds.
    Keep,
    /// The end is looked at to be judged: what is still on its way may arrive first, and the pointer is out of the way.
    LastLook,
}

/// What happened to the environment since it was last asked.
#[derive(Debug, Clone, Default)]
pub struct Happenings {
    /// Tabs that were opened, in order.
    pub opened: Vec<String>,
    pub downloads: Vec<Download>,
    /// The last dialog that was answered, by itself or by the `dialog` tool.
    pub answered_dialog: Option<Dialog>,
    /// An alert opened (and was accepted) since the call began.
    pub alert_in_call: bool,
    pub events: Vec<EnvironmentEvent>,
    /// What the allowlist refused.
    pub refused: Vec<Refused>,
    /// The page that the call was to load turned out to be one that the allowlist refuses.
    pub led_outside: Option<CallFailure>,
    pub page_changed: PageChange,
}

#[async_trait]
pub trait Environment: Send {
    /// For records: "chromium 156…, launched".
    fn describe(&self) -> String;

    /// What somebody who relies on the environment has to know from its start; for the trace.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Secrets that can be typed here, by name.
    fn secret_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn view(&self) -> ViewSize;

    /// The present moment. The post frame of one step serves as the pre frame of the next.
    async fn observe(&mut self) -> Result<Observation, EnvError>;

    /// A call begins: page changes from here on are its doing. Other happenings since the last
    /// `take_happenings` stay, so that nothing is lost between two calls.
    fn begin_call(&mut self);

    /// Moves the hand to where the call will act, and reads what it would hit.
    async fn aim(&mut self, call: &Call) -> Result<Aim, CallFailure>;

    /// Does it. Only what `aim` prepared is acted on.
    async fn commit(&mut self, call: &Call, aim: &Aim) -> Result<Receipt, CallFailure>;

    /// Takes back what `aim` held ready (modifier keys), after a guard refused.
    async fn abandon(&mut self);

    /// Waits for the consequences and looks: the frame is provably later than the commit.
    async fn settle(&mut self, receipt: &Receipt) -> Result<Settled, EnvError>;

    /// Keeps a native control from opening its picker and holds it ready for its follow-up.
    async fn intercept(&mut self, _aim: &Aim) -> Result<(), CallFailure> {
        Err(CallFailure::new(ErrorCode::NotAvailable, "there are no native controls here"))
    }

    /// The native control or file chooser that waits for its follow-up.
    fn held(&self) -> Option<Pending> {
        None
    }

    /// Lets go of it, because something else was done.
    fn release_held(&mut self) {}

    /// Names the document that is shown; another name means that the page is another one.
    fn document(&self) -> String;

    /// Paints boxes on the live page for a person who watches, where one can.
    async fn show_watcher(&mut self, _boxes: &[WatcherBox]) {}

    fn take_happenings(&mut self) -> Happenings;

    /// Where the active tab is right now, which may be newer than the last observation.
    fn live_url(&self) -> Option<String>;

    /// Why the environment can no longer be used, if so.
    fn lost(&self) -> Option<String>;

    /// What can be read at this moment, and how much each selector matches; `None` where nobody can tell.
    async fn sight(&mut self, _selectors: &[String]) -> Option<Sight> {
        None
    }

    /// What a selector matches at this moment; `None` where nobody can tell.
    async fn matching(&mut self, _selector: &str) -> Option<Matching> {
        None
    }

    /// The tables that a selector matches at this moment; `None` where nobody can tell.
    async fn tables(&mut self, _selector: &str) -> Option<Tables> {
        None
    }

    /// What the page keeps in its storage under a name, if it is of that origin.
    async fn kept(&mut self, _origin: &str, _key: &str) -> Option<String> {
        None
    }

    /// The cookies that would go to an address, as one header; `None` where there is no such thing.
    async fn cookies_for(&mut self, _url: &str) -> Option<String> {
        None
    }

    /// What can be aimed at by name, where looking for it is too dear to be part of every observation;
    /// `None` where observations have it already.
    async fn named_targets(&mut self, _query: &TargetQuery) -> Option<Vec<Interactable>> {
        None
    }

    /// What stands around a place right now; `None` where nobody can tell.
    async fn surroundings(&mut self, _place: Whereabouts) -> Option<Surroundings> {
        None
    }

    /// What can be gone on from in another environment of the same kind; `None` where there is no such thing.
    async fn keepsake(&mut self) -> Option<serde_json::Value> {
        None
    }

    /// Takes up what another one left, before anything else is done. One sentence where that cannot be.
    async fn take_up(&mut self, _keepsake: &serde_json::Value) -> Result<(), String> {
        Err("this kind of environment cannot go on from what another one left".into())
    }

    /// Whether the environment has ended the task by itself (benchmarks do), and if it counts as a success.
    fn ended(&self) -> Option<bool> {
        None
    }

    /// Ends when the environment is lost, with the reason. Whoever waits for something else waits
    /// for this too, so that nobody waits for a world that is gone.
    fn until_lost(&self) -> Pin<Box<dyn Future<Output = String> + Send>>;

    /// The run is over: what is still under way is given up, and told with the last happenings.
    fn wind_up(&mut self) {}

    /// Ends everything that was started; bounded.
    async fn close(&mut self);
}
