//! The loop. Start reading at `step`: it is the order of a step, and no other file knows it.
//! `act` is one call through aim, guard, commit, settle and verify; every door uses it.

mod act;
mod acted;
mod aimed;
mod answer;
mod aside;
mod batch;
mod budget;
mod course;
mod doing;
mod done;
mod feedback;
mod finish;
mod governing;
mod people;
mod permits;
mod pictures;
mod preview;
mod recall;
mod record;
mod referee;
mod reins;
mod run;
mod safety;
mod step;
mod told;
mod verify;
mod waits;

pub use act::Hand;
pub use acted::{ActTiming, Acted};
pub use answer::{answer_for, schema_error, view_of};
pub use aside::{Aside, Keeper};
pub use course::{Agenda, Course, CourseEnd, DoneRule, Errand, Halt, Look, Said, Spent, Whole};
pub use people::{ANSWER_CAP, Approver, NoAnswer, Nobody, People, PersonWord, Question};
pub use permits::{ConfirmMode, Decided, Permits, Witness};
pub use pictures::{FrameFiles, PictureFailure};
pub use recall::{LessonBook, Lessons};
pub use referee::{Asked, Database, LaterProbes, Referee, baseline_now, judge_now};
pub use reins::{BY_PERSON, Gait, PersonAnswer, Reins, Wish, Wishes};
pub use run::{Before, CutOff, Resumed, RunConfig, run, run_agenda, run_started};
pub use verify::{Declared, FeedbackFrom, FormValue, VerifyRules};
