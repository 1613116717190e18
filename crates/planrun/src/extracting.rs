//! Reading data off the page: an errand whose done carries the value and where each field of it was seen. What breaks the
//! schema or shows nothing is sent back to the brain first; what it then insists on is the machine's to refuse.

use surehand_plan::extraction::{check, in_one_sentence};
use surehand_plan::machine::{Again, Outcome};
use surehand_plan::{Evidence, Work};
use surehand_run::{Course, Declared, Halt};
use surehand_types::Termination;

use crate::errands::{Errands, REFUSALS, not_this};
use crate::evidence::{self, Read};
use crate::plan_run::PlanRun;
use crate::words;

impl PlanRun {
    pub(crate) async fn extract(&mut self, course: &mut Course<'_>, work: &Work) -> Result<Outcome, Halt> {
        let Work::Extract { step, intent, schema, evidence: per, done_when, budget, .. } = work else {
            return Ok(not_this());
        };
        self.note_start(course, done_when).await?;
        let declared = Declared { task: intent.clone(), only_reads: true, ..Declared::default() };
        let errand = self.errand(course, step, words::extract(work), declared, budget);
        course.begin_errand(errand);
        let mut refused: Option<(serde_json::Value, Vec<Evidence>)> = None;
        let mut unreadable: Option<String> = None;
        for round in 0.. {
            let (reason, said, error) = match self.turns(course, budget).await? {
                Errands::Said { reason, said, error } => (reason, said, error),
                Errands::Gave { sentence, again } => return Ok(Outcome::Failed { sentence, again }),
            };
            let failed = |sentence: String| Outcome::Failed { sentence, again: Again::Possible };
            if !said.success {
                let Some((value, evidence)) = refused else {
                    // What was wrong with its answers tells more than that it gave up.
                    return Ok(failed(unreadable.unwrap_or_else(|| words::gave_up(&said.summary))));
                };
                let done_when = self.checked(course, done_when, self.limits.patience).await?;
                return Ok(Outcome::Extracted { value, evidence, done_when });
            }
            if reason != Termination::Done {
                return Ok(failed(words::not_believed(error.as_deref())));
            }
            // What breaks the schema is the machine's to refuse; what the page speaks against it cannot know.
            let wrong = match evidence::read(course, schema, said.output.as_ref()).await? {
                Err(sentence) => Err(sentence),
                Ok(Read { value, evidence, contradiction }) => {
                    let problems = check(schema, *per, &value, &evidence);
                    match contradiction.filter(|_| problems.is_empty()) {
                        Some(sentence) => Err(sentence),
                        None if problems.is_empty() || round >= REFUSALS => {
                            let done_when = self.checked(course, done_when, self.limits.patience).await?;
                            return Ok(Outcome::Extracted { value, evidence, done_when });
                        }
                        None => {
                            refused = Some((value, evidence));
                            Ok(in_one_sentence(problems.all()))
                        }
                    }
                }
            };
            let wrong = match wrong {
                Err(sentence) if round >= REFUSALS => return Ok(failed(sentence)),
                Err(sentence) => {
                    (refused, unreadable) = (None, Some(sentence.clone()));
                    sentence
                }
                Ok(sentence) => sentence,
            };
            course.tell(words::not_usable(&wrong));
        }
        Ok(not_this())
    }
}
