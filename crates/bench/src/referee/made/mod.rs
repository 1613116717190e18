//! Makes labelled screenshots of LMMS: sessions of random looks and patterns in the real application. What is lit
//! comes from the project file, what can be seen from the application itself (`places`). The folder that comes out is
//! what `--frames` reads.

mod places;
mod plan;
mod project;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use surehand_checks::picture;
use surehand_env::Environment;
use surehand_env::desktop::{DesktopEnv, DesktopOptions, DesktopSpec};
use surehand_types::{Call, Pixels};

use self::places::{Layout, RowInView};
use self::plan::{Moment, Session, Shot};
use self::project::{Pattern, Windows};

/// How long the application may take until its window stands still.
const START: Duration = Duration::from_secs(30);
/// Nothing has changed for so long: the window stands.
const STILL: Duration = Duration::from_millis(600);

/// Makes that many frames, six of each session, and their `truth.json`.
pub(crate) async fn make(folder: &Path, seed: u64, count: u64) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut truth: BTreeMap<String, Value> = BTreeMap::new();
    for number in 0.. {
        if truth.len() as u64 >= count {
            break;
        }
        let session = Session::of(seed, number);
        eprintln!("bench: session {number}: {}, {} of {count} frames so far", session.described(), truth.len());
        let layout = layout(&session).await?;
        for (index, shot) in session.shots.iter().enumerate().take(count as usize - truth.len()) {
            let (pixels, hidden) = shoot(&session, shot, &layout).await?;
            let name = format!("m{seed}_{number:02}_{index}.png");
            std::fs::write(folder.join(&name), picture::encode_png(&pixels)?)
                .with_context(|| format!("cannot write to {}", folder.display()))?;
            truth.insert(name, label(&session, number, shot, &layout, &hidden));
            // After each frame: a run that is stopped leaves what it has made.
            std::fs::write(folder.join("truth.json"), serde_json::to_string_pretty(&truth)?)?;
        }
    }
    Ok(())
}

/// Where the rows are, and what of them can be seen. The steps are switched on and off, and what then changes are
/// the cells.
async fn layout(session: &Session) -> Result<Layout> {
    let mut frames = Vec::new();
    let covers: &[Windows] =
        if session.covers.is_empty() { &[Windows::Alone] } else { &[Windows::Alone, Windows::All] };
    for windows in covers {
        for lit in [Pattern::Empty, Pattern::Odd, Pattern::Even] {
            let rows = session.rows_with(lit);
            let mut app = App::start(session, &project::text(session, &rows, *windows)).await?;
            frames.push(app.still_frame().await?);
            app.close().await;
        }
    }
    Ok(Layout::of(session, &frames))
}

/// The frame, and per row whether a message hides it.
async fn shoot(session: &Session, shot: &Shot, layout: &Layout) -> Result<(Pixels, Vec<bool>)> {
    let mut app = App::start(session, &project::text(session, &shot.rows, Windows::All)).await?;
    let before = app.still_frame().await?;
    let mut hidden = vec![false; shot.rows.len()];
    let pixels = match shot.moment {
        Moment::Rest => before,
        Moment::Playing { after } => {
            app.call(json!({"tool": "mouse", "action": "click", "coordinate": app.grid(layout.play_button(session))}))
                .await?;
            let playing = app.frame_after(after).await?;
            anyhow::ensure!(playing.rgb != before.rgb, "the play button is not where it was thought to be");
            playing
        }
        Moment::Saved => {
            app.call(json!({"tool": "keyboard", "action": "press", "key": "ctrl+s"})).await?;
            let saved = app.frame_after(Duration::from_millis(500)).await?;
            hidden = layout.changed(&before, &saved);
            saved
        }
    };
    app.close().await;
    Ok((pixels, hidden))
}

fn label(session: &Session, number: u64, shot: &Shot, layout: &Layout, hidden: &[bool]) -> Value {
    let rows = shot.rows.iter().enumerate().map(|(index, row)| {
        let seen = layout.rows.get(index).copied().unwrap_or(RowInView::default());
        let hidden = hidden.get(index).copied().unwrap_or(false);
        json!({
            "name": row.name,
            "steps": row.steps,
            "active": row.lit.keys().collect::<Vec<_>>(),
            "muted": row.muted,
            "vols": row.lit.iter().map(|(step, velocity)| (step.to_string(), *velocity)).collect::<BTreeMap<_, _>>(),
            "visible": seen.cells && !hidden,
            "label_visible": seen.label && !hidden && !session.compact,
        })
    });
    json!({
        "app": "lmms",
        "session": number,
        "display": [session.display.0, session.display.1],
        "theme": session.theme,
        "win": session.window,
        "scale": session.scale,
        "compact": session.compact,
        "others": !session.covers.is_empty(),
        "playing": matches!(shot.moment, Moment::Playing { .. }),
        "saved": shot.moment == Moment::Saved,
        "rows": rows.collect::<Vec<_>>(),
    })
}

/// LMMS in a display and a home of its own.
struct App {
    env: DesktopEnv,
    /// Removed with everything in it at the end.
    _home: tempfile::TempDir,
}

impl App {
    async fn start(session: &Session, project: &str) -> Result<App> {
        let home = tempfile::tempdir().context("no folder for LMMS")?;
        let command = project::prepare(session, home.path(), project)?;
        let spec = DesktopSpec::parse(&format!("xvfb:{}x{}", session.display.0, session.display.1));
        let spec = spec.map_err(anyhow::Error::msg)?;
        let options = DesktopOptions { app: Some(command), ..DesktopOptions::new(spec) };
        let env = DesktopEnv::start(&options)
            .await
            .context("LMMS did not start. hint: cargo xtask setup desktop installs what it needs")?;
        Ok(App { env, _home: home })
    }

    /// The screen when nothing moves any more.
    async fn still_frame(&mut self) -> Result<Pixels> {
        let until = Instant::now() + START;
        let (mut last, mut since): (Option<Pixels>, Instant) = (None, Instant::now());
        while Instant::now() < until {
            let now = self.env.observe().await?.frame.pixels.as_ref().clone();
            if last.as_ref().is_some_and(|last| last.rgb == now.rgb) {
                if since.elapsed() >= STILL {
                    return Ok(now);
                }
            } else {
                (last, since) = (Some(now), Instant::now());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("the window of LMMS does not stand still")
    }

    async fn frame_after(&mut self, pause: Duration) -> Result<Pixels> {
        tokio::time::sleep(pause).await;
        Ok(self.env.observe().await?.frame.pixels.as_ref().clone())
    }

    fn grid(&self, point: (f64, f64)) -> [u16; 2] {
        let view = self.env.view();
        let axis = |pixel: f64, extent: u32| (pixel * 1000.0 / f64::from(extent)).round() as u16;
        [axis(point.0, view.width), axis(point.1, view.height)]
    }

    async fn call(&mut self, call: Value) -> Result<()> {
        let call = Call::parse(&call);
        let call = call.map_err(|problem| anyhow::anyhow!(problem.message))?.call;
        let failed = |failure: surehand_env::CallFailure| anyhow::anyhow!(failure.message);
        self.env.begin_call();
        let aim = self.env.aim(&call).await.map_err(failed)?;
        let receipt = self.env.commit(&call, &aim).await.map_err(failed)?;
        self.env.settle(&receipt).await?;
        Ok(())
    }

    async fn close(mut self) {
        self.env.close().await;
    }
}
