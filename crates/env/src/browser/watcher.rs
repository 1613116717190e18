//! What a person sees who watches a headed browser: our cursor and the boxes of a preview, drawn
//! into the live page and taken out before every capture.

use serde_json::json;

use super::BrowserEnv;

impl BrowserEnv {
    /// Draws the cursor where it is, with the boxes of the last preview.
    pub(super) async fn draw_hand(&self) {
        if !self.shows_hand {
            return;
        }
        let boxes: Vec<serde_json::Value> = self
            .watcher_boxes
            .iter()
            .map(|drawn| {
                let b = drawn.bounds;
                json!({"box": [b.x0, b.y0, b.x1, b.y1], "hit": drawn.hit})
            })
            .collect();
        let draw = format!("__surehand.drawHand({}, {}, {})", self.cursor.x, self.cursor.y, json!(boxes));
        self.tell_page(&draw).await;
    }

    /// A new call begins: what the last preview painted is gone.
    pub(super) async fn erase_boxes(&mut self) {
        if !self.watcher_boxes.is_empty() {
            self.watcher_boxes.clear();
            self.draw_hand().await;
        }
    }

    pub(super) async fn erase_hand(&self) {
        if self.shows_hand {
            self.tell_page("__surehand.eraseHand()").await;
        }
    }

    /// Nobody's work depends on the drawing, so trouble with it is no trouble.
    async fn tell_page(&self, expression: &str) {
        if let Ok(page) = self.page() {
            let told = page.evaluate::<bool>(expression);
            let _ = tokio::time::timeout(std::time::Duration::from_millis(500), told).await;
        }
    }
}
