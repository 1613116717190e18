//! Processes: what we start we end, what crashes is reported, what we attach to we leave alone.

use std::time::Duration;

use serde_json::json;
use surehand_env::browser::{AttachOptions, BrowserEnv, BrowserOptions, SessionProfile, find_browser};
use surehand_env::{EnvError, Environment};
use surehand_types::{Call, ErrorCode};

use crate::support::{Driver, Pages};

fn alive(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

async fn gone(pid: u32) {
    let end = tokio::time::Instant::now() + Duration::from_secs(10);
    while alive(pid) {
        assert!(tokio::time::Instant::now() < end, "process {pid} is still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_and_dropping_end_the_browser_and_remove_its_traces() {
    let owners = tempfile::tempdir().unwrap();
    let options = BrowserOptions { owners_folder: Some(owners.path().into()), ..BrowserOptions::default() };
    let mut closed = BrowserEnv::launch(&options).await.unwrap();
    let dropped = BrowserEnv::launch(&options).await.unwrap();
    let pids = [closed.browser_pid().unwrap(), dropped.browser_pid().unwrap()];
    assert_eq!(std::fs::read_dir(owners.path()).unwrap().count(), 2);
    closed.close().await;
    drop(dropped);
    for pid in pids {
        gone(pid).await;
    }
    assert_eq!(std::fs::read_dir(owners.path()).unwrap().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_hangs_takes_no_login_with_it() {
    let html = "<title>x</title><style>button{width:400px;height:400px}</style><button onclick=\"document.cookie='second=2';\
        setTimeout(() => { for (;;); }, 100)\">B</button><script>document.cookie='first=1';localStorage.desk='third floor'</script>";
    let mut driver = Driver::open(html).await;
    let kept = driver.env.keepsake().await.unwrap().to_string();
    assert!(kept.contains("first") && kept.contains("third floor"), "{kept}");
    let call = Call::parse(&json!({"tool": "mouse", "action": "click", "coordinate": [100, 100]})).unwrap().call;
    let aim = driver.env.aim(&call).await.unwrap();
    // Whether the click came back in time is not what this is about.
    let _ = driver.env.commit(&call, &aim).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let asked = tokio::time::timeout(Duration::from_secs(5), driver.env.keepsake()).await;
    let kept = asked.expect("a page that hangs is not waited for").unwrap().to_string();
    assert!(kept.contains("second") && kept.contains("third floor"), "{kept}");
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_browser_is_lost_at_once() {
    let mut driver = Driver::open("<title>x</title><button>B</button>").await;
    let pid = driver.env.browser_pid().unwrap();
    kill(pid);
    let call = Call::parse(&json!({"tool": "mouse", "action": "click", "coordinate": [100, 100]})).unwrap().call;
    let end = tokio::time::Instant::now() + Duration::from_secs(10);
    while driver.env.lost().is_none() {
        assert!(tokio::time::Instant::now() < end);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(driver.env.aim(&call).await.unwrap_err().code, ErrorCode::EnvLost);
    let look = surehand_env::Receipt { settle: surehand_env::SettleKind::Look, ..Default::default() };
    assert!(matches!(driver.env.settle(&look).await, Err(EnvError::Lost(_))));
    driver.close().await;
}

/// The renderers of a browser: its pages crash when these die.
fn renderers(browser: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| {
        let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let group = std::fs::read_to_string(format!("/proc/{pid}/stat"))
            .ok()
            .and_then(|stat| stat.rsplit_once(')')?.1.split_whitespace().nth(2)?.parse::<u32>().ok());
        line.contains("--type=renderer") && group == Some(browser)
    })
    .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crashed_tab_is_an_event_and_can_be_reloaded() {
    let mut driver = Driver::open("<title>fine</title><button>B</button>").await;
    let pids = renderers(driver.env.browser_pid().unwrap());
    assert!(!pids.is_empty());
    for pid in pids {
        kill(pid);
    }
    let end = tokio::time::Instant::now() + Duration::from_secs(10);
    loop {
        let failure = driver.try_call(json!({"tool": "mouse", "action": "click"})).await;
        match failure {
            Err(failure) if failure.message.contains("has crashed") => break,
            _ => assert!(tokio::time::Instant::now() < end, "no crash was reported"),
        }
    }
    let listed = driver.call(json!({"tool": "tab", "action": "list"})).await;
    assert!(listed.observation.frame.stale, "there is no page to look at");
    let reloaded = driver.call(json!({"tool": "tab", "action": "refresh"})).await;
    assert_eq!(reloaded.observation.title.as_deref(), Some("fine"));
    assert!(!reloaded.observation.frame.stale);
    driver.click_on("B").await;
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_kept_and_locked() {
    let folder = tempfile::tempdir().unwrap();
    let session = Some(SessionProfile { folder: folder.path().into(), name: "work".into() });
    let options = BrowserOptions { session, ..BrowserOptions::default() };
    let page = "<!doctype html><script>document.title=localStorage.seen||'new';localStorage.seen='again'</script>";
    let pages = Pages::serve(&[("/", page)]).await;
    for expected in ["new", "again"] {
        let mut env = BrowserEnv::launch(&options).await.unwrap();
        let second = BrowserEnv::launch(&options).await.unwrap_err();
        assert!(matches!(second, EnvError::SessionLocked { .. }), "{second}");
        env.open_start_url(&pages.url("/")).await.unwrap();
        assert_eq!(env.observe().await.unwrap().title.as_deref(), Some(expected));
        env.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn attaching_leaves_the_browser_open_and_its_viewport_alone() {
    let profile = tempfile::tempdir().unwrap();
    let mut command = tokio::process::Command::new(find_browser(None).unwrap());
    command
        .args(["--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--no-sandbox"])
        .args(["--remote-debugging-port=0", "--window-size=900,700", "about:blank"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .kill_on_drop(true);
    let mut browser = command.spawn().unwrap();
    let port_file = profile.path().join("DevToolsActivePort");
    let end = tokio::time::Instant::now() + Duration::from_secs(20);
    let port = loop {
        if let Some(port) =
            std::fs::read_to_string(&port_file).ok().and_then(|text| text.lines().next()?.parse::<u16>().ok())
        {
            break port;
        }
        assert!(tokio::time::Instant::now() < end);
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let pages = Pages::serve(&[("/", "<title>mine</title><button>B</button>")]).await;
    let attach = AttachOptions { url: format!("http://127.0.0.1:{port}"), target: None, viewport: None };
    let mut env = BrowserEnv::attach(&attach, &BrowserOptions::default()).await.unwrap();
    assert_eq!(env.view().width, 900);
    env.open_start_url(&pages.url("/")).await.unwrap();
    let seen = env.observe().await.unwrap();
    assert_eq!((seen.title.as_deref(), seen.tabs.len()), (Some("mine"), 2), "the page opens in a tab of its own");
    env.close().await;
    let again = BrowserEnv::attach(&attach, &BrowserOptions::default()).await.unwrap();
    assert!(browser.try_wait().unwrap().is_none(), "the browser was ended");
    drop(again);
    let wrong = AttachOptions { target: Some("nope".into()), ..attach };
    assert!(matches!(BrowserEnv::attach(&wrong, &BrowserOptions::default()).await, Err(EnvError::Attach { .. })));
    browser.kill().await.unwrap();
}
