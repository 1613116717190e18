//! Reading the whole page for predictions that speak of its text, its elements or its dialogs.

use serde::Deserialize;

use super::BrowserEnv;
use crate::environment::Sight;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawSight {
    lines: Vec<String>,
    complete: bool,
    counts: Vec<Option<u32>>,
    modals: u32,
}

impl BrowserEnv {
    pub(super) async fn read_page(&mut self, selectors: &[String]) -> Option<Sight> {
        // While the browser's own dialog is open nothing of the page can be asked.
        if self.shared.lock().open_dialog().is_some() {
            let counts = vec![None; selectors.len()];
            return Some(Sight { complete: false, modals: 1, counts, ..Sight::default() });
        }
        let page = self.page().ok()?;
        let ask = format!("__surehand.sight({})", serde_json::Value::from(selectors.to_vec()));
        let main: RawSight = page.evaluate(&ask).await.ok()?;
        let mut sight = Sight { lines: main.lines, complete: main.complete, counts: main.counts, modals: main.modals };
        for (_, answer) in page.ask_frames::<RawSight>(&ask).await {
            match answer {
                Some(Some(inner)) => {
                    sight.lines.extend(inner.lines);
                    sight.complete &= inner.complete;
                    sight.modals += inner.modals;
                    for (count, more) in sight.counts.iter_mut().zip(inner.counts) {
                        *count = count.zip(more).map(|(count, more)| count + more);
                    }
                }
                Some(None) => {}
                None => sight.complete = false,
            }
        }
        Some(sight)
    }
}
