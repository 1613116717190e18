//! What a plan asks people: questions, choices, leave to go on, and what to do about a failure.

use surehand_plan::machine::{Again, Answer, Outcome, StepRef, Wanted};
use surehand_run::{Course, Halt};
use surehand_types::plan::PlanEvent;
use surehand_types::result::ConfirmAnswer;

use crate::agenda::name_of;
use crate::plan_run::PlanRun;

/// Under which a plan's own gates stand in the audit log.
const GATE_RULE: &str = "plan-gate";

/// Why a person is asked for it.
const GATE_REASON: &str = "the plan asks a person before it goes on";

/// How often an answer that is none of the choices is asked for again.
const TRIES: u32 = 3;

const RECOVERIES: [(&str, Answer); 3] = [("retry", Answer::Retry), ("skip", Answer::Skip), ("stop", Answer::Stop)];

impl PlanRun {
    pub(crate) async fn ask(
        &mut self,
        course: &mut Course<'_>,
        step: &StepRef,
        question: &str,
        wanted: &Wanted,
    ) -> Result<Outcome, Halt> {
        let silence = self.machine.without_answer();
        match wanted {
            Wanted::Approval => approval(course, question, &silence).await,
            Wanted::Text => Ok(match asked(course, step, question, &silence).await? {
                Ok(text) => Outcome::Answered(Answer::Text(text)),
                Err(why) => nobody(why),
            }),
            Wanted::Choice(choices) => {
                let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
                Ok(match chosen(course, step, question, &choices, &silence).await? {
                    Ok(at) => Outcome::Answered(Answer::Text(choices.get(at).copied().unwrap_or_default().to_string())),
                    Err(why) => nobody(why),
                })
            }
            Wanted::Recovery { may_retry } => {
                let open: Vec<&(&str, Answer)> =
                    RECOVERIES.iter().filter(|(_, answer)| *may_retry || *answer != Answer::Retry).collect();
                let names: Vec<&str> = open.iter().map(|(name, _)| *name).collect();
                Ok(match chosen(course, step, question, &names, &silence).await? {
                    Ok(at) => Outcome::Answered(open.get(at).map_or(Answer::Stop, |(_, answer)| answer.clone())),
                    Err(why) => nobody(why),
                })
            }
        }
    }
}

async fn approval(course: &mut Course<'_>, question: &str, silence: &str) -> Result<Outcome, Halt> {
    let why = format!("{GATE_REASON}; without a yes {silence}");
    Ok(match course.approve(GATE_RULE, question, &why).await? {
        Ok(()) => Outcome::Answered(Answer::Approved),
        Err((ConfirmAnswer::No, _)) => Outcome::Answered(Answer::Denied { reason: String::new() }),
        Err((_, sentence)) => Outcome::Failed { sentence, again: Again::Pointless },
    })
}

async fn asked(
    course: &mut Course<'_>,
    step: &StepRef,
    question: &str,
    silence: &str,
) -> Result<Result<String, String>, Halt> {
    let answer = course.ask(question, silence).await?;
    let told = answer.as_ref().ok().cloned();
    course.record(PlanEvent::Asked { step: name_of(step), question: question.to_string(), answer: told })?;
    Ok(answer)
}

/// The number of the choice, or why there is none.
async fn chosen(
    course: &mut Course<'_>,
    step: &StepRef,
    question: &str,
    choices: &[&str],
    silence: &str,
) -> Result<Result<usize, String>, Halt> {
    let question = format!("{question} ({})", numbered(choices));
    for _ in 0..TRIES {
        match asked(course, step, &question, silence).await? {
            Err(why) => return Ok(Err(why)),
            Ok(answer) => {
                if let Some(at) = choice(&answer, choices) {
                    return Ok(Ok(at));
                }
            }
        }
    }
    Ok(Err(format!("{TRIES} answers were none of: {}", choices.join(", "))))
}

fn numbered(choices: &[&str]) -> String {
    let all: Vec<String> = choices.iter().enumerate().map(|(at, choice)| format!("{}: {choice}", at + 1)).collect();
    all.join(", ")
}

/// By its words or by its number.
fn choice(answer: &str, choices: &[&str]) -> Option<usize> {
    let answer = answer.trim().to_lowercase();
    let by_words = choices.iter().position(|choice| choice.to_lowercase() == answer);
    by_words.or_else(|| answer.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < choices.len()))
}

fn nobody(why: String) -> Outcome {
    Outcome::Failed { sentence: why, again: Again::Possible }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_known_by_its_words_or_its_number() {
        let choices = ["all of them", "none", "2"];
        for (answer, expected) in [
            (" All of them\n", Some(0)),
            ("2", Some(2)),
            ("1", Some(0)),
            ("3", Some(2)),
            ("0", None),
            ("4", None),
            ("", None),
            ("all", None),
        ] {
            assert_eq!(choice(answer, &choices), expected, "{answer:?}");
        }
    }
}
