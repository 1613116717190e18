//! The queue: order, keys, room, and what a dead server leaves.

use super::*;

fn job<'a>(run_id: &'a str, key: Option<JobKey<'a>>) -> NewJob<'a> {
    NewJob {
        run_id,
        owner: "ada",
        request: "{}",
        created_at: "2026-01-01T00:00:00Z",
        key,
        room: Room { most: Some(10), most_of_owner: Some(4) },
        ..NewJob::default()
    }
}

fn told(url: &str, events: &str) -> [NewWebhook; 1] {
    [NewWebhook { url: url.into(), events: events.into() }]
}

fn key(body: &'static str, now: i64) -> Option<JobKey<'static>> {
    Some(JobKey { key: "k", body, now })
}

async fn open() -> (tempfile::TempDir, JobStore) {
    let folder = tempfile::tempdir().unwrap();
    let data = DataDir::open(folder.path()).unwrap();
    (folder, JobStore::open(&data).await.unwrap())
}

#[tokio::test]
async fn jobs_leave_the_queue_in_the_order_they_came_and_each_once() {
    let (_folder, jobs) = open().await;
    for run in ["b", "a", "c"] {
        assert_eq!(jobs.enqueue(job(run, None)).await.unwrap(), Enqueued::New);
    }
    assert_eq!(jobs.position("c").await.unwrap(), Some(2));
    let claims = (0..5).map(|_| {
        let jobs = jobs.clone();
        tokio::spawn(async move { jobs.claim("now").await.unwrap() })
    });
    let mut taken = Vec::new();
    for claim in claims.collect::<Vec<_>>() {
        taken.extend(claim.await.unwrap());
    }
    taken.sort_by_key(|job| job.number);
    let names: Vec<&str> = taken.iter().map(|job| job.run_id.as_str()).collect();
    assert_eq!(names, ["b", "a", "c"]);
    assert!(taken.iter().all(|job| job.state == JobState::Running));
    assert_eq!(jobs.position("c").await.unwrap(), None);
}

#[tokio::test]
async fn a_key_stands_for_one_request_of_one_owner_for_a_day() {
    let (_folder, jobs) = open().await;
    assert_eq!(jobs.enqueue(job("one", key("x", 0))).await.unwrap(), Enqueued::New);
    assert_eq!(jobs.enqueue(job("two", key("x", 5))).await.unwrap(), Enqueued::Same { run_id: "one".into() });
    assert_eq!(jobs.enqueue(job("two", key("y", 5))).await.unwrap(), Enqueued::OtherRequest { run_id: "one".into() });
    let other = NewJob { owner: "bob", ..job("two", key("y", 5)) };
    assert_eq!(jobs.enqueue(other).await.unwrap(), Enqueued::New, "another owner's key is another key");
    assert_eq!(jobs.enqueue(job("three", key("y", KEY_LIFE + 1))).await.unwrap(), Enqueued::New);
    assert_eq!(jobs.count(JobState::Queued).await.unwrap(), 3);
}

#[tokio::test]
async fn there_is_room_for_so_many_and_no_more() {
    let (_folder, jobs) = open().await;
    for run in ["a", "b", "c", "d"] {
        assert_eq!(jobs.enqueue(job(run, None)).await.unwrap(), Enqueued::New);
    }
    assert_eq!(jobs.enqueue(job("e", None)).await.unwrap(), Enqueued::OwnerFull);
    let crowd = NewJob { room: Room { most: Some(4), most_of_owner: None }, owner: "bob", ..job("f", None) };
    assert_eq!(jobs.enqueue(crowd).await.unwrap(), Enqueued::Full);
    assert!(jobs.moved("a", &[JobState::Queued], JobState::Cancelled, None, "now").await.unwrap());
    assert!(!jobs.moved("a", &[JobState::Queued], JobState::Cancelled, None, "now").await.unwrap());
    assert_eq!(jobs.enqueue(job("e", None)).await.unwrap(), Enqueued::New);
}

#[tokio::test]
async fn what_a_dead_server_left_running_is_known_and_the_rest_still_waits() {
    let folder = tempfile::tempdir().unwrap();
    let data = DataDir::open(folder.path()).unwrap();
    {
        let jobs = JobStore::open(&data).await.unwrap();
        jobs.enqueue(job("a", None)).await.unwrap();
        jobs.enqueue(job("b", None)).await.unwrap();
        jobs.claim("now").await.unwrap();
        jobs.set_toggles(&[("done_gate".into(), "off".into())], "ada", "now").await.unwrap();
    }
    let jobs = JobStore::open(&data).await.unwrap();
    let left = jobs.in_state(JobState::Running, u32::MAX).await.unwrap();
    assert_eq!(left.iter().map(|job| job.run_id.as_str()).collect::<Vec<_>>(), ["a"]);
    assert_eq!(jobs.claim("later").await.unwrap().unwrap().run_id, "b");
    assert_eq!(jobs.toggles().await.unwrap()[0].value, "off");
}

#[tokio::test]
async fn what_a_run_goes_on_from_is_kept_until_nobody_goes_on_with_it() {
    let (_folder, jobs) = open().await;
    for (run, to) in [("a", JobState::Ended), ("b", JobState::Failed), ("c", JobState::Cancelled)] {
        jobs.enqueue(job(run, None)).await.unwrap();
        jobs.claim("now").await.unwrap();
        jobs.keep_snapshot(run, Some("cookies")).await.unwrap();
        let kept = async || jobs.job(run).await.unwrap().unwrap().snapshot;
        for (from, to) in [
            (JobState::Running, JobState::Paused),
            (JobState::Paused, JobState::Queued),
            (JobState::Queued, JobState::Interrupted),
        ] {
            assert!(jobs.moved(run, &[from], to, None, "later").await.unwrap());
            assert_eq!(kept().await.as_deref(), Some("cookies"), "{to:?}");
        }
        assert!(jobs.moved(run, &[JobState::Interrupted], to, None, "later").await.unwrap());
        assert_eq!(kept().await, None, "{to:?}");
    }
}

#[tokio::test]
async fn a_webhook_waits_for_the_end_of_its_run_and_for_the_next_one_of_a_run_that_goes_on() {
    let (_folder, jobs) = open().await;
    for (run, webhooks) in [("a", told("https://a.example/", "")), ("b", told("https://b.example/", "failed"))] {
        jobs.enqueue(NewJob { webhooks: &webhooks, ..job(run, None) }).await.unwrap();
        jobs.claim("now").await.unwrap();
    }
    assert_eq!(jobs.ripe_webhooks(9).await.unwrap(), []);
    for run in ["a", "b"] {
        jobs.moved(run, &[JobState::Running], JobState::Interrupted, None, "at 1").await.unwrap();
    }
    let ripe = jobs.ripe_webhooks(9).await.unwrap();
    assert_eq!(ripe.iter().map(|ripe| ripe.run_id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    jobs.fire_webhook(&ripe[0], "interrupted", "{}", 10).await.unwrap();
    jobs.pass_webhook(&ripe[1]).await.unwrap();
    assert_eq!(jobs.ripe_webhooks(9).await.unwrap(), [], "this end is told");

    assert!(jobs.due_webhooks(9, 5).await.unwrap().is_empty());
    assert_eq!(jobs.next_webhook(9).await.unwrap(), Some(10));
    let due = jobs.due_webhooks(10, 5).await.unwrap();
    assert_eq!((due.len(), due[0].event.as_str()), (1, "interrupted"));
    jobs.webhook_tried(due[0].number, Tried::Again(20), "no answer", "at 2").await.unwrap();
    assert_eq!(jobs.due_webhooks(25, 5).await.unwrap()[0].tries, 1);
    jobs.webhook_tried(due[0].number, Tried::Delivered, "204", "at 3").await.unwrap();
    assert!(jobs.due_webhooks(99, 5).await.unwrap().is_empty());

    for run in ["a", "b"] {
        assert!(jobs.moved(run, &[JobState::Interrupted], JobState::Failed, None, "at 4").await.unwrap());
    }
    let ripe = jobs.ripe_webhooks(9).await.unwrap();
    assert!(ripe.iter().all(|ripe| ripe.ended == JobState::Failed), "{ripe:?}");
    assert_eq!(ripe.len(), 2);
    let unwanted = ripe.iter().find(|ripe| ripe.run_id == "b").unwrap();
    jobs.pass_webhook(unwanted).await.unwrap();
    let states: Vec<WebhookState> = jobs.webhooks_of("a").await.unwrap().iter().map(|row| row.state).collect();
    assert_eq!(states, [WebhookState::Delivered, WebhookState::Armed]);
    assert_eq!(jobs.webhooks_of("b").await.unwrap(), [], "nothing is left to wait for");
}

#[tokio::test]
async fn what_is_not_taken_tells_nobody() {
    let (_folder, jobs) = open().await;
    let webhooks = told("https://a.example/", "");
    let new = |run, body| NewJob { webhooks: &webhooks, ..job(run, key(body, 5)) };
    assert_eq!(jobs.enqueue(new("a", "x")).await.unwrap(), Enqueued::New);
    assert_eq!(jobs.enqueue(new("b", "x")).await.unwrap(), Enqueued::Same { run_id: "a".into() });
    assert_eq!(jobs.enqueue(new("c", "y")).await.unwrap(), Enqueued::OtherRequest { run_id: "a".into() });
    let count = async |run: &str| jobs.webhooks_of(run).await.unwrap().len();
    assert_eq!((count("a").await, count("b").await, count("c").await), (1, 0, 0));
}

#[tokio::test]
async fn whoever_goes_on_needs_room_and_keeps_the_settings_it_began_with() {
    let (_folder, jobs) = open().await;
    for run in ["a", "b"] {
        jobs.enqueue(job(run, None)).await.unwrap();
    }
    jobs.claim("now").await.unwrap();
    assert_eq!(jobs.keep_toggles("a", "{\"done_gate\":\"off\"}").await.unwrap(), "{\"done_gate\":\"off\"}");
    assert_eq!(jobs.keep_toggles("a", "{}").await.unwrap(), "{\"done_gate\":\"off\"}");
    jobs.moved("a", &[JobState::Running], JobState::Interrupted, None, "later").await.unwrap();
    let left = [JobState::Interrupted];
    let room = |most, most_of_owner| Room { most: Some(most), most_of_owner: Some(most_of_owner) };
    assert_eq!(jobs.requeue("a", &left, "{}", room(1, 9)).await.unwrap(), Requeued::Full);
    assert_eq!(jobs.requeue("a", &left, "{}", room(9, 1)).await.unwrap(), Requeued::OwnerFull);
    assert_eq!(jobs.job("a").await.unwrap().unwrap().state, JobState::Interrupted, "a refusal changes nothing");
    assert_eq!(jobs.requeue("a", &left, "{}", room(9, 9)).await.unwrap(), Requeued::Queued);
    assert_eq!(jobs.requeue("a", &left, "{}", room(9, 9)).await.unwrap(), Requeued::Elsewhere);
}

#[tokio::test]
async fn jobs_are_listed_in_pages_and_old_ones_forgotten() {
    let (_folder, jobs) = open().await;
    let webhooks = told("https://a.example/", "");
    for (run, owner) in [("a", "ada"), ("b", "bob"), ("c", "ada"), ("d", "bob")] {
        let webhooks: &[NewWebhook] = if run == "a" { &webhooks } else { &[] };
        let key = Some(JobKey { key: run, body: "x", now: 5 });
        jobs.enqueue(NewJob { owner, webhooks, ..job(run, key) }).await.unwrap();
    }
    for at in ["2026-01-02", "2026-01-03"] {
        jobs.claim(at).await.unwrap();
    }
    jobs.moved("a", &[JobState::Running], JobState::Failed, None, "2026-01-04").await.unwrap();
    let page = |owner, before, limit| {
        let jobs = jobs.clone();
        async move {
            let page = JobPage { states: &JobState::ALL, owner, before, limit };
            jobs.page(page).await.unwrap().into_iter().map(|(place, _)| place).collect::<Vec<JobPlace>>()
        }
    };
    let names = |places: &[JobPlace]| places.iter().map(|(_, run)| run.clone()).collect::<Vec<_>>().join(" ");
    let first = page(None, None, 3).await;
    assert_eq!(names(&first), "d c b", "what waits comes before what has begun");
    assert_eq!(names(&page(None, first.last(), 3).await), "a");
    assert_eq!(names(&page(Some("ada"), None, 9).await), "c a");
    assert_eq!(jobs.place("b").await.unwrap(), Some(first[2].clone()));
    let failed = JobPage { states: &[JobState::Failed], owner: None, before: None, limit: 9 };
    assert_eq!(jobs.page(failed).await.unwrap().len(), 1);

    assert!(jobs.over_before("2026-01-04").await.unwrap().is_empty());
    assert_eq!(jobs.over_before("2026-01-05").await.unwrap(), [("a".to_string(), false, "2026-01-04".to_string())]);
    jobs.forget(&["a".into(), "b".into()]).await.unwrap();
    assert!(jobs.job("a").await.unwrap().is_some(), "somebody has still to be told");
    let ripe = jobs.ripe_webhooks(9).await.unwrap();
    jobs.fire_webhook(&ripe[0], "failed", "{}", 10).await.unwrap();
    jobs.webhook_tried(ripe[0].number, Tried::Delivered, "204", "now").await.unwrap();
    jobs.forget(&["a".into(), "b".into()]).await.unwrap();
    assert!(jobs.job("a").await.unwrap().is_none() && jobs.webhooks_of("a").await.unwrap().is_empty());
    assert_eq!(jobs.job("b").await.unwrap().unwrap().state, JobState::Running, "what is under way stays");
    let again = NewJob { owner: "ada", ..job("e", Some(JobKey { key: "a", body: "x", now: 6 })) };
    assert_eq!(jobs.enqueue(again).await.unwrap(), Enqueued::Same { run_id: "a".into() }, "nobody gets it twice");
    jobs.forget_keys(6 + KEY_LIFE).await.unwrap();
    assert_eq!(jobs.enqueue(again).await.unwrap(), Enqueued::New);
}
