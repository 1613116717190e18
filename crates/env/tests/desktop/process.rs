//! Nothing that was started stays, whatever ends; and what was there before is left alone.

use std::time::{Duration, Instant};

use serde_json::json;
use surehand_env::desktop::{DesktopEnv, DesktopOptions, DesktopSpec};
use surehand_env::{EnvError, Environment};
use surehand_types::event::EnvironmentEvent;

use crate::support::{Driver, TestDisplay, eventually, processes_with, virtual_options};

async fn failure(options: &DesktopOptions) -> String {
    let started = Instant::now();
    let error = DesktopEnv::start(options).await.err().unwrap().to_string();
    assert!(started.elapsed() < Duration::from_secs(20), "{error}");
    error
}

#[tokio::test]
async fn nothing_is_left_after_the_end() {
    let mark = format!("surehand-test-{}", std::process::id());
    // One that leaves its group and lets go of its parent is found by its mark.
    let app = format!("setsid sleep 987 {mark} & sh -c 'sleep 988; : {mark}' & exec xclock -name {mark}");
    let app = app.replace("sleep 987 ", "sh -c 'sleep 987; : $0' ");
    let mut driver = Driver::start(&virtual_options(&app)).await;
    assert!(processes_with(&mark).len() >= 3);
    driver.env.close().await;
    eventually("the application to be gone", || processes_with(&mark).is_empty());
}

#[tokio::test]
async fn a_dropped_desktop_is_gone_as_well() {
    let mark = format!("surehand-drop-{}", std::process::id());
    let driver = Driver::start(&virtual_options(&format!("exec xclock -name {mark}"))).await;
    drop(driver);
    eventually("the application to be gone", || processes_with(&mark).is_empty());
}

#[tokio::test]
async fn an_application_that_ends_is_told_and_the_desktop_stays() {
    let mut driver = Driver::start(&virtual_options("xclock & sleep 1.2; kill $!; echo tired >&2; exit 3")).await;
    let mut told = None;
    for _ in 0..40 {
        let outcome = driver.call(json!({"tool": "wait", "seconds": 0.1})).await;
        told = outcome.happenings.events.into_iter().find_map(|event| match event {
            EnvironmentEvent::AppEnded { reason } => Some(reason),
            _ => None,
        });
        if told.is_some() {
            break;
        }
    }
    assert_eq!(told.as_deref(), Some("the application ended (exit code 3); it said: tired"));
    assert_eq!(driver.env.lost(), None);
    driver.env.close().await;
}

#[tokio::test]
async fn a_display_that_dies_is_a_lost_environment_soon() {
    let mut display = TestDisplay::start();
    let mut driver = Driver::start(&display.options()).await;
    let lost = driver.env.until_lost();
    display.kill();
    let reason = tokio::time::timeout(Duration::from_secs(3), lost).await.unwrap();
    assert_eq!(driver.env.lost(), Some(reason));
    let failed = driver.try_call(json!({"tool": "mouse", "action": "click", "coordinate": [5, 5]})).await;
    assert!(matches!(failed, Ok(Err(failure)) if failure.code == surehand_types::ErrorCode::EnvLost));
    let look = surehand_env::Receipt { settle: surehand_env::SettleKind::Look, ..Default::default() };
    assert!(matches!(driver.env.settle(&look).await, Err(EnvError::Lost(_))));
    driver.env.close().await;
}

#[tokio::test]
async fn a_display_that_was_there_before_stays() {
    let mut display = TestDisplay::start();
    let options = DesktopOptions { app: Some("exec xclock".into()), ..display.options() };
    let mut driver = Driver::start(&options).await;
    driver.type_text("漢字").await;
    driver.env.close().await;
    assert!(display.is_alive());
    // And can be driven again, with nothing lent any more.
    let mut driver = Driver::start(&display.options()).await;
    let list = driver.call(json!({"tool": "window", "action": "list"})).await;
    assert_eq!(list.message, "there are no windows");
    driver.env.close().await;
}

#[tokio::test]
async fn what_cannot_start_says_why() {
    let error = failure(&DesktopOptions::new(DesktopSpec::parse(":987").unwrap())).await;
    assert!(error.starts_with("the display :987 cannot be used") && error.contains("hint:"), "{error}");
    let error = failure(&virtual_options("surehand-no-such-program")).await;
    assert!(error.contains("ended before it showed a window (exit code 127)"), "{error}");
    assert!(error.contains("surehand-no-such-program: not found"), "{error}");
    let mut silent = virtual_options("sleep 600");
    silent.timing.launch = Duration::from_secs(2);
    let error = failure(&silent).await;
    assert!(error.contains("showed no window within 2 s"), "{error}");
}
