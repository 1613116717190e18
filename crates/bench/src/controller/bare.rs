//! A controller with nothing around it: the calls of a STEP, each awaited, over its own pipe client.
//! It takes the same fast PNGs as Surehand, and decoding is left out of its time: what it lacks in
//! checks it is given in speed.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use base64::Engine;
use serde_json::{Value, json};
use surehand_checks::picture;

use super::pipe::PipedBrowser;
use super::{Sample, Setup};
use crate::args::Format;
use crate::panel::witness;
use crate::site::Aiming;

const PROBE: &str = "({url: location.href, title: document.title, \
    active: document.activeElement ? document.activeElement.id : null, count: window.count, ready: document.readyState})";

const TWO_FRAMES: &str =
    "new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null))))";

#[derive(Debug)]
pub(crate) struct Bare {
    browser: PipedBrowser,
    format: Format,
    aiming: Aiming,
    sent: u64,
}

impl Bare {
    pub(crate) async fn open(setup: &Setup) -> Result<Bare> {
        let mut browser = PipedBrowser::launch(&setup.browser, &setup.scratch.join("bare-profile"))?;
        let targets = browser.call("Target.getTargets", json!({})).await?;
        let page = targets["targetInfos"].as_array().into_iter().flatten().find(|info| info["type"] == "page");
        let target = page.context("the browser has no page")?["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({"targetId": target, "flatten": true})).await?;
        browser.use_session(attached["sessionId"].as_str().context("no session")?);
        let metrics = json!({"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false});
        browser.call("Emulation.setDeviceMetricsOverride", metrics).await?;
        browser.call("Page.enable", json!({})).await?;
        browser.call("Page.navigate", json!({"url": setup.url})).await?;
        browser.event("Page.loadEventFired").await?;
        let mut bare = Bare { browser, format: setup.format, aiming: setup.aiming, sent: 0 };
        let view = bare.evaluate("[innerWidth, innerHeight, devicePixelRatio]").await?;
        ensure!(view == json!([1280, 720, 1]), "the bare client's view is {view}");
        Ok(bare)
    }

    pub(crate) async fn step(&mut self) -> Result<Sample> {
        let point = self.aiming.view_point(self.sent);
        let begun = Instant::now();
        self.capture().await?;
        let looked = begun.elapsed();
        for (kind, button, buttons, count) in
            [("mouseMoved", "none", 0, 0), ("mousePressed", "left", 1, 1), ("mouseReleased", "left", 0, 1)]
        {
            let event = json!({"type": kind, "x": point.x, "y": point.y, "button": button, "buttons": buttons, "clickCount": count});
            self.browser.call("Input.dispatchMouseEvent", event).await?;
        }
        let probed = self.evaluate(PROBE).await?;
        self.evaluate(TWO_FRAMES).await?;
        let frame = self.capture().await?;
        let ended = begun.elapsed();
        self.sent += 1;
        let count = probed["count"].as_u64().context("the page did not tell its count")?;
        let frame = picture::decode(&base64::engine::general_purpose::STANDARD.decode(frame)?)?;
        Ok(Sample {
            total_ms: ended.as_secs_f64() * 1000.0,
            without_first_look_ms: (ended - looked).as_secs_f64() * 1000.0,
            witness: witness(&frame, count),
        })
    }

    pub(crate) async fn missed(&mut self) -> Result<u64> {
        let counted = self.evaluate("window.count").await?.as_u64().context("the page did not tell its count")?;
        Ok(self.sent.saturating_sub(counted))
    }

    pub(crate) async fn close(self) {
        self.browser.end().await;
    }

    async fn capture(&mut self) -> Result<String> {
        let parameters = match self.format {
            Format::Png => json!({"format": "png", "optimizeForSpeed": true}),
            Format::Jpeg => json!({"format": "jpeg", "quality": 80, "optimizeForSpeed": true}),
        };
        match self.browser.call("Page.captureScreenshot", parameters).await?["data"].take() {
            Value::String(data) => Ok(data),
            _ => anyhow::bail!("the capture has no data"),
        }
    }

    async fn evaluate(&mut self, expression: &str) -> Result<Value> {
        let parameters = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        Ok(self.browser.call("Runtime.evaluate", parameters).await?["result"]["value"].take())
    }
}
