//! Whether a call may be made: what the policy says, and what a person says where the policy wants one.
//! Everything that is decided here is told to a witness, which keeps it where the run cannot change it.

use std::path::PathBuf;
use std::time::Instant;

use surehand_checks::before::policy::{DEFAULT_RULE, Judgement, KnownOrigins, Policy, Query, Verdict};
use surehand_checks::before::{Aim, Deed};
use surehand_types::call::MouseCall;
use surehand_types::event::Confirmation;
use surehand_types::result::{AuditAnchor, ConfirmAnswer, PolicyRecord};
use surehand_types::{Call, Observation};

use crate::people::{Approver, Question};
use crate::waits::Waits;

/// The rule name under which refusals of the allowlist are written down.
const ALLOWLIST_RULE: &str = "allowlist";

/// Which calls need a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfirmMode {
    /// Those that the policy wants confirmed.
    Risky,
    /// Every call that acts.
    All,
    /// None: what the policy wants confirmed is allowed. What it denies stays denied.
    None,
}

impl ConfirmMode {
    pub fn parse(name: &str) -> ConfirmMode {
        match name {
            "all" => ConfirmMode::All,
            "none" => ConfirmMode::None,
            _ => ConfirmMode::Risky,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            ConfirmMode::Risky => "risky",
            ConfirmMode::All => "all",
            ConfirmMode::None => "none",
        }
    }
}

/// Whether `--confirm none` means that nobody is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asking {
    ByMode,
    /// A plan's own gate: who wrote it wants a person, whatever the policy lets pass.
    Always,
}

/// One decision of the policy.
#[derive(Debug, Clone, Copy)]
pub struct Decided<'a> {
    pub step: u32,
    /// The call's tool and action, and what it aims at.
    pub what: &'a str,
    pub url: Option<&'a str>,
    pub verdict: &'a str,
    pub rule: &'a str,
    pub reason: &'a str,
    pub confirm: &'static str,
}

/// Keeps what was decided. Trouble with keeping it must not be hidden: an error refuses the call.
pub trait Witness: Send + Sync {
    fn decided(&mut self, decided: &Decided<'_>) -> Result<(), String>;

    fn asked(&mut self, asked: &Confirmation) -> Result<(), String>;

    /// The text without secrets.
    fn redacted(&self, text: &str) -> String {
        text.to_string()
    }

    /// A picture that a person can open, secrets masked.
    fn picture(&mut self, _observation: &Observation) -> Option<PathBuf> {
        None
    }

    /// The run is over; where the record stands now.
    fn ended(&mut self, reason: &str, steps: u32) -> Option<AuditAnchor>;
}

/// What every call has to pass, whatever door it came through.
pub struct Permits {
    policy: Policy,
    mode: ConfirmMode,
    known: KnownOrigins,
    approver: Box<dyn Approver>,
    witness: Box<dyn Witness>,
    waits: Waits,
}

impl std::fmt::Debug for Permits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Permits").field("mode", &self.mode).field("known", &self.known).finish_non_exhaustive()
    }
}

/// What became of a call at the policy.
pub(crate) enum Permit {
    Granted,
    /// A person has to be asked first.
    Ask,
    /// One sentence for the brain.
    Refused(String),
}

impl Permits {
    pub fn new(
        policy: Policy,
        mode: ConfirmMode,
        known: KnownOrigins,
        approver: Box<dyn Approver>,
        witness: Box<dyn Witness>,
    ) -> Permits {
        Permits { policy, mode, known, approver, witness, waits: Waits::default() }
    }

    /// What the time in which people are asked is added to.
    pub(crate) fn count_in(&mut self, waits: Waits) {
        self.waits = waits;
    }

    /// Judges and writes down.
    pub(crate) fn decide(
        &mut self,
        call: &Call,
        aim: &Aim,
        url: Option<&str>,
        opener: Option<&Deed>,
        step: u32,
    ) -> (PolicyRecord, Permit) {
        let judged = self.policy.judge(&Query { call, aim, url, opener, known: &self.known });
        let what = in_words(call, aim);
        let decided = Decided {
            step,
            what: &what,
            url,
            verdict: judged.verdict.as_str(),
            rule: &judged.rule,
            reason: &judged.reason,
            confirm: self.mode.as_str(),
        };
        let kept = self.witness.decided(&decided);
        let permit = match (judged.verdict, self.mode) {
            (Verdict::Deny, _) => {
                Permit::Refused(format!("the policy does not allow it (rule {}): {}", judged.rule, judged.reason))
            }
            _ if kept.is_err() => Permit::Refused(kept.err().unwrap_or_default()),
            (Verdict::Confirm, ConfirmMode::Risky | ConfirmMode::All) => Permit::Ask,
            (_, ConfirmMode::All) if acts(call) => Permit::Ask,
            _ => Permit::Granted,
        };
        (record(&judged), permit)
    }

    /// The same facts judged again, after a person took their time.
    pub(crate) fn still_decides(
        &self,
        call: &Call,
        aim: &Aim,
        url: Option<&str>,
        opener: Option<&Deed>,
        rule: &str,
    ) -> bool {
        self.policy.judge(&Query { call, aim, url, opener, known: &self.known }).rule == rule
    }

    /// A call that was never tried, or that does nothing to the world.
    pub(crate) fn harmless(&mut self, call: &Call, step: u32, reason: &str) -> PolicyRecord {
        self.write_down(call, step, (Verdict::Allow, DEFAULT_RULE), reason)
    }

    /// What the rules had nothing against and the allowlist refused: its word is the decision.
    pub(crate) fn refused_by_allowlist(&mut self, call: &Call, step: u32, reason: &str) -> PolicyRecord {
        self.write_down(call, step, (Verdict::Deny, ALLOWLIST_RULE), reason)
    }

    fn write_down(&mut self, call: &Call, step: u32, (verdict, rule): (Verdict, &str), reason: &str) -> PolicyRecord {
        let record =
            PolicyRecord { decision: verdict.as_str().into(), rule: rule.into(), reason: reason.into(), ..blank() };
        let what = in_words(call, &Aim::default());
        let decided = Decided {
            step,
            what: &what,
            url: None,
            verdict: &record.decision,
            rule: &record.rule,
            reason,
            confirm: self.mode.as_str(),
        };
        if let Err(error) = self.witness.decided(&decided) {
            tracing::warn!(error, "a decision could not be written to the audit log");
        }
        record
    }

    pub(crate) async fn ask(
        &mut self,
        call: &Call,
        aim: &Aim,
        url: Option<&str>,
        record: &PolicyRecord,
        observation: &Observation,
        step: u32,
    ) -> Confirmation {
        let what = in_words(call, aim);
        let reason = why_asked(record);
        let clean = |text: String| self.witness.redacted(&text);
        let question = Question {
            what: clean(done_in_words(call)),
            target: target_of(call, aim).map(|target| clean(target + &heading_above(aim))),
            url: url.map(|url| clean(url.to_string())),
            rule: record.rule.clone(),
            reason: reason.clone(),
            picture: None,
        };
        self.put(question, what, url, observation, step).await
    }

    /// The word of a person who makes the call: nobody is asked, and it is written down all the same.
    pub(crate) fn agreed_by_doing(
        &mut self,
        call: &Call,
        aim: &Aim,
        url: Option<&str>,
        record: &PolicyRecord,
        step: u32,
        by: &str,
    ) -> Confirmation {
        self.written(Confirmation {
            step,
            rule: record.rule.clone(),
            reason: why_asked(record),
            what: in_words(call, aim),
            url: url.map(str::to_string),
            answer: ConfirmAnswer::Yes,
            seconds: 0.0,
            by: Some(by.to_string()),
            by_doing: true,
        })
    }

    /// Something that is to be agreed to beside any rule of the policy; `None` where nobody has to.
    pub(crate) async fn agree(
        &mut self,
        what: &str,
        rule: &str,
        reason: &str,
        observation: &Observation,
        step: u32,
        asking: Asking,
    ) -> Option<Confirmation> {
        let url = observation.url.as_deref();
        let verdict = Verdict::Confirm.as_str();
        let decided = Decided { step, what, url, verdict, rule, reason, confirm: self.mode.as_str() };
        let kept = self.witness.decided(&decided);
        if self.mode == ConfirmMode::None && asking == Asking::ByMode && kept.is_ok() {
            return None;
        }
        let clean = |text: &str| self.witness.redacted(text);
        let question = Question {
            what: clean(what),
            target: None,
            url: url.map(clean),
            rule: rule.to_string(),
            reason: clean(reason),
            picture: None,
        };
        Some(self.put(question, what.to_string(), url, observation, step).await)
    }

    /// Asks, and writes the answer down.
    async fn put(
        &mut self,
        question: Question,
        what: String,
        url: Option<&str>,
        observation: &Observation,
        step: u32,
    ) -> Confirmation {
        let question = Question { picture: self.witness.picture(observation), ..question };
        let began = Instant::now();
        let waiting = self.waits.begin();
        let answer = self.approver.approve(&question).await;
        drop(waiting);
        self.written(Confirmation {
            step,
            rule: question.rule,
            reason: question.reason,
            what,
            url: url.map(str::to_string),
            answer,
            seconds: began.elapsed().as_secs_f64(),
            by: self.approver.answered_by(),
            by_doing: false,
        })
    }

    /// What cannot be written down does not happen.
    fn written(&mut self, asked: Confirmation) -> Confirmation {
        match self.witness.asked(&asked) {
            Ok(()) => asked,
            Err(error) => {
                tracing::error!(error, "an approval could not be written to the audit log");
                Confirmation { answer: ConfirmAnswer::No, ..asked }
            }
        }
    }

    pub(crate) fn ended(&mut self, reason: &str, steps: u32) -> Option<AuditAnchor> {
        self.witness.ended(reason, steps)
    }
}

/// Where no rule asked, `--confirm all` did.
fn why_asked(record: &PolicyRecord) -> String {
    match record.decision.as_str() {
        "confirm" => record.reason.clone(),
        _ => "every action is to be confirmed".into(),
    }
}

/// Why a person's answer keeps the call from being made.
pub(crate) fn refusal(asked: &Confirmation) -> String {
    let why = format!("rule {}: {}", asked.rule, asked.reason);
    match asked.answer {
        ConfirmAnswer::Yes => String::new(),
        ConfirmAnswer::No => format!("a person said no ({why})"),
        ConfirmAnswer::Timeout => {
            format!("a person has to agree ({why}), and nobody did within {:.0} s", asked.seconds)
        }
        ConfirmAnswer::NoTerminal => format!(
            "a person has to agree ({why}), and there is no terminal to ask at; `--confirm none` is for scripted runs"
        ),
        ConfirmAnswer::Cancelled => format!("a person has to agree ({why}), and the run was told to stop"),
        ConfirmAnswer::Withdrawn => {
            format!("not decided: the question was withdrawn before anybody answered ({why})")
        }
    }
}

/// What is different from what the person was asked about, in one sentence; `None` if nothing is.
pub(crate) fn changed_since(asked: &Aim, now: &Aim) -> Option<String> {
    let name = |aim: &Aim| {
        let by_deed = aim.deed.as_ref().map(|deed| deed.descriptor.as_str()).filter(|text| !text.is_empty());
        by_deed.or(aim.hit.as_ref().map(|hit| hit.descriptor.as_str())).unwrap_or("nothing that is known").to_string()
    };
    if asked.pastes != now.pastes {
        return Some("what would be pasted into is not what was agreed to; look again".into());
    }
    if asked.dialog != now.dialog {
        return Some("the dialog is not the one that was agreed to; look again".into());
    }
    if asked.resends != now.resends {
        return Some("what would be loaded again is not what was agreed to; look again".into());
    }
    let end = |aim: &Aim| {
        let by_deed = aim.end.as_ref().map(|deed| deed.identity.clone());
        by_deed.or(aim.spots.last().and_then(|spot| spot.hit.as_ref()).map(|hit| hit.identity.clone()))
    };
    // A heading may count seconds; whether it still asks the same thing is judged again by the rules.
    let bare = |deed: &Deed| Deed { context: String::new(), ..deed.clone() };
    let same_hit = match (&asked.deed, &now.deed) {
        (Some(asked), Some(now)) => bare(asked) == bare(now),
        (None, None) => asked.hit.as_ref().map(|hit| &hit.descriptor) == now.hit.as_ref().map(|hit| &hit.descriptor),
        _ => false,
    };
    if same_hit && end(asked) == end(now) {
        return None;
    }
    Some(format!("{} was agreed to, but {} is there now; look again", name(asked), name(now)))
}

/// Calls that do something to the world. Moving and scrolling only look around.
fn acts(call: &Call) -> bool {
    let looks_around = matches!(call, Call::Mouse(MouseCall::Move { .. } | MouseCall::Scroll { .. }));
    !call.only_looks() && !looks_around && !matches!(call, Call::AskUser { .. } | Call::Done { .. })
}

fn record(judged: &Judgement) -> PolicyRecord {
    PolicyRecord {
        decision: judged.verdict.as_str().into(),
        rule: judged.rule.clone(),
        reason: judged.reason.clone(),
        ..blank()
    }
}

fn blank() -> PolicyRecord {
    PolicyRecord { decision: String::new(), rule: String::new(), reason: String::new(), answer: None, by: None }
}

fn target_of(call: &Call, aim: &Aim) -> Option<String> {
    if let Some(open) = &aim.dialog {
        return Some(format!("the dialog {:?}", shortened(&open.dialog.message)));
    }
    if let (Call::Keyboard(_), Some(paste)) = (call, &aim.pastes) {
        return Some(paste.descriptor.clone());
    }
    let end = match call {
        Call::Mouse(MouseCall::Drag { .. }) => end_of(aim).map(|end| format!(", to {end}")).unwrap_or_default(),
        _ => String::new(),
    };
    let deed = aim.deed.as_ref().map(|deed| deed.descriptor.clone()).filter(|text| !text.is_empty());
    let named = deed.or_else(|| aim.hit.as_ref().map(|hit| hit.descriptor.clone()));
    named.map(|named| named + &end)
}

fn end_of(aim: &Aim) -> Option<&str> {
    let by_deed = aim.end.as_ref().map(|deed| deed.descriptor.as_str()).filter(|text| !text.is_empty());
    by_deed.or(aim.spots.last().and_then(|spot| spot.hit.as_ref()).map(|hit| hit.descriptor.as_str()))
}

/// "Confirm" alone tells a person little; what stands above it tells more.
fn heading_above(aim: &Aim) -> String {
    let heading = aim.deed.as_ref().map(|deed| deed.context.as_str()).unwrap_or_default();
    if heading.is_empty() { String::new() } else { format!(", under {:?}", shortened(heading)) }
}

/// The call by its own fields, as far as a person needs them.
fn done_in_words(call: &Call) -> String {
    use surehand_types::call::{KeyboardCall, TabCall};
    match call {
        Call::Mouse(MouseCall::Click { button, count, .. }) => {
            let times = if *count > 1 { format!("{count} times ") } else { String::new() };
            format!("{times}{} click", format!("{button:?}").to_lowercase())
        }
        Call::Mouse(MouseCall::Drag { .. }) => "drag".into(),
        Call::Keyboard(KeyboardCall::Type { text }) => format!("type {:?}", shortened(text)),
        Call::Keyboard(KeyboardCall::Press { chord }) => format!("press {chord}"),
        Call::Keyboard(KeyboardCall::Clear) => "clear the field".into(),
        Call::Tab(TabCall::Open { url } | TabCall::Go { url }) => format!("open {}", shortened(url)),
        Call::Dialog { action, prompt_text } => {
            let with = prompt_text.as_ref().map(|text| format!(" with {:?}", shortened(text))).unwrap_or_default();
            format!("{} the dialog{with}", format!("{action:?}").to_lowercase())
        }
        Call::SelectOption { values } => format!("choose {}", shortened(&values.join(", "))),
        Call::UploadFile { paths } => format!("upload {}", shortened(&paths.join(", "))),
        Call::Tab(TabCall::Refresh { .. }) => "load the page again".into(),
        call => call.tool_name().replace('_', " "),
    }
}

fn in_words(call: &Call, aim: &Aim) -> String {
    match target_of(call, aim) {
        Some(target) => format!("{} on {target}", done_in_words(call)),
        None => done_in_words(call),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}
