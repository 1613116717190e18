//! What memory costs when it has become large: retrieval from 100,000 stored lessons, filing them, the end of a run, one
//! round of tidying, and the size of the file. No browser takes part.

use std::fmt;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use surehand_memory::growth::Caps;
use surehand_memory::lesson::{Delta, Draft, Lesson, SourceRun};
use surehand_memory::{Context, LessonRules, Moment, rank, retrieve};
use surehand_store::{DataDir, LessonFilter, LessonStore};
use surehand_types::result::FinalVerdict;

use crate::statistics::Times;
use crate::table::Table;

const LESSONS: usize = 100_000;
const QUERIES: usize = 1_000;
const SINGLE: usize = 200;
/// Candidates of each lane, as a run asks for them.
const CANDIDATES: usize = 32;
const GOAL_MS: f64 = 10.0;

const WORDS: &[&str] = &[
    "button", "menu", "dialog", "banner", "table", "field", "search", "filter", "save", "send", "order", "cart",
    "page", "list", "row", "cell", "date", "picker", "option", "login", "profile", "settings", "export", "import",
    "upload", "download", "print", "share", "delete", "rename", "copy", "paste", "undo", "redo", "zoom", "scroll",
    "open", "close",
];

#[derive(Debug, Serialize)]
pub(crate) struct LessonsReport {
    lessons: usize,
    goal_p95_ms: f64,
    retrieval: Vec<Row>,
    /// Lessons a second, filed in bulk as an import does it.
    filed_per_second: f64,
    /// One lesson at a time, each in a transaction of its own.
    single: Times,
    tidy_ms: f64,
    archived: usize,
    file_mib: f64,
    process_mib: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Row {
    what: &'static str,
    times: Times,
    hints: f64,
}

impl LessonsReport {
    pub(crate) fn holds(&self) -> bool {
        self.retrieval.iter().all(|row| row.times.p95_ms < self.goal_p95_ms && row.hints > 0.0)
    }
}

pub(crate) async fn measure(scratch: &Path) -> Result<LessonsReport> {
    let data = DataDir::open(scratch.join("lessons"))?;
    let store = LessonStore::open(&data).await?;
    let rules = LessonRules::default();
    let now = Timestamp::now();
    let mut dice = Dice(1);
    eprintln!("bench: filing {LESSONS} lessons");
    let began = Instant::now();
    let all: Vec<Lesson> = (0..LESSONS).map(|number| lesson(number, &mut dice, now)).collect();
    store.add(all, &rules).await?;
    let filed_per_second = LESSONS as f64 / began.elapsed().as_secs_f64();
    eprintln!("bench: asking {QUERIES} times each");
    let mut retrieval = Vec::new();
    let sample = store.list(&LessonFilter::default(), QUERIES as u32).await?;
    for what in ["after an error, any site", "after an error, the big site", "at the start"] {
        let (mut times, mut hints) = (Vec::new(), 0_usize);
        for like in &sample {
            let context = situation(what, like, &mut dice);
            let began = Instant::now();
            let found = store.candidates(&retrieve::query(&context, &rules), CANDIDATES).await?;
            hints += rank(found, &context, now, &rules).selected.len();
            times.push(began.elapsed().as_secs_f64() * 1_000.0);
        }
        let times = Times::of(&times).context("no times")?;
        retrieval.push(Row { what, times, hints: hints as f64 / QUERIES as f64 });
    }
    let mut single = Vec::new();
    for number in LESSONS..LESSONS + SINGLE {
        let one = vec![lesson(number, &mut dice, now)];
        let began = Instant::now();
        store.add(one, &rules).await?;
        single.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    let file_mib = store.bytes() as f64 / f64::from(1 << 20);
    let began = Instant::now();
    let report = store.tidy(now, &Caps::default()).await?;
    let tidy_ms = began.elapsed().as_secs_f64() * 1_000.0;
    store.close().await;
    Ok(LessonsReport {
        lessons: LESSONS,
        goal_p95_ms: GOAL_MS,
        retrieval,
        filed_per_second,
        single: Times::of(&single).context("no times")?,
        tidy_ms,
        archived: report.archived.len(),
        file_mib,
        process_mib: most_memory(),
    })
}

impl fmt::Display for LessonsReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "memory: {} lessons of 401 sites in SQLite", self.lessons)?;
        let mut table = Table::new(&["retrieval", "p50 ms", "p95 ms", "hints"]);
        for row in &self.retrieval {
            let (p50, p95) = (format!("{:.2}", row.times.p50_ms), format!("{:.2}", row.times.p95_ms));
            table.row(&[row.what.into(), p50, p95, format!("{:.2}", row.hints)]);
        }
        write!(formatter, "{table}")?;
        let (one, word) = (&self.single, if self.holds() { "held" } else { "MISSED" });
        writeln!(formatter, "goal: p95 below {} ms: {word}", self.goal_p95_ms)?;
        writeln!(
            formatter,
            "filed in bulk: {:.0} a second; one alone: p50 {:.2} ms, p95 {:.2} ms",
            self.filed_per_second, one.p50_ms, one.p95_ms
        )?;
        let archived = self.archived;
        writeln!(formatter, "tidied in {:.0} ms ({archived} beyond the cap of their site archived)", self.tidy_ms)?;
        write!(formatter, "file: {:.0} MiB", self.file_mib)?;
        match self.process_mib {
            Some(memory) => writeln!(formatter, "; the most memory this process had: {memory:.0} MiB"),
            None => writeln!(formatter),
        }
    }
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    // As full as growth lets them become: one site at the cap of 500, the others at half of it.
    fn origin(&mut self) -> String {
        match self.roll(200) {
            0 => "big.test".into(),
            _ => format!("site{}.test", self.roll(400)),
        }
    }

    fn words(&mut self, count: usize) -> String {
        (0..count).map(|_| WORDS[self.roll(WORDS.len())]).collect::<Vec<_>>().join(" ")
    }
}

fn lesson(number: usize, dice: &mut Dice, now: Timestamp) -> Lesson {
    let (one, other) = (dice.words(2), dice.words(2));
    let verdict = [FinalVerdict::Pass, FinalVerdict::Pass, FinalVerdict::Uncertain][dice.roll(3)];
    let draft = Draft {
        rule: format!("Clicking the button \"{one} {number}\" had no effect; clicking the link \"{other}\" worked."),
        // A few failures are everywhere, most things have names of their own.
        triggers: vec![format!("ef_{:020}", dice.roll(12)), format!("tg_{number:020}")],
        tags: vec![["no_effect", "covered", "timeout"][dice.roll(3)].into(), "on_click".into()],
        origin: dice.origin(),
        task: String::new(),
        learned_in: dice.words(5),
        delta: Delta { state: format!("the button \"{one} {number}\""), action: "click".into(), ..Delta::default() },
        source: SourceRun { run: format!("r{number:08}"), verdict, strong: false },
    };
    let age = SignedDuration::from_hours(24 * dice.roll(25) as i64);
    Lesson::new(draft, now.checked_sub(age).unwrap_or(now))
}

/// A situation that a stored lesson was made for, or nearly so.
fn situation(what: &str, like: &Lesson, dice: &mut Dice) -> Context {
    let origin = if what.ends_with("the big site") { "big.test".into() } else { like.origin.clone() };
    if what == "at the start" {
        return Context::at_start(&like.learned_in, &origin);
    }
    Context {
        moment: Moment::Error,
        task: String::new(),
        origin,
        fingerprints: like.triggers.clone(),
        tags: vec!["no_effect".into(), "on_click".into()],
        text: format!("click had no effect button {}", dice.words(2)),
    }
}

/// As the kernel counts it, where it says so.
fn most_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kibibytes| kibibytes / 1_024.0)
}
