//! The picture's part in judging an action: a frame right before the press where canvases are in view,
//! frames while an action without evidence is watched, and what changes by itself.

use std::sync::Arc;
use std::time::{Duration, Instant};

use surehand_checks::after::pixels::{Ambient, HALO, PixelFacts, Scene, TileSet, Watch, changed_tiles};
use surehand_types::frame::Fence;
use surehand_types::{Frame, Observation, ViewBox};

use super::BrowserEnv;
use super::page::Page;
use crate::Environment;

/// Between two frames of a surface that is watched.
const BETWEEN_GLIMPSES: Duration = Duration::from_millis(250);

/// What a glimpse may take; a page that is busy is judged without it.
const GLIMPSE_DEADLINE: Duration = Duration::from_secs(2);

/// What is known about the picture of the document that is shown.
#[derive(Debug, Default)]
pub(super) struct Picture {
    document: String,
    ambient: Ambient,
    watch: Option<Watch>,
    glimpsed_at: Option<Instant>,
    mutations: usize,
}

impl BrowserEnv {
    /// Another document is another picture.
    pub(super) fn forget_other_pictures(&mut self) {
        let document = self.document();
        if self.picture.document != document {
            self.picture = Picture { document, ..Picture::default() };
        }
    }

    /// Changes of content that a plain observer of the last action would have counted when the page had
    /// come to rest, whatever made them. For benchmarks.
    pub fn mutations_noticed(&self) -> usize {
        self.picture.mutations
    }

    /// Where trees are blind, the press is compared with the moment right before it: what the pointer's
    /// coming changed is not the press's doing, and what changed without any hand is nobody's.
    pub(super) async fn look_before_press(&mut self, page: &Page, hit: Option<ViewBox>) {
        if !self.probing {
            return;
        }
        let Some(frame) = self.glimpse(page).await else { return };
        if let Some(changed) = self.last.as_ref().and_then(|last| changed_tiles(&last.frame, &frame)) {
            let hovered: Vec<ViewBox> = hit.into_iter().collect();
            let hovered = TileSet::touched_by(&hovered, HALO, &frame.pixels, self.view);
            self.picture.ambient.learn(changed.without(&hovered));
        }
        self.aimed_at.before.frame = Some(frame);
    }

    /// The first frame after the action.
    pub(super) fn watch_pixels(&mut self, observation: &Observation) {
        self.picture.glimpsed_at = Some(Instant::now());
        self.picture.mutations = self.noticed.documents.iter().map(|document| document.records as usize).sum();
        self.picture.watch = self.aimed_at.before.frame.clone().map(Watch::from);
        let at = self.since_commit();
        if let Some(watch) = &mut self.picture.watch {
            watch.see(&observation.frame, at);
        }
    }

    /// One more frame of what is watched, where pixels can tell something and it is time for one.
    pub(super) async fn glimpse_again(&mut self, page: &Page) {
        let due = self.picture.glimpsed_at.is_none_or(|at| at.elapsed() >= BETWEEN_GLIMPSES);
        let restyled = self.noticed.documents.iter().any(|document| document.restyled);
        if !due || (self.noticed.surfaces.is_empty() && !restyled) {
            return;
        }
        let frame = self.glimpse(page).await;
        self.picture.glimpsed_at = Some(Instant::now());
        let at = self.since_commit();
        if let (Some(watch), Some(frame)) = (&mut self.picture.watch, frame) {
            watch.see(&frame, at);
        }
    }

    /// What moved more than once was not moved by the action.
    pub(super) fn learn_from_watch(&mut self) {
        if let Some(moved) = self.picture.watch.as_ref().and_then(Watch::moved) {
            self.picture.ambient.learn(moved.restless);
        }
    }

    pub(super) fn pixel_facts(&self) -> PixelFacts {
        let Some(watch) = &self.picture.watch else { return PixelFacts::default() };
        let scene = Scene {
            view: self.view,
            surfaces: &self.noticed.surfaces,
            restless: &self.noticed.restless,
            ambient: &self.picture.ambient,
            hit: self.aimed_at.bounds,
            on_surface: self.aimed_at.on_surface,
        };
        PixelFacts::of(watch, scene).unwrap_or_default()
    }

    /// Boxes of the frame that say nothing about any action.
    pub(super) fn restless_boxes(&self, frame: &Frame) -> Vec<ViewBox> {
        let mut boxes = self.noticed.restless.clone();
        if self.picture.document == self.document() {
            boxes.extend(self.picture.ambient.boxes(&frame.pixels, self.view));
        }
        boxes
    }

    /// A frame that only judging uses.
    async fn glimpse(&mut self, page: &Page) -> Option<Frame> {
        self.erase_hand().await;
        let capture = self.frames.start(page);
        let shot = self.frames.finish(page, capture, GLIMPSE_DEADLINE).await.ok()?;
        let pixels = self.frames.decode(shot).await.ok()?;
        Some(self.frames.frame(Arc::new(pixels), self.view, Fence::DrawnAfterCommit, false))
    }

    fn since_commit(&self) -> f64 {
        self.committed_at.elapsed().as_secs_f64() * 1000.0
    }
}
