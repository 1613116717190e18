//! `surehand lessons`: what runs have taught, why it was shown, and a person's word on it.

use std::io::Write as _;
use std::path::Path;

use jiff::Timestamp;
use serde_json::json;
use surehand_eval::report::lessons_html;
use surehand_memory::wire::{self, Provenance};
use surehand_memory::{Happened, Lesson, LessonEvent, LessonId, LessonRules};
use surehand_store::{DataDir, LessonFilter, LessonStore, Store};
use surehand_types::Settings;

use super::lessons_words as words;
use crate::args_lessons::{LessonsArguments, LessonsCommand, ListArguments};
use crate::commands::ablate::expect_folder_of;
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;

const LISTED: u32 = 30;
/// Lessons of one page of an export, and the largest file of an import.
const PAGE: u32 = 1_000;
const LARGEST_IMPORT: u64 = 512 << 20;
/// Outcomes that the plot shows.
const PLOTTED: u32 = 2_000;
/// Problems of an import that are told one by one.
const PROBLEMS: usize = 5;

pub(crate) async fn lessons(arguments: LessonsArguments, settings: &Settings) -> Result<i32, Failure> {
    let data = open_data(settings)?;
    let store = LessonStore::open(&data).await?;
    let rules = LessonRules::of(settings);
    let ended = match arguments.command.unwrap_or(LessonsCommand::Ls(ListArguments::default())) {
        LessonsCommand::Ls(asked) => list(&store, asked).await,
        LessonsCommand::Show { id, json } => show(&store, &id, json).await,
        LessonsCommand::Why { run, json } => why(&store, &data, &run, json).await,
        LessonsCommand::Suppress { id, lift, json } => suppress(&store, &id, lift, json).await,
        LessonsCommand::Promote { id, json } => promote(&store, &id, json).await,
        LessonsCommand::Export { output } => export(&store, output.as_deref()).await,
        LessonsCommand::Import { file, own, json } => import(&store, &file, own, json, &rules).await,
        LessonsCommand::Stats { output, json } => stats(&store, output.as_deref(), json).await,
    };
    store.close().await;
    ended.map(|()| 0)
}

async fn list(store: &LessonStore, asked: ListArguments) -> Result<(), Failure> {
    let filter = LessonFilter { status: asked.status.map(Into::into), origin: asked.origin, text: None };
    let limit = asked.limit.unwrap_or(LISTED);
    let lessons = store.list(&filter, limit).await?;
    if asked.json {
        for lesson in &lessons {
            say!("{}", json!(lesson));
        }
        return Ok(());
    }
    if lessons.is_empty() {
        say!(
            "{}",
            if filter == LessonFilter::default() {
                "no lessons yet; runs with failed steps make them"
            } else {
                "no lesson is like that"
            }
        );
        return Ok(());
    }
    say!("{}", words::table(&lessons));
    let totals = store.totals().await?;
    let all = totals.candidate + totals.promoted + totals.suppressed + totals.archived;
    if filter == LessonFilter::default() && all > lessons.len() as u64 {
        say!("{} of {all}; --limit shows more", lessons.len());
    }
    Ok(())
}

async fn show(store: &LessonStore, id: &str, json: bool) -> Result<(), Failure> {
    let lesson = found(store, id).await?;
    let events = store.events_of_lesson(&lesson.id).await?;
    if json {
        say!(
            "{}",
            json!({"lesson": lesson, "trusted": lesson.is_trusted(), "mean_utility": lesson.mean_utility(), "events": events})
        );
    } else {
        say!("{}", words::lesson(&lesson, &events));
    }
    Ok(())
}

async fn why(store: &LessonStore, data: &DataDir, run: &str, json: bool) -> Result<(), Failure> {
    let runs = Store::open(data).await?;
    // Its trace may be gone by now; what memory noted about it stays.
    let resolved = runs.resolve(run).await;
    runs.close().await;
    let run_id = match resolved {
        Ok(run_id) => run_id,
        Err(error) if store.events_of_run(run).await?.is_empty() => return Err(error.into()),
        Err(_) => run.to_string(),
    };
    let events = store.events_of_run(&run_id).await?;
    let mut lessons: Vec<Lesson> = Vec::new();
    for event in &events {
        if lessons.iter().all(|known| known.id != event.lesson) {
            lessons.extend(store.get(&event.lesson).await?);
        }
    }
    if json {
        say!("{}", json!({"run": run_id, "events": events, "lessons": lessons}));
    } else {
        say!("{}", words::why(&run_id, &events, &lessons));
    }
    Ok(())
}

async fn suppress(store: &LessonStore, id: &str, lift: bool, json: bool) -> Result<(), Failure> {
    let lesson = found(store, id).await?;
    let changed = store
        .change(&lesson.id, |mut lesson| {
            let now = Timestamp::now();
            let happened = if lift {
                if !lesson.is_suppressed_by_person() && lesson.status != surehand_memory::Status::Suppressed {
                    return None;
                }
                lesson.lift(now);
                Happened::Lifted
            } else {
                lesson.suppress(now);
                Happened::Suppressed
            };
            let event = by_person(&lesson.id, now, happened);
            Some((lesson, event))
        })
        .await?;
    let Some(changed) = changed else {
        return Err(Failure::usage(format!("{} is not suppressed, so there is nothing to lift", lesson.id)));
    };
    say_changed(&changed, json, if lift { "is a candidate again" } else { "will not be shown again" });
    Ok(())
}

async fn promote(store: &LessonStore, id: &str, json: bool) -> Result<(), Failure> {
    let lesson = found(store, id).await?;
    let changed = store
        .change(&lesson.id, |mut lesson| {
            let now = Timestamp::now();
            let event = by_person(&lesson.id, now, Happened::Promoted);
            lesson.promote(now).then_some((lesson, event))
        })
        .await?;
    let Some(changed) = changed else {
        return Err(Failure::usage(format!(
            "{id} was suppressed by a person\nhint: surehand lessons suppress {id} --lift takes that back first",
            id = lesson.id
        )));
    };
    say_changed(&changed, json, "is promoted");
    Ok(())
}

async fn export(store: &LessonStore, output: Option<&Path>) -> Result<(), Failure> {
    let written = |error: std::io::Error| Failure::broken(format!("the lessons cannot be written: {error}"));
    let mut file = match output {
        Some(path) => {
            expect_folder_of(path)?;
            Some(private_file(path).map_err(written)?)
        }
        None => None,
    };
    let (mut after, mut count, mut first) = (0, 0, true);
    loop {
        let (lessons, last) = store.page(after, PAGE).await?;
        let text = wire::export(&lessons).map_err(|error| Failure::broken(error.to_string()))?;
        // Every page would begin with the line that says what this is; the file does so once.
        let text = if first { text.as_str() } else { text.split_once('\n').map_or("", |(_, rest)| rest) };
        match &mut file {
            Some(file) => file.write_all(text.as_bytes()).map_err(written)?,
            None => crate::output::write(format_args!("{text}")),
        }
        (count, first) = (count + lessons.len(), false);
        match last {
            Some(last) => after = last,
            None => break,
        }
    }
    if let Some(path) = output {
        eprintln!("{count} lessons are in {}", path.display());
    }
    Ok(())
}

async fn import(store: &LessonStore, path: &Path, own: bool, json: bool, rules: &LessonRules) -> Result<(), Failure> {
    let shown = path.display();
    let unreadable = |error: std::io::Error| Failure::usage(format!("{shown} cannot be read: {error}"));
    let size = std::fs::metadata(path).map_err(unreadable)?.len();
    if size > LARGEST_IMPORT {
        return Err(Failure::usage(format!("{shown} is too large\nhint: at most {} MB", LARGEST_IMPORT >> 20)));
    }
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    let provenance = if own { Provenance::Own } else { Provenance::Foreign };
    let read = wire::import(&text, provenance)
        .map_err(|error| Failure::usage(format!("{shown}: {}", error.to_string().replace(". hint:", "\nhint:"))))?;
    let report = store.add(read.lessons, rules).await?;
    if json {
        let problems: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
        say!("{}", json!({"added": report.inserted, "merged": report.merged, "left_out": problems}));
        return Ok(());
    }
    for problem in read.problems.iter().take(PROBLEMS) {
        eprintln!("left out: {}", crate::logging::clean(&problem.to_string()));
    }
    say!("{} added, {} merged with known ones, {} left out", report.inserted, report.merged, read.problems.len());
    Ok(())
}

async fn stats(store: &LessonStore, output: Option<&Path>, json: bool) -> Result<(), Failure> {
    let totals = store.totals().await?;
    let points = store.utilities(PLOTTED).await?;
    let runs = store.judged_runs(PLOTTED).await?;
    if json {
        say!("{}", json!({"totals": totals, "utilities": points, "runs": runs}));
    } else {
        say!("{}", words::totals(&totals));
    }
    if let Some(path) = output {
        expect_folder_of(path)?;
        let best = store.list(&LessonFilter::default(), 200).await?;
        std::fs::write(path, lessons_html(&totals, &points, &runs, &best))
            .map_err(|error| Failure::broken(format!("cannot write {}: {error}", path.display())))?;
        eprintln!("the page is at {}", path.display());
    }
    Ok(())
}

async fn found(store: &LessonStore, id: &str) -> Result<Lesson, Failure> {
    let id = store.resolve(id).await?;
    store.get(&id).await?.ok_or_else(|| Failure::broken(format!("the lesson {id} cannot be read")))
}

fn by_person(lesson: &LessonId, at: Timestamp, happened: Happened) -> LessonEvent {
    LessonEvent { lesson: lesson.clone(), run: String::new(), at, happened }
}

fn say_changed(lesson: &Lesson, json: bool, words: &str) {
    if json {
        say!("{}", json!(lesson));
    } else {
        say!("{} {words}: {}", lesson.id, words::clean(&lesson.rule));
    }
}

/// A file that only its owner can read: lessons tell where somebody works.
fn private_file(path: &Path) -> std::io::Result<std::fs::File> {
    let mut options = std::fs::File::options();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}
