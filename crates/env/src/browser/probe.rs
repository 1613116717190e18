//! The no-op probe's part on this side: marks the beginning of an action, gathers what documents and
//! events noticed since, and waits for late evidence before an action is called dead.

use std::time::{Duration, Instant};

use surehand_checks::after::probe::{DocumentFacts, Doubt, Manner, ProbeFacts, ProbeVerdict, Signals, judge};
use surehand_types::event::EnvironmentEvent;
use surehand_types::{Effect, EffectStatus, ErrorCode, Interactable, ViewBox};

use super::aiming::view_box;
use super::facts::{PageFacts, Rest};
use super::page::{Page, PageTrouble};
use super::pointer::{AimedAt, Before};
use super::{BrowserEnv, failure_of};
use crate::cdp::CdpError;
use crate::environment::{EffectSource, Receipt, SettleKind, Settled};
use crate::{CallFailure, EnvError};

/// A page that does not answer within this time is hung.
const ANSWER_DEADLINE: Duration = Duration::from_secs(5);

/// Between two looks for late evidence.
const BETWEEN_READINGS: Duration = Duration::from_millis(60);

/// A change with nothing but its time to speak for it is watched this long: a clock shows itself by then.
const RHYTHM: Duration = Duration::from_millis(1200);

/// The same on a page that has not been watched for long: its slower rhythms are not known yet.
const SLOW_RHYTHM: Duration = Duration::from_millis(2400);

/// What appeared where nothing was has to stand this long: a message that flashes is gone by then.
const STANDING: Duration = Duration::from_millis(800);

/// How long a scroll that moved nothing is watched.
const SCROLL_PATIENCE: Duration = Duration::from_millis(400);

/// What the documents had noticed at a look.
#[derive(Debug, Default)]
pub(super) struct Noticed {
    pub(super) documents: Vec<DocumentFacts>,
    unread: usize,
    /// Canvases and videos, and what changes by itself, in view pixels.
    pub(super) surfaces: Vec<ViewBox>,
    pub(super) restless: Vec<ViewBox>,
}

impl Noticed {
    pub(super) fn of(facts: &mut PageFacts) -> Noticed {
        let mut documents = std::mem::take(&mut facts.frame_probes);
        let unread = facts.unread + usize::from(facts.probe.is_none());
        documents.extend(facts.probe.take());
        let boxes = |pick: fn(&DocumentFacts) -> &Vec<[f64; 4]>| -> Vec<ViewBox> {
            documents.iter().flat_map(pick).copied().map(view_box).collect()
        };
        let (surfaces, restless) = (boxes(|document| &document.surfaces), boxes(|document| &document.restless));
        Noticed { documents, unread, surfaces, restless }
    }

    /// A reading between two looks: frames tell their boxes only at a look, where they are placed.
    fn update(&mut self, documents: Vec<DocumentFacts>, unread: usize) {
        (self.documents, self.unread) = (documents, unread);
    }

    /// Nothing could be asked.
    pub(super) fn nothing() -> Noticed {
        Noticed { unread: 1, ..Noticed::default() }
    }
}

impl BrowserEnv {
    /// Marks the beginning in every frame, and notes whether the page changes by itself: settle must not
    /// wait for that to end. A page that does not answer at all would swallow the input too, so nothing
    /// is sent to it.
    pub(super) async fn begin_watching(&mut self, page: &Page) -> Result<(), CallFailure> {
        let before = {
            let state = self.shared.lock();
            Before {
                frame: self.last.as_ref().map(|last| last.frame.clone()),
                frame_documents: state.active().map_or(0, |tab| tab.frame_documents),
                opened: state.happenings.opened.len(),
                closed: state.happenings.events.iter().filter(is_closing).count(),
                downloads: state.happenings.downloads.len(),
                downloads_begun: state.downloads.begun(),
            }
        };
        self.aimed_at = AimedAt { before, ..AimedAt::default() };
        self.forget_other_pictures();
        let begun = async { tokio::join!(page.evaluate::<Rest>("__surehand.begin()"), page.mark_frames(None)).0 };
        let rest = tokio::time::timeout(ANSWER_DEADLINE, begun).await;
        (self.restless_before, self.changes_before) = match &rest {
            Ok(Ok(rest)) => (rest.idle < 100.0, rest.count),
            _ => (false, 0),
        };
        match rest {
            Err(_) | Ok(Err(PageTrouble::Protocol(CdpError::Deadline { .. }))) => Err(CallFailure::new(
                ErrorCode::Timeout,
                "the page does not answer, so nothing was sent to it; tab refresh loads it again",
            )),
            Ok(Err(PageTrouble::Interrupted(interruption))) => Err(failure_of(PageTrouble::Interrupted(interruption))),
            Ok(_) => Ok(()),
        }
    }

    pub(super) async fn settle_and_judge(&mut self, receipt: &Receipt) -> Result<Settled, EnvError> {
        let shown_before = self.last.as_ref().map(|observation| observation.interactables.clone());
        let observation = self.settle_after(receipt.settle).await?;
        self.adopt_file_chooser().await;
        let manner = match &receipt.effect {
            EffectSource::None => return Ok(Settled { observation, effect: None }),
            EffectSource::Known(effect) => return Ok(Settled { observation, effect: Some(effect.clone()) }),
            EffectSource::Probe(_) if !self.probing => {
                return Ok(Settled { observation, effect: Some(Effect::not_measured()) });
            }
            EffectSource::Probe(manner) => *manner,
        };
        self.watch_pixels(&observation);
        let verdict = self.judge(manner);
        if manner == Manner::Move {
            // A move that changed nothing is no news.
            let reaction = Some(verdict.effect).filter(|effect| effect.status == EffectStatus::Confirmed);
            let unfolded = shown_before.and_then(|before| hover_reaction(&before, &observation.interactables));
            return Ok(Settled { observation, effect: reaction.or(unfolded) });
        }
        if is_final(&verdict) {
            return Ok(Settled { observation, effect: Some(verdict.effect) });
        }
        let verdict = self.wait_for_evidence(verdict, manner).await?;
        let kind =
            if verdict.effect.status == EffectStatus::Confirmed { SettleKind::AfterInput } else { SettleKind::Look };
        let observation = self.settle_after(kind).await?;
        self.adopt_file_chooser().await;
        // The last look may show what the readings did not yet.
        let verdict = if verdict.effect.status == EffectStatus::NoEffect { self.judge(manner) } else { verdict };
        Ok(Settled { observation, effect: Some(verdict.effect) })
    }

    /// Late timers and slow servers are real: only what stays quiet for the whole patience is dead, and what
    /// came once, late, and did not come again while its kind would have, was most likely called for.
    async fn wait_for_evidence(&mut self, first: ProbeVerdict, manner: Manner) -> Result<ProbeVerdict, EnvError> {
        let mut verdict = first;
        // A scroll that moved nothing is at its end; only what listens to wheels may still answer.
        let patience = if manner == Manner::Scroll { SCROLL_PATIENCE } else { self.timing.patience };
        let mut end = self.committed_at + patience.min(self.timing.patience);
        let longest = end + SLOW_RHYTHM;
        let mut doubted_since: Option<Instant> = None;
        while !is_final(&verdict) {
            if let Some(needed) = needed_time(verdict.doubt) {
                let since = *doubted_since.get_or_insert_with(Instant::now);
                end = end.max(since + needed).min(longest);
                if since.elapsed() >= needed {
                    break;
                }
            } else {
                doubted_since = None;
            }
            if Instant::now() >= end {
                break;
            }
            tokio::time::sleep(BETWEEN_READINGS).await;
            let page = self.page()?;
            let (documents, unread) = page.read_probes().await;
            self.noticed.update(documents, unread);
            self.glimpse_again(&page).await;
            verdict = self.judge(manner);
        }
        self.learn_from_watch();
        Ok(verdict)
    }

    fn judge(&self, manner: Manner) -> ProbeVerdict {
        let facts = ProbeFacts {
            documents: self.noticed.documents.clone(),
            unread: self.noticed.unread,
            signals: self.signals(),
            blind: self.aimed_at.blind.clone(),
            pixels: self.pixel_facts(),
        };
        judge(&facts, manner)
    }

    fn signals(&self) -> Signals {
        let state = self.shared.lock();
        let happened = &state.happenings;
        let before = &self.aimed_at.before;
        let tab = state.active();
        Signals {
            new_document: happened.page_changed.new_document,
            frame_navigations: tab.map_or(0, |tab| tab.frame_documents.saturating_sub(before.frame_documents) as usize),
            url_changed: happened.page_changed.url_changed,
            other_active_tab: happened.page_changed.other_active_tab,
            tabs_opened: happened.opened.len().saturating_sub(before.opened),
            tabs_closed: happened.events.iter().filter(is_closing).count().saturating_sub(before.closed),
            dialog: happened.alert_in_call || state.open_dialog().is_some(),
            downloads: happened.downloads.len().saturating_sub(before.downloads),
            downloads_begun: state.downloads.begun().saturating_sub(before.downloads_begun) as usize,
            file_chooser: tab.is_some_and(|tab| tab.file_chooser.is_some()) || self.chooser_opened(),
            requests: tab.map(|tab| tab.requests.since(self.committed_at)).unwrap_or_default(),
        }
    }
}

/// A menu that style alone unfolds changes no tree, but the controls that can be seen.
fn hover_reaction(before: &[Interactable], after: &[Interactable]) -> Option<Effect> {
    let differs = |one: &&Interactable, others: &[Interactable]| {
        !others.iter().any(|other| other.role == one.role && other.name == one.name)
    };
    let came = after.iter().find(|one| differs(one, before)).map(|one| format!("{} came into view", one.descriptor()));
    let went = || before.iter().find(|one| differs(one, after)).map(|one| format!("{} is gone", one.descriptor()));
    Some(Effect::confirmed("hover", came.or_else(went)?))
}

fn needed_time(doubt: Doubt) -> Option<Duration> {
    match doubt {
        Doubt::None => None,
        Doubt::MayVanish => Some(STANDING),
        Doubt::MayRepeat { young: true } | Doubt::MayMove { going_on: true } => Some(SLOW_RHYTHM),
        Doubt::MayRepeat { young: false } | Doubt::MayMove { going_on: false } => Some(RHYTHM),
    }
}

fn is_closing(event: &&EnvironmentEvent) -> bool {
    matches!(event, EnvironmentEvent::TabClosed { .. })
}

/// Waiting can change nothing: there is evidence, or the probe cannot see.
fn is_final(verdict: &ProbeVerdict) -> bool {
    match verdict.effect.status {
        EffectStatus::Confirmed => verdict.doubt == Doubt::None,
        EffectStatus::Unverifiable => verdict.effect.reason.as_deref() != Some("probe_unread"),
        EffectStatus::NoEffect => false,
        EffectStatus::Refused => true,
    }
}
