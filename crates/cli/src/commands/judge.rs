//! `surehand judge`: a verdict about a picture, or about the end of a stored run, by a contract and if wanted a judge.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use surehand_checks::picture;
use surehand_conduct::{SqliteFiles, expect_secrets, folders, judge as judge_model, load_contract};
use surehand_referee::probes::PageFacts;
use surehand_referee::{Accept, Case, Evidence, JudgeSettings, Judging, Ruling, Shot, rule};
use surehand_run::LaterProbes;
use surehand_store::Store;
use surehand_trace::report::judged::{check_title, check_tone, check_words, judge_words};
use surehand_trace::report::outcome::Tone;
use surehand_trace::{FrameLibrary as _, Timeline};
use surehand_types::result::{FinalVerdict, SelfReport};
use surehand_types::{Pixels, Settings};

use crate::args_referee::JudgeArguments;
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;
use crate::secrets;
use crate::settings::set_flag;

pub(crate) async fn judge(arguments: JudgeArguments, mut settings: Settings) -> Result<i32, Failure> {
    if let Some(judge) = &arguments.judge {
        set_flag(&mut settings, "judge_model", judge)?;
    }
    let contract = load_contract(&arguments.contract)?;
    let model = judge_model(&settings)?;
    let subject = match (&arguments.frame, &arguments.run) {
        (Some(frame), _) => Subject::of_picture(frame)?,
        (None, Some(run)) => Subject::of_run(run, &settings).await?,
        (None, None) => return Err(Failure::usage("there is nothing to judge\nhint: --frame PNG or --run RUN")),
    };
    let task = arguments.task.or(subject.task).unwrap_or_default();
    let start_url = subject.evidence.start_url.as_deref();
    let secrets = secrets::load(&arguments.secret, start_url, &settings).await?;
    expect_secrets(&contract, &secrets)?;
    let probes = LaterProbes {
        secrets,
        folders: folders(Some(&contract), &arguments.root)?,
        page: subject.page,
        output: subject.output,
        database: Some(Arc::new(SqliteFiles)),
    };
    let ruling = rule(Case {
        task: &task,
        contract: Some(&contract),
        evidence: &subject.evidence,
        probes: &probes,
        judge: model.as_deref().map(|model| Judging { model, settings: JudgeSettings::of(&settings), rubric: None }),
        accept: Accept::Fused,
        self_report: subject.self_report,
    })
    .await;
    let ruling = match &arguments.crops {
        Some(folder) => with_crops(ruling, folder)?,
        None => ruling,
    };
    if arguments.json {
        say!("{}", ruling.to_wire());
    } else {
        print(&ruling);
    }
    Ok(ruling.exit_code())
}

/// What is judged, as far as it is known.
struct Subject {
    evidence: Evidence,
    task: Option<String>,
    page: Option<PageFacts>,
    output: Option<Option<serde_json::Value>>,
    self_report: Option<SelfReport>,
}

impl Subject {
    fn of_picture(file: &Path) -> Result<Subject, Failure> {
        let shot = Shot::from_pixels(read_picture(file)?);
        let evidence = Evidence { shot: Some(shot), ..Evidence::default() };
        Ok(Subject { evidence, task: None, page: None, output: None, self_report: None })
    }

    async fn of_run(run: &str, settings: &Settings) -> Result<Subject, Failure> {
        let store = Store::open(&open_data(settings)?).await?;
        let run_id = store.resolve(run).await?;
        let timeline: Timeline = store.timeline(&run_id).await?;
        let result = timeline.ended.as_ref();
        // What was judged at the time, or what the last step left.
        let judged = result.and_then(|result| result.referee.as_ref()?.frame.clone());
        let last = timeline.entries.iter().rev().find_map(|entry| entry.after.as_ref().or(entry.before.as_ref()));
        let (sha256, stale) = match (judged, last) {
            (Some(sha256), _) => (Some(sha256), false),
            (None, Some(frame)) => (Some(frame.sha256.clone()), frame.stale),
            (None, None) => (None, false),
        };
        let bytes = sha256.and_then(|sha256| store.frames().get(&sha256));
        let shot = bytes
            .and_then(|bytes| picture::decode(&bytes).ok())
            .map(|pixels| Shot { stale, ..Shot::from_pixels(pixels) });
        let observed = timeline.entries.last().map(|entry| &entry.record.observed);
        let evidence = Evidence {
            shot,
            start_url: timeline.run.started.as_ref().and_then(|started| started.start_url.clone()),
            started_at: result
                .and_then(|result| result.started_at.parse::<jiff::Timestamp>().ok())
                .map(SystemTime::from),
            ..Evidence::default()
        };
        Ok(Subject {
            evidence,
            task: Some(timeline.task().to_string()),
            page: observed.map(|seen| PageFacts { url: seen.url.clone(), title: seen.title.clone() }),
            output: result.map(|result| result.output.clone()),
            self_report: result.and_then(|result| result.verdict.self_report.clone()),
        })
    }
}

/// A PNG or JPEG file as pixels, without the cursor that is drawn into frames for brains.
pub(crate) fn read_picture(file: &Path) -> Result<Pixels, Failure> {
    let bytes =
        std::fs::read(file).map_err(|error| Failure::usage(format!("{} cannot be read: {error}", file.display())))?;
    picture::decode_without_cursor(&bytes).map_err(|error| Failure::usage(format!("{}: {error}", file.display())))
}

/// Writes the parts of the frame that were looked at, and names them in the evidence.
fn with_crops(mut ruling: Ruling, folder: &Path) -> Result<Ruling, Failure> {
    let wrong = |error: std::io::Error| Failure::usage(format!("{} cannot be written: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(wrong)?;
    for crop in &ruling.crops {
        let file = folder.join(format!("check-{}.png", crop.index));
        std::fs::write(&file, &crop.png).map_err(wrong)?;
        if let Some(check) = ruling.record.checks.iter_mut().find(|check| check.index == crop.index) {
            check.crop = Some(file.display().to_string());
        }
    }
    Ok(ruling)
}

fn print(ruling: &Ruling) {
    let word = match ruling.verdict.r#final {
        FinalVerdict::Pass => "pass",
        FinalVerdict::Fail => "fail",
        FinalVerdict::Uncertain => "uncertain",
        FinalVerdict::Unjudged => "not judged",
    };
    let reasons = if ruling.verdict.reasons.is_empty() {
        String::new()
    } else {
        format!(": {}", ruling.verdict.reasons.join("; "))
    };
    say!("{word}{reasons}");
    for check in &ruling.record.checks {
        let sign = match check_tone(check.result) {
            Tone::Good => "✓",
            Tone::Bad => "✕",
            Tone::Unsure | Tone::Neutral => "?",
        };
        say!("  {sign} {}", check_title(check));
        say!("    {}", check_words(check));
    }
    if let Some(judge) = &ruling.record.judge {
        say!("  judge: {}", judge_words(judge));
    }
    for warning in &ruling.record.warnings {
        say!("  note: {warning}");
    }
}
