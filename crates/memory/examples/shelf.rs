//! How long retrieval takes on a shelf of 100,000 lessons: `cargo run --release -p surehand-memory --example shelf`.

use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use surehand_memory::lesson::{Delta, Draft, Lesson, SourceRun};
use surehand_memory::upsert::{Relink, upsert};
use surehand_memory::{Context, LessonRules, LessonShelf, MemoryShelf, Moment, retrieve};
use surehand_types::result::FinalVerdict;

const WORDS: &[&str] = &[
    "button", "menu", "dialog", "banner", "table", "field", "search", "filter", "save", "send", "order", "cart",
    "page", "list", "row", "cell", "date", "picker", "option", "login", "profile", "settings", "export", "import",
    "upload", "download", "print", "share", "delete", "rename", "copy", "paste", "undo", "redo", "zoom", "scroll",
    "open", "close",
];
const QUERIES: usize = 2_000;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    // Few sites have many lessons: a fifth of all belong to one.
    fn origin(&mut self) -> String {
        match self.roll(5) {
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
        delta: Delta { action: "click".into(), ..Delta::default() },
        source: SourceRun { run: format!("r{number:08}"), verdict, strong: false },
    };
    let age = SignedDuration::from_hours(24 * dice.roll(90) as i64);
    Lesson::new(draft, now.checked_sub(age).unwrap_or(now))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).map_or(Ok(100_000), |text| text.parse())?;
    let now: Timestamp = "2026-03-01T00:00:00Z".parse()?;
    let mut dice = Dice(1);
    let began = Instant::now();
    let mut shelf = MemoryShelf::new();
    for number in 0..count {
        shelf.put(lesson(number, &mut dice, now))?;
    }
    println!("{} lessons filed in {:.0} ms", shelf.len(), began.elapsed().as_secs_f64() * 1000.0);
    let rules = LessonRules::default();
    for kind in ["error, any site", "error, the big site", "start"] {
        let mut found = 0;
        let mut times: Vec<f64> = (0..QUERIES)
            .map(|_| {
                let origin = if kind == "error, the big site" { "big.test".into() } else { dice.origin() };
                let context = match kind {
                    "start" => Context::at_start(&dice.words(5), &origin),
                    _ => Context {
                        moment: Moment::Error,
                        task: String::new(),
                        origin,
                        fingerprints: vec![
                            format!("ef_{:020}", dice.roll(12)),
                            format!("tg_{:020}", dice.roll(count.max(1))),
                        ],
                        tags: vec!["no_effect".into(), "on_click".into()],
                        text: format!("click had no effect button {}", dice.words(2)),
                    },
                };
                let began = Instant::now();
                found += retrieve(&shelf, &context, now, &rules).map_or(0, |found| found.selected.len());
                began.elapsed().as_secs_f64() * 1000.0
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!(
            "{kind}: p50 {:.2} ms, p95 {:.2} ms, most {:.2} ms; {:.2} hints a query",
            times[QUERIES / 2],
            times[QUERIES * 95 / 100],
            times[QUERIES - 1],
            f64::from(found as u32) / QUERIES as f64
        );
    }
    let mut times: Vec<f64> = Vec::new();
    for number in count..count + 500 {
        let lesson = lesson(number, &mut dice, now);
        let began = Instant::now();
        upsert(&mut shelf, vec![lesson], now, &rules, Relink::Touched)?;
        times.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    println!("upsert: p50 {:.2} ms, p95 {:.2} ms", times[250], times[475]);
    let bytes = surehand_memory::wire::export(shelf.lessons())?.len();
    println!("as a file: {:.1} MB, {} bytes a lesson", bytes as f64 / 1e6, bytes / shelf.len().max(1));
    let began = Instant::now();
    let report = surehand_memory::tidy(&mut shelf, now, &surehand_memory::growth::Caps::default())?;
    println!(
        "tidied in {:.0} ms: {} archived, {} forgotten, {} left",
        began.elapsed().as_secs_f64() * 1000.0,
        report.archived.len(),
        report.forgotten.len(),
        shelf.len()
    );
    Ok(())
}
