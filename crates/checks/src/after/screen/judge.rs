//! The judgement itself: from the frames since an action, and what else was noticed, to an effect.

use surehand_types::{Effect, EffectStatus, Evidence, Frame, ViewBox, ViewSize};

use super::habits::Habits;
use crate::after::pixels::{HALO, TileSet, Watch, changed_tiles, without_carets};
use crate::after::probe::Manner;

/// An application that reacts has begun to by then; what begins later has to prove that it is no rhythm.
const PROMPT_MS: f64 = 250.0;

/// What goes back to an earlier look as fast as this was made to.
const AT_ONCE_MS: f64 = 120.0;

/// How long a change with nothing but its time to speak for it is watched: a clock shows itself by then.
const RHYTHM_MS: f64 = 1300.0;

/// No clock is as large as this, in tiles: a panel or a page.
const LARGE: usize = 60;

/// Something that ends all doubt: a window that opened, a focus that moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sign {
    pub kind: &'static str,
    pub detail: String,
}

/// What was seen since the action.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    pub watch: &'a Watch,
    pub view: ViewSize,
    pub habits: &'a Habits,
    pub manner: Manner,
    /// Where the input went: what was hit, both ends of a drag; nothing for keys.
    pub places: &'a [ViewBox],
    /// What says nothing whatever it shows: tooltips.
    pub ignored: &'a [ViewBox],
    pub signs: &'a [Sign],
    /// How the screen looked before earlier actions. What only goes back to that, late and elsewhere, is a message
    /// that goes away.
    pub earlier: &'a [Frame],
    /// Whether the application would have told of a caret that moves.
    pub hears_caret: bool,
}

/// An effect as far as it can be told now.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    pub effect: Effect,
    /// Until when more frames could change it, in milliseconds after the action. `None`: not at all, where it is
    /// confirmed; and as long as the patience lasts, where it is not.
    pub doubt_until: Option<f64>,
    /// What the action itself changed, to wait for until it is at rest.
    pub own: TileSet,
}

/// The tiles of a watch, told apart.
struct Told {
    /// Changed with the action and stay, without what lives by itself.
    own: TileSet,
    near: TileSet,
    /// The action's own places, with the reach of a hover's or a focus's paint.
    around: TileSet,
    /// Changed, but not to be told from the screen's own life.
    lively: TileSet,
    late: TileSet,
    /// Went back to an earlier look, elsewhere, and not at once.
    gone_back: TileSet,
    /// Where carets blinked.
    blinks: TileSet,
}

pub fn judge(seen: &Seen<'_>) -> Verdict {
    let Some(told) = told(seen) else {
        let nothing = TileSet::none_of(&seen.watch.ends().0.pixels);
        let mut effect = Effect::unverifiable("frames_differ_in_size");
        if !seen.signs.is_empty() {
            effect = confirmed(seen.signs, None);
        }
        return Verdict { effect, doubt_until: None, own: nothing };
    };
    let picture = described(&told, seen);
    if !seen.signs.is_empty() {
        return Verdict { effect: confirmed(seen.signs, picture), doubt_until: None, own: told.own };
    }
    if let Some(picture) = picture {
        let doubt_until = doubt(&told, seen);
        return Verdict { effect: confirmed(&[], Some(picture)), doubt_until, own: told.own };
    }
    Verdict { effect: quiet(&told, seen), doubt_until: None, own: told.own }
}

fn told(seen: &Seen<'_>) -> Option<Told> {
    let moved = seen.watch.moved()?;
    let (before, last) = seen.watch.ends();
    let touched = |boxes: &[ViewBox], margin| TileSet::touched_by(boxes, margin, &before.pixels, seen.view);
    let ignored = touched(seen.ignored, 4.0);
    let habits = seen.habits.certain(&moved.stayed).with(&moved.restless.grown(1));
    let stayed = moved.stayed.clone().without(&ignored);
    let own = without_carets(before, last, stayed.clone().without(&habits));
    let blinks = seen.watch.blinks();
    // A caret that blinks does so in one place; one that was in two has moved.
    let own = if blinks.clusters().len() > 1 { own.with(&blinks) } else { own };
    let around = touched(seen.places, HALO);
    let back = went_back(seen, last);
    let gone_back = own.clone().within(&back).without(&around).without(&seen.watch.changed_by(AT_ONCE_MS));
    let own = own.without(&gone_back);
    let near = own.clone().within(&around);
    let lively = stayed.within(&habits).with(&moved.restless);
    // The digits of one clock change at different paces.
    let late = moved.late.without(&habits).without(&ignored).without(&lively.grown(4)).without(&back);
    Some(Told { near, around, lively, late, gone_back, own, blinks })
}

/// The tiles that look as they did before an earlier action.
fn went_back(seen: &Seen<'_>, last: &Frame) -> TileSet {
    let all = TileSet::touched_by(&[whole(seen.view)], 0.0, &last.pixels, seen.view);
    let like = seen.earlier.iter().filter_map(|frame| changed_tiles(frame, last));
    like.fold(TileSet::none_of(&last.pixels), |back, differs| back.with(&all.clone().without(&differs)))
}

fn whole(view: ViewSize) -> ViewBox {
    ViewBox { x0: 0.0, y0: 0.0, x1: view.width.into(), y1: view.height.into() }
}

fn described(told: &Told, seen: &Seen<'_>) -> Option<Evidence> {
    let pixels = &seen.watch.ends().0.pixels;
    let part = if told.near.is_empty() { &told.own } else { &told.near };
    // A hover's reaction is where the pointer is.
    let part = if seen.manner == Manner::Move { &told.near } else { part };
    let bounds = seen.view.grid_box(part.bounds(pixels, seen.view)?);
    let place = if told.near.is_empty() { "elsewhere" } else { "where it was made" };
    let place = if seen.places.is_empty() { "" } else { place };
    let detail = format!("the picture changed {place} [{}, {}, {}, {}]", bounds.x0, bounds.y0, bounds.x1, bounds.y1);
    let kind = if seen.manner == Manner::Move { "hover" } else { "pixels" };
    Some(Evidence { kind: kind.into(), detail: detail.replace("  ", " ") })
}

/// Until when it may turn out to be something else.
fn doubt(told: &Told, seen: &Seen<'_>) -> Option<f64> {
    let prompt = seen.watch.changed_by(PROMPT_MS);
    let suspected = seen.habits.suspected(&told.own).with(&told.lively.grown(2));
    let trusted = |tiles: &TileSet| tiles.clone().within(&prompt).without(&suspected);
    let lives = !told.lively.is_empty();
    let sure = match seen.places {
        // Keys have no place: what changed at once on a screen that is otherwise still was theirs.
        [] => !trusted(&told.own).is_empty() && (!lives || trusted(&told.own).count() >= LARGE),
        _ => !trusted(&told.near).is_empty() || trusted(&told.own).count() >= LARGE,
    };
    let last = seen.watch.last_change(&told.own).unwrap_or_default();
    (!sure).then_some(last + RHYTHM_MS)
}

/// What is said when nothing speaks for an effect.
fn quiet(told: &Told, seen: &Seen<'_>) -> Effect {
    let lively_here = match seen.places {
        [] => !told.lively.is_empty(),
        _ => !told.lively.clone().within(&told.around).is_empty(),
    };
    if lively_here {
        return Effect::unverifiable("restless_picture");
    }
    if !told.late.is_empty() || !told.gone_back.is_empty() {
        return Effect::unverifiable("untied_change");
    }
    let caret_here = match seen.places {
        [] => !told.blinks.is_empty(),
        _ => !told.blinks.clone().within(&told.around).is_empty(),
    };
    if caret_here && !seen.hears_caret {
        return Effect::unverifiable("caret_only");
    }
    Effect { status: EffectStatus::NoEffect, evidence: Vec::new(), reason: None }
}

fn confirmed(signs: &[Sign], picture: Option<Evidence>) -> Effect {
    let signs = signs.iter().map(|sign| Evidence { kind: sign.kind.into(), detail: sign.detail.clone() });
    Effect { status: EffectStatus::Confirmed, evidence: signs.chain(picture).collect(), reason: None }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{VIEW, frame, tiles_at};
    use super::*;

    type Squares<'a> = &'a [(u32, u32, u8)];

    const HERE: [ViewBox; 1] = [ViewBox { x0: 40.0, y0: 40.0, x1: 41.0, y1: 41.0 }];

    fn watch(frames: &[(f64, Squares<'_>)]) -> Watch {
        let mut watch = Watch::from(frame(&[]));
        for (id, (at, squares)) in frames.iter().enumerate() {
            watch.see(&Frame { id: id as u64 + 2, ..frame(squares) }, *at);
        }
        watch
    }

    fn verdict(watch: &Watch, habits: &Habits, manner: Manner, places: &[ViewBox]) -> Verdict {
        let (ignored, signs): (&[ViewBox], &[Sign]) = (&[], &[]);
        judge(&Seen { watch, view: VIEW, habits, manner, places, ignored, signs, earlier: &[], hears_caret: true })
    }

    fn check(watch: &Watch, habits: &Habits, expected: EffectStatus, doubted: bool) {
        let got = verdict(watch, habits, Manner::Pointer, &HERE);
        assert_eq!((got.effect.status, got.doubt_until.is_some()), (expected, doubted), "{:?}", got.effect);
    }

    #[test]
    fn a_change_at_the_place_and_at_once_is_sure() {
        check(&watch(&[(30.0, &[(42, 42, 200)])]), &Habits::default(), EffectStatus::Confirmed, false);
        check(&watch(&[(30.0, &[])]), &Habits::default(), EffectStatus::NoEffect, false);
    }

    #[test]
    fn elsewhere_or_late_is_doubted() {
        check(&watch(&[(30.0, &[(240, 120, 200)])]), &Habits::default(), EffectStatus::Confirmed, true);
        let late = watch(&[(30.0, &[]), (500.0, &[(42, 42, 200)])]);
        check(&late, &Habits::default(), EffectStatus::Confirmed, true);
        // So late that nothing ties it to the action.
        let too_late = watch(&[(30.0, &[]), (1200.0, &[(42, 42, 200)])]);
        check(&too_late, &Habits::default(), EffectStatus::Unverifiable, false);
    }

    #[test]
    fn a_clock_elsewhere_is_no_effect_and_one_under_the_pointer_is_not_known() {
        let ticking = |x| watch(&[(100.0, &[(x, 42, 10)]), (1100.0, &[(x, 42, 20)])]);
        check(&ticking(240), &Habits::default(), EffectStatus::NoEffect, false);
        check(&ticking(42), &Habits::default(), EffectStatus::Unverifiable, false);
        let mut habits = Habits::default();
        for _ in 0..2 {
            habits.saw_idle(tiles_at(&[(240, 42)]));
        }
        check(&watch(&[(100.0, &[(240, 42, 10)])]), &habits, EffectStatus::NoEffect, false);
        // The step that was clicked beside the clock.
        check(&watch(&[(100.0, &[(240, 42, 10), (42, 42, 9)])]), &habits, EffectStatus::Confirmed, false);
    }

    #[test]
    fn what_moved_before_is_watched_longer() {
        let mut habits = Habits::default();
        habits.saw_idle(tiles_at(&[(42, 42)]));
        check(&watch(&[(30.0, &[(42, 42, 200)])]), &habits, EffectStatus::Confirmed, true);
    }

    #[test]
    fn a_message_that_goes_away_is_nobodys_doing() {
        let message: Squares<'_> = &[(240, 120, 200)];
        let earlier = [frame(&[])];
        let gone_at = |at: f64| {
            let mut watch = Watch::from(frame(message));
            watch.see(&Frame { id: 2, ..frame(message) }, 20.0);
            watch.see(&Frame { id: 3, ..frame(&[]) }, at);
            let (habits, manner) = (&Habits::default(), Manner::Pointer);
            let (watch, view, places) = (&watch, VIEW, &HERE);
            judge(&Seen {
                watch,
                view,
                habits,
                manner,
                places,
                ignored: &[],
                signs: &[],
                earlier: &earlier,
                hears_caret: true,
            })
        };
        assert_eq!(gone_at(900.0).effect.status, EffectStatus::NoEffect);
        assert_eq!(gone_at(400.0).effect.reason.as_deref(), Some("untied_change"));
        // A panel that was closed.
        assert_eq!(gone_at(60.0).effect.status, EffectStatus::Confirmed);
    }

    #[test]
    fn keys_have_no_place() {
        let typed = watch(&[(30.0, &[(240, 120, 200)])]);
        let got = verdict(&typed, &Habits::default(), Manner::Keyboard, &[]);
        assert_eq!((got.effect.status, got.doubt_until), (EffectStatus::Confirmed, None));
        assert!(got.effect.evidence[0].detail.starts_with("the picture changed ["), "{:?}", got.effect);
        let playing = watch(&[(30.0, &[(240, 120, 1)]), (900.0, &[(240, 120, 2)])]);
        let got = verdict(&playing, &Habits::default(), Manner::Keyboard, &[]);
        assert_eq!(got.effect.reason.as_deref(), Some("restless_picture"));
    }

    #[test]
    fn a_blinking_caret_is_nothing_and_a_tooltip_neither() {
        let caret = |x: u32| {
            let mut caret = frame(&[]);
            let pixels = std::sync::Arc::make_mut(&mut caret.pixels);
            for y in 40..56 {
                pixels.set(x, y, [0; 3]);
            }
            caret
        };
        let mut blinked = Watch::from(frame(&[])).telling_carets();
        for (id, at, shown) in [(2, 40.0, caret(44)), (3, 600.0, frame(&[])), (4, 1200.0, caret(44))] {
            blinked.see(&Frame { id, ..shown }, at);
        }
        check(&blinked, &Habits::default(), EffectStatus::NoEffect, false);
        let silent = Seen {
            watch: &blinked,
            view: VIEW,
            habits: &Habits::default(),
            manner: Manner::Keyboard,
            places: &[],
            ignored: &[],
            signs: &[],
            earlier: &[],
            hears_caret: false,
        };
        assert_eq!(judge(&silent).effect.reason.as_deref(), Some("caret_only"));
        let mut moved = Watch::from(caret(44)).telling_carets();
        moved.see(&Frame { id: 2, ..caret(200) }, 30.0);
        assert_eq!(judge(&Seen { watch: &moved, ..silent }).effect.status, EffectStatus::Confirmed);
        let tip = [ViewBox { x0: 40.0, y0: 40.0, x1: 60.0, y1: 60.0 }];
        let shown = watch(&[(30.0, &[(42, 42, 200)])]);
        let seen = Seen {
            watch: &shown,
            view: VIEW,
            habits: &Habits::default(),
            manner: Manner::Pointer,
            places: &HERE,
            ignored: &tip,
            signs: &[],
            earlier: &[],
            hears_caret: true,
        };
        assert_eq!(judge(&seen).effect.status, EffectStatus::NoEffect);
        let opened = [Sign { kind: "window_opened", detail: "w2".into() }];
        let got = judge(&Seen { signs: &opened, ..seen });
        assert_eq!((got.effect.evidence[0].kind.as_str(), got.doubt_until), ("window_opened", None));
    }
}
