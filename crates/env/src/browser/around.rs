//! What stands around the elements of a page: asked before a call acts, and when an element is looked for by name.

use serde::Deserialize;
use surehand_types::call::TargetQuery;
use surehand_types::surroundings::Whereabouts;
use surehand_types::{Interactable, Surroundings, ViewBox};

use super::BrowserEnv;
use super::page::Page;
use super::places::FRAME_DEADLINE;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawNamed {
    width: f64,
    height: f64,
    controls: Vec<RawControl>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawControl {
    role: String,
    name: String,
    r#box: [f64; 4],
    in_view: bool,
    around: Surroundings,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawAround {
    /// It is in a frame of another process.
    foreign: bool,
    #[serde(flatten)]
    around: Surroundings,
}

impl BrowserEnv {
    /// Every control of the page and its frames, those that have to be scrolled to included.
    /// Plain elements only where they are asked for.
    pub(super) async fn read_named(&mut self, query: &TargetQuery) -> Option<Vec<Interactable>> {
        let plain = query.plain().and_then(|plain| serde_json::to_string(&plain).ok());
        let ask = format!("__surehand.named({})", plain.as_deref().unwrap_or("null"));
        if self.shared.lock().open_dialog().is_some() {
            return None;
        }
        let page = self.page().ok()?;
        let main: RawNamed = page.evaluate(&ask).await.ok()?;
        let view = self.view;
        let (width, height) = (f64::from(view.width), f64::from(view.height));
        let mut found = Vec::new();
        let mut add = |raw: RawControl, [x0, y0, x1, y1]: [f64; 4]| {
            let inside = x1 > 0.0 && y1 > 0.0 && x0 < width && y0 < height;
            let bounds = view.grid_box(ViewBox { x0, y0, x1, y1 });
            let mut item = Interactable::new(raw.role, raw.name, bounds);
            item.out_of_view = !(raw.in_view && inside);
            item.around = Some(Box::new(raw.around));
            found.push(item);
        };
        for raw in main.controls {
            let bounds = raw.r#box;
            add(raw, bounds);
        }
        for (frame, answer) in page.ask_frames::<RawNamed>(&ask).await {
            let Some(Some(inner)) = answer else { continue };
            let placing = page.place_of(&frame, [inner.width, inner.height]);
            let Ok(Ok(place)) = tokio::time::timeout(FRAME_DEADLINE, placing).await else { continue };
            for raw in inner.controls {
                let bounds = place.outward(raw.r#box);
                add(raw, bounds);
            }
        }
        Some(found)
    }

    pub(super) async fn read_around(&mut self, place: Whereabouts) -> Option<Surroundings> {
        if self.shared.lock().open_dialog().is_some() {
            return None;
        }
        let page = self.page().ok()?;
        match place {
            Whereabouts::At(point) => {
                let (x, y) = (f64::from(point.x), f64::from(point.y));
                let ask = |x: f64, y: f64| format!("__surehand.around({x},{y})");
                let raw: RawAround = page.evaluate::<Option<RawAround>>(&ask(x, y)).await.ok()??;
                if !raw.foreign {
                    return Some(raw.around);
                }
                let found = page.frame_at(point).await?;
                let (inner_x, inner_y) = found.place.inward(x, y);
                let (session, frame) = (&found.frame.session, &found.frame.frame);
                inner(&page, session, frame, &ask(inner_x, inner_y)).await
            }
            Whereabouts::Focus => {
                const ASK: &str = "__surehand.aroundFocus()";
                let raw: RawAround = page.evaluate::<Option<RawAround>>(ASK).await.ok()??;
                if !raw.foreign {
                    return Some(raw.around);
                }
                let place = page.focused_place().await.ok()?;
                inner(&page, &place.session, &place.frame, ASK).await
            }
        }
    }
}

async fn inner(page: &Page, session: &str, frame: &str, ask: &str) -> Option<Surroundings> {
    let raw: Option<RawAround> = page.evaluate_in(session, frame, ask).await.ok()?;
    raw.filter(|raw| !raw.foreign).map(|raw| raw.around)
}
