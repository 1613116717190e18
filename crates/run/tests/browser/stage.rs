//! A browser on the CRM, with the few moves that every test makes: find a target, act, ask the
//! site what it knows.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use surehand_env::browser::{BrowserEnv, BrowserOptions};
use surehand_env::{Environment, Receipt, SettleKind};
use surehand_run::{Acted, Hand};
use surehand_sites::{Site, SiteServer};
use surehand_types::call::TargetQuery;
use surehand_types::{Call, GridPoint, Observation};

pub(crate) const CONTACT: u64 = 1087;
/// How long a page may take to show what is looked for.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Stage {
    pub(crate) env: BrowserEnv,
    pub(crate) hand: Hand,
    pub(crate) site: SiteServer,
    steps: u32,
}

impl Stage {
    pub(crate) async fn open() -> Stage {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let site = SiteServer::start(Site::Crm, address).await.unwrap();
        let mut env = BrowserEnv::launch(&BrowserOptions::default()).await.unwrap();
        env.open_start_url(&site.url()).await.unwrap();
        Stage { env, hand: Hand::default(), site, steps: 0 }
    }

    pub(crate) async fn signed_in() -> Stage {
        let mut stage = Stage::open().await;
        stage.click("button", "Only necessary").await;
        stage.click("textbox", "Email").await;
        stage.type_text("dana@northbeam.example").await;
        stage.click("textbox", "Password").await;
        stage.type_text("harbor-lights-42").await;
        stage.click("button", "Sign in").await;
        stage.find("link", "Contacts").await;
        stage
    }

    /// One call through `act`.
    pub(crate) async fn act(&mut self, call: Value) -> Acted {
        self.steps += 1;
        let call = Call::parse(&call).unwrap().call;
        self.hand.act(&mut self.env, &call, self.steps).await.unwrap()
    }

    /// A click on a target, which has to work.
    pub(crate) async fn click(&mut self, role: &str, text: &str) -> Acted {
        let point = self.find(role, text).await;
        let acted = self.act(json!({"tool": "mouse", "action": "click", "coordinate": [point.x, point.y]})).await;
        assert!(acted.ok, "{role} {text}: {}", acted.message);
        acted
    }

    pub(crate) async fn type_text(&mut self, text: &str) -> Acted {
        let acted = self.act(json!({"tool": "keyboard", "action": "type", "text": text})).await;
        assert!(acted.ok, "{}", acted.message);
        acted
    }

    pub(crate) async fn open_contact(&mut self) -> Acted {
        let url = format!("{}contacts/{CONTACT}", self.site.url());
        let acted = self.act(json!({"tool": "tab", "action": "open", "url": url})).await;
        assert!(acted.ok, "{}", acted.message);
        acted
    }

    /// A fresh look, without a call.
    pub(crate) async fn look(&mut self) -> Observation {
        self.env.settle(&Receipt { settle: SettleKind::Look, ..Receipt::default() }).await.unwrap().observation
    }

    /// The centre of the one element that is meant, as soon as it is there.
    pub(crate) async fn find(&mut self, role: &str, text: &str) -> GridPoint {
        let query = TargetQuery { text: Some(text.into()), role: Some(role.into()), ..TargetQuery::default() };
        let end = Instant::now() + PATIENCE;
        loop {
            match query.resolve(&self.look().await.interactables) {
                Ok(point) => return point,
                Err(sentence) => assert!(Instant::now() < end, "{sentence}"),
            }
        }
    }

    /// What the site itself says about its data.
    pub(crate) fn state(&self) -> Value {
        let mut stream = TcpStream::connect(self.site.address()).unwrap();
        stream.write_all(b"GET /__state HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    pub(crate) fn contact(&self) -> Option<Value> {
        let state = self.state();
        state["contacts"].as_array().unwrap().iter().find(|contact| contact["id"] == CONTACT).cloned()
    }

    /// Ends the browser and sees that it is gone.
    pub(crate) async fn close(mut self) {
        let pid = self.env.browser_pid().unwrap();
        self.env.close().await;
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        assert!(stat.is_empty() || stat.contains(") Z "), "the browser is still there: {stat}");
    }
}
