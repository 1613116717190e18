//! What an agenda does itself, between errands: open an address, look at the page, ask people, write things down.

use std::time::{Duration, Instant};

use serde_json::json;
use surehand_env::{Matching, Receipt, SettleKind};
use surehand_types::call::TabCall;
use surehand_types::event::Event;
use surehand_types::plan::PlanEvent;
use surehand_types::reply::{CallForm, CallRequest};
use surehand_types::result::ConfirmAnswer;
use surehand_types::{Call, Termination};

use super::{Course, Halt, Look};
use crate::budget::Budget;
use crate::doing::act_in_time;
use crate::people::{ANSWER_CAP, NoAnswer};
use crate::permits::Asking;
use crate::reins::write_down;
use crate::run::Ending;

/// Who a step was done by that a plan made by itself.
const BY_PLAN: &str = "plan";

/// Time to ask the environment what it can be gone on from.
const KEEPING: Duration = Duration::from_secs(10);

impl Course<'_> {
    /// Opens an address in the active tab, through the same hand as every call. The inner error is one sentence.
    pub async fn go_to(&mut self, url: &str, timeout: Option<Duration>) -> Result<Result<(), String>, Halt> {
        let call = Call::Tab(TabCall::Go { url: url.to_string() });
        let given = json!({"tool": "tab", "action": "go", "url": url}).as_object().cloned().unwrap_or_default();
        let request = CallRequest { given: given.clone(), form: CallForm::Ready(call.clone()) };
        loop {
            self.hold().await?;
            self.end_errand();
            let run = &mut *self.run;
            run.budget = Budget::new(u32::MAX, timeout, &run.waits);
            let before = run.env.observe().await.map_err(Ending::from)?;
            let frame_before = run.trace.frame(&before).map_err(Ending::from)?;
            let by = Some(BY_PLAN.to_string());
            let started = Event::CallStarted { step: run.steps + 1, call: given.clone(), by };
            run.trace.record(started).map_err(Ending::from)?;
            let began = Instant::now();
            let acted = act_in_time(run, &call, &request).await?;
            write_down(run, given.clone(), Some(BY_PLAN), &frame_before, &acted, began)?;
            run.last = None;
            // Asked again when people let it go on.
            if acted.was_withdrawn() {
                continue;
            }
            return Ok(if acted.ok { Ok(()) } else { Err(acted.message) });
        }
    }

    /// The page as it is now, with what can be read on it.
    pub async fn look(&mut self, selectors: &[String]) -> Result<Look, Halt> {
        let run = &mut *self.run;
        let look = Receipt { settle: SettleKind::Look, ..Receipt::default() };
        let observation = run.env.settle(&look).await.map_err(Ending::from)?.observation;
        let sight = run.env.sight(selectors).await;
        Ok(Look { observation, sight })
    }

    /// Writes a frame that was looked at to the trace; the hash under which it is kept.
    pub fn keep_frame(&mut self, look: &Look) -> Result<String, Halt> {
        Ok(self.run.trace.frame(&look.observation).map_err(Ending::from)?)
    }

    /// Rests for a moment, unless the run is told to stop.
    pub async fn rest(&mut self, time: Duration) -> Result<(), Halt> {
        tokio::select! {
            () = self.run.cancel.cancelled() => Err(self.run.told_to_end().into()),
            () = self.run.reins.until_put_away() => Err(Ending::of(Termination::Paused).into()),
            () = tokio::time::sleep(time) => Ok(()),
        }
    }

    /// What a selector matches now; `None` where nobody can tell.
    pub async fn matching(&mut self, selector: &str) -> Option<Matching> {
        self.run.env.matching(selector).await
    }

    /// The hash of a frame of this run that somebody names by its number.
    pub fn frame_by_number(&self, number: u64) -> Option<String> {
        self.run.trace.recorded_frame(number).map(str::to_string)
    }

    /// The same by a hash: the frame's own, or that of the picture which the brain was shown of it.
    pub fn frame_by_hash(&self, sha256: &str) -> Option<String> {
        if self.run.trace.has_recorded(sha256) {
            return Some(sha256.to_string());
        }
        let number = self.run.files().and_then(|files| files.number_of(sha256))?;
        self.frame_by_number(number)
    }

    /// What the browser can be gone on from, in another process if need be.
    pub async fn keepsake(&mut self) -> Option<serde_json::Value> {
        tokio::time::timeout(KEEPING, self.run.env.keepsake()).await.ok().flatten()
    }

    /// A person's answer; the inner error says why there is none. `silence` is what follows from that, for people.
    pub async fn ask(&mut self, question: &str, silence: &str) -> Result<Result<String, String>, Halt> {
        let question = self.run.config.redactor.text(question);
        loop {
            self.hold().await?;
            let run = &mut *self.run;
            let waiting = run.waits.begin();
            let answer = tokio::select! {
                biased;
                () = run.cancel.cancelled() => return Err(run.told_to_end().into()),
                // Before the put-away: whoever answered was told that the answer is taken.
                answer = run.people.ask_or(&question, silence) => answer,
                () = run.reins.until_put_away() => return Err(Ending::of(Termination::Paused).into()),
            };
            drop(waiting);
            if answer.is_err() {
                self.still_wanted()?;
            }
            // What was withdrawn because people want the run to stand still is asked again when it goes on.
            return Ok(match answer {
                Err(NoAnswer::Withdrawn) => continue,
                Err(NoAnswer::Because(sentence)) => Err(sentence),
                Ok(word) => {
                    self.run.answered(word.by)?;
                    Ok(word.text.chars().take(ANSWER_CAP).collect())
                }
            });
        }
    }

    /// A person's leave, whatever `confirm` says: the rule under which it is written down, what is asked, and why. The inner
    /// error is the answer that was no yes, with a sentence.
    pub async fn approve(
        &mut self,
        rule: &str,
        question: &str,
        why: &str,
    ) -> Result<Result<(), (ConfirmAnswer, String)>, Halt> {
        loop {
            match self.approve_once(rule, question, why).await? {
                // Nobody decided; it is asked again when people let the run go on.
                Err((ConfirmAnswer::Withdrawn, _)) => {}
                answered => return Ok(answered),
            }
        }
    }

    async fn approve_once(
        &mut self,
        rule: &str,
        question: &str,
        why: &str,
    ) -> Result<Result<(), (ConfirmAnswer, String)>, Halt> {
        self.hold().await?;
        let run = &mut *self.run;
        let now = run.env.observe().await.map_err(Ending::from)?;
        let asking = run.hand.agree(question, rule, why, &now, run.steps + 1, Asking::Always);
        let agreed = tokio::select! {
            biased;
            () = run.cancel.cancelled() => return Err(run.told_to_end().into()),
            agreed = asking => agreed,
            () = run.reins.until_put_away() => return Err(Ending::of(Termination::Paused).into()),
        };
        let (confirmation, refused) = match agreed {
            Ok(confirmation) => (confirmation, None),
            Err((confirmation, sentence)) => {
                let answer = confirmation.as_ref().map_or(ConfirmAnswer::NoTerminal, |asked| asked.answer);
                (confirmation, Some((answer, sentence)))
            }
        };
        if let Some(confirmation) = confirmation {
            run.trace.record(Event::Confirmation(confirmation)).map_err(Ending::from)?;
        }
        let is_decided = refused.as_ref().is_none_or(|(answer, _)| *answer == ConfirmAnswer::No);
        if !is_decided {
            self.still_wanted()?;
        }
        Ok(refused.map_or(Ok(()), Err))
    }

    /// Takes secrets out of what is about to be written.
    pub fn redact(&self, value: &mut serde_json::Value) {
        self.run.config.redactor.json(value);
    }

    pub fn record(&mut self, event: PlanEvent) -> Result<(), Halt> {
        self.run.trace.record(Event::Plan(event)).map_err(Ending::from)?;
        Ok(())
    }

    /// A question that was taken back because the run is put away was not answered by anybody.
    fn still_wanted(&self) -> Result<(), Halt> {
        if self.run.cancel.is_cancelled() {
            return Err(self.run.told_to_end().into());
        }
        if self.run.reins.is_put_away() {
            return Err(Ending::of(Termination::Paused).into());
        }
        Ok(())
    }
}
