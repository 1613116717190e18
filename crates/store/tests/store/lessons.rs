//! Lessons on disk: found again, settled at the end of runs, safe beside other processes, and honest when broken.

#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

use std::fs;

use jiff::{SignedDuration, Timestamp};
use sqlx::Connection as _;
use surehand_memory::facts::RunFacts;
use surehand_memory::growth::Caps;
use surehand_memory::journal::Showing;
use surehand_memory::lesson::{Delta, Draft, SourceRun};
use surehand_memory::{
    Closing, Context, Happened, Lane, Lesson, LessonEvent, LessonRules, Moment, Status, rank, retrieve,
};
use surehand_store::{LessonFilter, LessonStore, Store, StoreError, Tidied};
use surehand_types::result::FinalVerdict;

use crate::support::folder;

fn lesson(name: &str, origin: &str, verdict: FinalVerdict) -> Lesson {
    let draft = Draft {
        rule: format!("Clicking the button \"{name}\" had no effect; pressing Enter worked."),
        triggers: vec!["ef_00000000000000000001".into(), format!("tg_{origin}_{name}")],
        tags: vec!["no_effect".into(), "on_click".into()],
        origin: origin.into(),
        task: String::new(),
        learned_in: "buy a lamp".into(),
        delta: Delta {
            state: format!("the button \"{name}\""),
            action: "click".into(),
            outcome: "press".into(),
            ..Delta::default()
        },
        source: SourceRun { run: "r1".into(), verdict, strong: false },
    };
    Lesson::new(draft, Timestamp::now())
}

fn failure_at(name: &str, origin: &str) -> Context {
    Context {
        moment: Moment::Error,
        task: "buy a lamp".into(),
        origin: origin.into(),
        fingerprints: vec!["ef_00000000000000000001".into(), format!("tg_{origin}_{name}")],
        tags: vec!["no_effect".into(), "on_click".into()],
        text: format!("click button {name}"),
    }
}

async fn hints(store: &LessonStore, context: &Context) -> Vec<String> {
    let rules = LessonRules::default();
    let found = store.candidates(&retrieve::query(context, &rules), 64).await.unwrap();
    rank(found, context, Timestamp::now(), &rules).selected.into_iter().map(|found| found.lesson.rule).collect()
}

fn facts(run: &str, verdict: FinalVerdict) -> RunFacts {
    RunFacts {
        run: run.into(),
        task: "Buy a lamp".into(),
        origin: "shop.test".into(),
        started_at: None,
        verdict,
        strong: false,
        called_done: true,
        disagreement: false,
        failed_checks: Vec::new(),
        score: None,
        contract: None,
        steps: 4,
        attempts: Vec::new(),
        page_texts: Vec::new(),
    }
}

#[tokio::test]
async fn what_was_put_in_is_found_where_it_fits_and_nowhere_else() {
    let folder = folder();
    let store = LessonStore::open(&folder.data).await.unwrap();
    let rules = LessonRules::default();
    let (pass, doubt) = (FinalVerdict::Pass, FinalVerdict::Uncertain);
    let lessons = vec![
        lesson("Buy", "shop.test", pass),
        lesson("Pay", "shop.test", doubt),
        lesson("保存", "shop.test", pass),
        lesson("Buy", "other.test", pass),
    ];
    let report = store.add(lessons.clone(), &rules).await.unwrap();
    assert_eq!((report.inserted, report.merged), (4, 0));
    assert_eq!(store.add(lessons, &rules).await.unwrap().merged, 4);

    let buy = hints(&store, &failure_at("Buy", "shop.test")).await;
    assert!(buy[0].contains("\"Buy\""), "{buy:?}");
    assert!(hints(&store, &failure_at("保存", "shop.test")).await[0].contains("保存"));
    let pay = hints(&store, &failure_at("Pay", "shop.test")).await;
    assert!(!pay.iter().any(|rule| rule.contains("\"Pay\"")), "a lesson in doubt was shown: {pay:?}");
    let start = hints(&store, &Context::at_start("Buy a lamp", "shop.test")).await;
    assert!(!start.is_empty(), "the same task brings its lessons");
    // Whatever a page or a brain writes is no query.
    for odd in ["\" OR *", "NEAR(", "a:b -c", "", "\u{0}"] {
        hints(&store, &failure_at(odd, odd)).await;
    }

    let id = store.resolve(&store.list(&LessonFilter::default(), 9).await.unwrap()[0].id.0[..14]).await.unwrap();
    let known = store.get(&id).await.unwrap().unwrap();
    store
        .change(&id, |mut lesson| {
            lesson.suppress(Timestamp::now());
            let event = LessonEvent {
                lesson: id.clone(),
                run: String::new(),
                at: Timestamp::now(),
                happened: Happened::Suppressed,
            };
            Some((lesson, event))
        })
        .await
        .unwrap();
    store.add(vec![known.clone()], &rules).await.unwrap();
    let after = store.get(&id).await.unwrap().unwrap();
    assert_eq!(after.status, Status::Suppressed, "a merge brought back what a person suppressed");
    assert_eq!(store.events_of_lesson(&id).await.unwrap().len(), 1);
    assert!(matches!(store.resolve("zz").await, Err(StoreError::NoSuchLesson { .. })));
    assert!(matches!(store.resolve("lsn_").await, Err(StoreError::AmbiguousLesson { .. })));
}

#[tokio::test]
async fn the_end_of_a_run_is_settled_and_can_be_asked_about() {
    let folder = folder();
    let store = LessonStore::open(&folder.data).await.unwrap();
    let rules = LessonRules::default();
    let known = lesson("Buy", "shop.test", FinalVerdict::Pass);
    store.add(vec![known.clone()], &rules).await.unwrap();
    let showing =
        Showing { moment: Moment::Start, after_step: 0, lane: Lane::Strict, score: 0.6, parts: Default::default() };
    let fresh = lesson("Send", "shop.test", FinalVerdict::Pass);
    for (run, verdict) in [("r2", FinalVerdict::Pass), ("r3", FinalVerdict::Uncertain)] {
        let mut closing =
            Closing::new(facts(run, verdict), vec![(known.id.clone(), showing.clone())], None, Timestamp::now());
        closing.learned.push(fresh.clone());
        let closed = store.close_run(&closing, &rules).await.unwrap();
        assert_eq!((closed.summary.injected, closed.summary.created), (1, u32::from(run == "r2")), "{run}");
    }
    let kinds: Vec<&str> =
        store.events_of_run("r2").await.unwrap().iter().map(|event| event.happened.as_str()).collect();
    assert_eq!(kinds, ["shown", "untried", "created"]);
    assert_eq!(store.get(&known.id).await.unwrap().unwrap().counts.shown, 2);
    let runs = store.judged_runs(9).await.unwrap();
    assert_eq!(
        runs.iter().map(|run| run.run.as_str()).collect::<Vec<_>>(),
        ["r2"],
        "only decided runs are compared with"
    );
    let totals = store.totals().await.unwrap();
    assert_eq!((totals.candidate, totals.shown, totals.trusted), (2, 2, 2));
}

#[tokio::test]
async fn several_processes_at_once_lose_nothing() {
    let folder = folder();
    let rules = LessonRules::default();
    let writers = (0..4).map(|writer| {
        let (data, rules) = (folder.data.clone(), rules.clone());
        tokio::spawn(async move {
            let store = LessonStore::open(&data).await.unwrap();
            for number in 0..20 {
                let own = lesson(&format!("w{writer}n{number}"), "shop.test", FinalVerdict::Pass);
                let common = lesson(&format!("common{number}"), "shop.test", FinalVerdict::Pass);
                store.add(vec![own, common], &rules).await.unwrap();
            }
            store.close().await;
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let store = LessonStore::open(&folder.data).await.unwrap();
    assert_eq!(store.totals().await.unwrap().candidate, 4 * 20 + 20);
}

#[tokio::test]
async fn lessons_outlive_the_index_and_are_for_their_owner_alone() {
    let folder = folder();
    let store = LessonStore::open(&folder.data).await.unwrap();
    store.add(vec![lesson("Buy", "shop.test", FinalVerdict::Pass)], &LessonRules::default()).await.unwrap();
    #[cfg(unix)]
    for name in ["lessons.db", "lessons.db-wal", "lessons.lock"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(folder.data.root().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    store.close().await;
    fs::write(folder.data.root().join("index.db"), b"no database").unwrap();
    Store::open(&folder.data).await.unwrap();
    let store = LessonStore::open(&folder.data).await.unwrap();
    assert_eq!(store.totals().await.unwrap().candidate, 1);
}

#[tokio::test]
async fn a_broken_or_newer_file_is_one_clear_sentence_and_stays_as_it_is() {
    let folder = folder();
    let path = folder.data.root().join("lessons.db");
    let garbage = b"this is no database, and it is long enough to have a header of its own".repeat(20);
    fs::write(&path, &garbage).unwrap();
    let error = LessonStore::open(&folder.data).await.unwrap_err().to_string();
    assert!(error.contains("damaged") && error.contains("\nhint: "), "{error}");
    assert_eq!(fs::read(&path).unwrap(), garbage, "nothing is deleted that cannot be rebuilt");

    fs::remove_file(&path).unwrap();
    let store = LessonStore::open(&folder.data).await.unwrap();
    store.close().await;
    let mut connection = sqlx::SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    sqlx::query("INSERT INTO schema_version (version) VALUES (99)").execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let error = LessonStore::open(&folder.data).await.unwrap_err();
    assert!(matches!(error, StoreError::NewerLessons { found: 99, .. }), "{error}");
}

#[tokio::test]
async fn growth_is_bounded() {
    let folder = folder();
    let store = LessonStore::open(&folder.data).await.unwrap();
    let lessons = (0..30).map(|number| lesson(&format!("b{number}"), "shop.test", FinalVerdict::Pass)).collect();
    store.add(lessons, &LessonRules::default()).await.unwrap();
    let caps = Caps { per_origin: 10, retired: 5, ..Caps::default() };
    let now = Timestamp::now();
    let Tidied::Done(report) = store.tidy_if_due(now, &caps).await.unwrap() else { panic!("the first round is due") };
    assert_eq!((report.archived.len(), report.forgotten.len()), (20, 15));
    assert_eq!(store.tidy_if_due(now, &caps).await.unwrap(), Tidied::NotDue);
    let totals = store.totals().await.unwrap();
    assert_eq!((totals.candidate, totals.archived), (10, 5));
    let later = now.checked_add(SignedDuration::from_hours(24 * 400)).unwrap();
    store.tidy(later, &caps).await.unwrap();
    assert_eq!(store.totals().await.unwrap().candidate, 0);
    assert!(hints(&store, &failure_at("b1", "shop.test")).await.is_empty());
}
