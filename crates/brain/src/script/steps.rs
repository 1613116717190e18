//! Replies of a script that belong to one step of a plan: `"step": "ID"` says which, `"pass"` and `"attempt"` narrow it to
//! one pass of the loop around the step or one try. Each time the step is begun its replies are offered from the first.

use serde_json::Value;
use surehand_types::Reply;
use surehand_types::plan::PlanStep;

use super::read_reply;

/// One reply of the file, with what it is for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scripted {
    pub(super) step: Option<String>,
    pass: Option<u32>,
    attempt: Option<u32>,
    pub(super) reply: Reply,
}

#[derive(Debug)]
pub(super) struct ForSteps {
    replies: Vec<Scripted>,
    now: Option<PlanStep>,
    /// Replies that were offered since the step began.
    offered: usize,
}

impl ForSteps {
    pub(super) fn new(replies: Vec<Scripted>) -> ForSteps {
        ForSteps { replies, now: None, offered: 0 }
    }

    /// Whether this is another step than the last one, or the same once more.
    pub(super) fn begins(&mut self, step: Option<&PlanStep>) -> bool {
        let begins = self.now.as_ref() != step;
        if begins {
            (self.now, self.offered) = (step.cloned(), 0);
        }
        begins
    }

    /// Whether the script has anything for this step, in whatever pass.
    pub(super) fn know(&self, step: &PlanStep) -> bool {
        self.replies.iter().any(|scripted| scripted.step.as_deref() == Some(step.id.as_str()))
    }

    pub(super) fn next(&mut self, step: &PlanStep) -> Option<Reply> {
        let fits = |scripted: &&Scripted| {
            scripted.step.as_deref() == Some(step.id.as_str())
                && scripted.pass.is_none_or(|pass| step.pass() == Some(pass))
                && scripted.attempt.is_none_or(|attempt| step.attempt == attempt)
        };
        let found = self.replies.iter().filter(fits).nth(self.offered).map(|scripted| scripted.reply.clone());
        self.offered += 1;
        found
    }
}

pub(super) fn read_scripted(value: &Value) -> Result<Scripted, String> {
    let mut plain = value.clone();
    let mut take = |name: &str| plain.as_object_mut().and_then(|fields| fields.shift_remove(name));
    let step = match take("step") {
        None => None,
        Some(Value::String(id)) if !id.trim().is_empty() => Some(id),
        Some(_) => return Err("step must be the id of a plan's step".into()),
    };
    let number = |name: &str, given: Option<Value>| match given {
        None => Ok(None),
        Some(_) if step.is_none() => Err(format!("{name} is for replies that have a step")),
        Some(given) => {
            match given.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0) {
                Some(number) => Ok(Some(number)),
                None => Err(format!("{name} must be a number from 1")),
            }
        }
    };
    let pass = number("pass", take("pass"))?;
    let attempt = number("attempt", take("attempt"))?;
    Ok(Scripted { step, pass, attempt, reply: read_reply(&plain)? })
}
