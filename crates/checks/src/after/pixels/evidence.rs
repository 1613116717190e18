//! What the picture says about an action, where no tree can: canvases, videos, and style rules.

use std::collections::VecDeque;

use surehand_types::{ViewBox, ViewPoint, ViewSize};

use super::tiles::TileSet;
use super::watch::Watch;

/// Hover and focus paint, shadows and tooltips reach this far around what was hit, in view pixels.
pub const HALO: f64 = 24.0;

/// How many findings about the picture's own life are kept: a carousel is seen again soon enough, and what
/// was only an action's late echo is forgotten.
const REMEMBERED: usize = 4;

/// Where the picture changes by itself, as far as it was seen to.
#[derive(Debug, Clone, Default)]
pub struct Ambient {
    seen: VecDeque<TileSet>,
}

impl Ambient {
    /// These tiles changed while nobody acted.
    pub fn learn(&mut self, tiles: TileSet) {
        // Pictures of another size are another picture.
        self.seen.retain(|known| known.same_grid(&tiles));
        if tiles.is_empty() {
            return;
        }
        self.seen.push_back(tiles);
        if self.seen.len() > REMEMBERED {
            self.seen.pop_front();
        }
    }

    /// The tiles, for pictures like the given set's.
    fn mask(&self, like: &TileSet) -> TileSet {
        let nothing = like.clone().without(like);
        self.seen.iter().filter(|known| known.same_grid(like)).fold(nothing, |mask, known| mask.with(known))
    }

    /// The same as boxes in view pixels.
    pub fn boxes(&self, pixels: &surehand_types::Pixels, view: ViewSize) -> Vec<ViewBox> {
        self.mask(&TileSet::none_of(pixels)).rows(pixels, view)
    }
}

/// What is known about the picture around an action.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    pub view: ViewSize,
    /// Canvases and videos in view.
    pub surfaces: &'a [ViewBox],
    /// Boxes that the page changes by itself.
    pub restless: &'a [ViewBox],
    pub ambient: &'a Ambient,
    /// The box of what was hit.
    pub hit: Option<ViewBox>,
    /// Where the action was made, if what is there is a surface itself.
    pub on_surface: Option<ViewPoint>,
}

/// What the pixels tell that trees do not.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PixelFacts {
    /// A surface was painted, and its new picture stays.
    pub painted: Option<Painted>,
    /// The picture was changing still when it was last seen.
    pub going_on: bool,
    /// The surface that was hit changes by itself, so nothing can be said of it.
    pub hit_restless: bool,
    /// Something away from what was hit looks different now.
    pub elsewhere: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Painted {
    pub bounds: ViewBox,
    /// On the very surface that was hit.
    pub on_hit: bool,
}

impl PixelFacts {
    /// `None` where the frames cannot be compared.
    pub fn of(watch: &Watch, scene: Scene<'_>) -> Option<PixelFacts> {
        let moved = watch.moved()?;
        let pixels = watch.pixels();
        let touched = |boxes: &[ViewBox], margin| TileSet::touched_by(boxes, margin, pixels, scene.view);
        let lively = touched(scene.restless, 0.0).with(&scene.ambient.mask(&moved.stayed)).with(&moved.restless);
        let stayed = moved.stayed.clone().without(&lively);
        let hit_surface: Vec<ViewBox> = scene
            .surfaces
            .iter()
            .filter(|surface| scene.on_surface.is_some_and(|at| surface.contains(at)))
            .copied()
            .collect();
        let hit_surface = touched(&hit_surface, 0.0);
        let on_hit = stayed.clone().within(&hit_surface);
        // A surface that lives in one place may show life in any other; only the hit one is looked at in parts.
        let quiet: Vec<ViewBox> = scene
            .surfaces
            .iter()
            .filter(|surface| lively.clone().within(&touched(&[**surface], 0.0)).is_empty())
            .copied()
            .collect();
        let painted = if on_hit.is_empty() { stayed.clone().within(&touched(&quiet, 0.0)) } else { on_hit.clone() };
        let hit: Vec<ViewBox> = scene.hit.into_iter().collect();
        Some(PixelFacts {
            painted: painted.bounds(pixels, scene.view).map(|bounds| Painted { bounds, on_hit: !on_hit.is_empty() }),
            going_on: moved.going_on,
            hit_restless: !moved.stayed.with(&moved.restless).with(&moved.late).within(&hit_surface).is_empty(),
            elsewhere: !stayed.without(&touched(&hit, HALO)).is_empty(),
        })
    }
}

#[cfg(test)]
mod tests {
    use surehand_types::{Encoding, Frame};

    use super::super::tiles::tests::{VIEW, frame};
    use super::*;

    const CANVAS: ViewBox = ViewBox { x0: 0.0, y0: 0.0, x1: 32.0, y1: 48.0 };

    /// Pixels that differ from the plain picture.
    type Spots<'a> = &'a [(u32, u32, u8)];

    fn watch(frames: &[(f64, Spots<'_>)]) -> Watch {
        let mut watch = Watch::from(frame(&[], Encoding::Png));
        for (id, (at, spots)) in frames.iter().enumerate() {
            watch.see(&Frame { id: id as u64 + 2, ..frame(spots, Encoding::Png) }, *at);
        }
        watch
    }

    fn scene<'a>(ambient: &'a Ambient, on_surface: Option<ViewPoint>) -> Scene<'a> {
        Scene { view: VIEW, surfaces: &[CANVAS], restless: &[], ambient, hit: None, on_surface }
    }

    #[test]
    fn a_painted_canvas_is_told_with_whether_it_was_hit() {
        let (quiet, watch) = (Ambient::default(), watch(&[(100.0, &[(4, 4, 1)])]));
        let hit = PixelFacts::of(&watch, scene(&quiet, Some(ViewPoint { x: 20, y: 40 }))).unwrap();
        assert!(hit.painted.unwrap().on_hit);
        let elsewhere = PixelFacts::of(&watch, scene(&quiet, None)).unwrap();
        assert!(!elsewhere.painted.unwrap().on_hit && !elsewhere.hit_restless);
    }

    #[test]
    fn what_is_no_surface_paints_nothing_but_is_seen() {
        let quiet = Ambient::default();
        let facts = PixelFacts::of(&watch(&[(100.0, &[(60, 4, 1)])]), scene(&quiet, None)).unwrap();
        assert_eq!(facts, PixelFacts { elsewhere: true, ..PixelFacts::default() });
        let hit = Some(ViewBox { x0: 50.0, y0: 20.0, x1: 64.0, y1: 30.0 });
        let near = Scene { hit, ..scene(&quiet, None) };
        assert!(!PixelFacts::of(&watch(&[(100.0, &[(60, 4, 1)])]), near).unwrap().elsewhere);
    }

    #[test]
    fn a_canvas_that_lives_by_itself_says_nothing() {
        let point = Some(ViewPoint { x: 20, y: 40 });
        let film = watch(&[(100.0, &[(4, 4, 1)]), (700.0, &[(4, 4, 2)])]);
        let quiet = Ambient::default();
        let facts = PixelFacts::of(&film, scene(&quiet, point)).unwrap();
        assert_eq!(facts, PixelFacts { hit_restless: true, ..PixelFacts::default() });
        assert_eq!(PixelFacts::of(&film, scene(&quiet, None)).unwrap(), PixelFacts::default());

        let mut known = Ambient::default();
        let once = watch(&[(100.0, &[(4, 4, 1)])]);
        known.learn(once.moved().unwrap().stayed);
        assert_eq!(PixelFacts::of(&once, scene(&known, None)).unwrap(), PixelFacts::default());
        assert_eq!(known.boxes(&frame(&[], Encoding::Png).pixels, VIEW).len(), 1);
    }

    #[test]
    fn what_was_learnt_is_forgotten_after_a_while() {
        let mut known = Ambient::default();
        let tiles = |spots: &[(u32, u32, u8)]| watch(&[(100.0, spots)]).moved().unwrap().stayed;
        known.learn(tiles(&[(4, 4, 1)]));
        for _ in 0..REMEMBERED {
            known.learn(tiles(&[(60, 40, 1)]));
        }
        assert!(known.mask(&tiles(&[])).within(&tiles(&[(4, 4, 1)])).is_empty());
    }
}
