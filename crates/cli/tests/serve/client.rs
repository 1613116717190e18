//! The client crate against a real server: every group of its methods, and errors in the server's words.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;
use surehand_client::api::{CuaRequest, PredictRequest, RunStatus};
use surehand_client::{Client, ClientError, Heard, LessonQuery, RunQuery};
use surehand_types::event::Event;

use crate::bench::{Bench, HANG, eventually};
use crate::service::{Service, patient_brain, site};

async fn until(client: &Client, run: &str, wanted: RunStatus) {
    let end = std::time::Instant::now() + HANG;
    while client.get_run(run).await.unwrap().status != wanted {
        assert!(std::time::Instant::now() < end, "{run} never became {wanted:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn everything_that_the_server_offers_can_be_asked_for_by_the_client() {
    let (bench, site) = (Bench::new(), site());
    let service = Service::start(&bench, &patient_brain(&bench), &[]);
    let client = Client::new(&format!("http://{}/", service.address), None).unwrap();
    assert_eq!(client.health().await.unwrap().status, "ok");
    assert!(client.ready().await.unwrap().ready && client.instance().await.unwrap().caller == "local");
    let request = CuaRequest { instruction: "press it".into(), start_url: Some(site.url()), ..CuaRequest::default() };
    let run = client.submit(&request, Some("a-key")).await.unwrap().run_id;
    assert_eq!(client.submit(&request, Some("a-key")).await.unwrap().run_id, run);
    let other = CuaRequest { instruction: "another".into(), ..request.clone() };
    let error = client.submit(&other, Some("a-key")).await.unwrap_err();
    assert_eq!((error.status(), error.code(), error.is_passing()), (Some(409), Some("key_reused"), false));
    assert!(error.to_string().contains("\nhint: "), "{error}");
    assert_eq!(client.queue().await.unwrap().running, 1);
    let plan = PredictRequest { plan: Some(json!({"name": "nothing", "steps": []})), ..PredictRequest::default() };
    let error = client.submit_plan(&plan, None).await.unwrap_err();
    assert!(error.status() == Some(400) && error.to_string().contains("steps"), "{error}");

    eventually("the first press", || site.count("/pressed") == 1);
    eventually("the second turn", || bench.read("seen").lines().count() == 2);
    client.pause(&run).await.unwrap();
    bench.write("go2", "");
    until(&client, &run, RunStatus::Paused).await;
    client.take_over(&run).await.unwrap();
    until(&client, &run, RunStatus::TakenOver).await;
    let call = json!({"tool": "mouse", "action": "click", "coordinate": [60, 60]}).as_object().unwrap().clone();
    assert!(client.call(&run, &call).await.unwrap().ok);
    let error = client.approve(&run, None).await.unwrap_err();
    assert_eq!(error.code(), Some("nothing_asked"));
    assert_eq!(client.answer(&run, None, "x").await.unwrap_err().code(), Some("nothing_asked"));
    bench.write("finish", "");
    client.release(&run).await.unwrap();

    let mut events = client.events(&run, 3, HANG);
    let mut numbers = Vec::new();
    while let Some(heard) = events.next().await.unwrap() {
        if let Heard::Event(envelope) = heard {
            numbers.push(envelope.seq);
            if let Event::RunEnded { result } = &envelope.event {
                assert!(result.success);
            }
        }
    }
    assert_eq!(numbers, (4..=events.known()).collect::<Vec<_>>());
    until(&client, &run, RunStatus::Ended).await;
    let result = client.get_run(&run).await.unwrap().result.unwrap();
    let frame = result.trajectory[0].frames.after.clone().unwrap();
    assert!(client.frame(&run, &frame).await.unwrap().starts_with(b"\x89PNG"));
    assert!(String::from_utf8(client.report(&run).await.unwrap()).unwrap().contains("press it"));
    let toggles = BTreeMap::from([("done_gate".to_string(), "off".to_string())]);
    let at_once = CuaRequest { toggles, ..request };
    assert!(client.run(&at_once, None, HANG).await.unwrap().success, "waited for");
    for wish in [client.resume(&run).await, client.cancel(&run).await] {
        assert_eq!(wish.unwrap_err().code(), Some("not_running"));
    }

    let first = RunQuery { limit: Some(1), status: Some("ended".into()), ..RunQuery::default() };
    let second = RunQuery { before: client.list_runs(&first).await.unwrap().next, ..first };
    assert_eq!(client.list_runs(&second).await.unwrap().runs[0].run_id, run);
    let changed = client.change_toggles(at_once.toggles).await.unwrap();
    assert!(changed.toggles.iter().any(|toggle| toggle.name == "done_gate" && toggle.value == "off"));
    assert_eq!(client.toggles().await.unwrap(), changed);
    let audit = bench.surehand(&["audit", "show", "--json"]).stdout;
    assert!(audit.contains("\"source\":\"instance\",\"by\":\"local\""), "{audit}");
    let query = LessonQuery { text: Some("&=?".into()), limit: Some(3), ..LessonQuery::default() };
    assert_eq!(client.lessons(&query).await.unwrap().lessons, []);
    assert_eq!(client.lesson_stats().await.unwrap().totals.shown, 0);
    for word in [
        client.lesson("a/../b").await,
        client.suppress_lesson("lsn_0", Some("why")).await,
        client.lift_lesson("lsn_0", None).await,
        client.promote_lesson("lsn_0", None).await,
    ] {
        assert_eq!(word.unwrap_err().code(), Some("not_found"));
    }

    drop(service);
    let error = client.health().await.unwrap_err();
    assert!(matches!(error, ClientError::Unreachable { .. }) && error.is_passing(), "{error:?}");
    let mut events = client.events(&run, 0, Duration::from_millis(300));
    assert!(matches!(events.next().await, Ok(Some(Heard::Lost(_)))));
    assert!(events.next().await.is_err(), "patience has an end");
}
