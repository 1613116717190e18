//! The perceptual verifier: did a high-risk action change the picture, by the hash of the whole frame or
//! of the surroundings of its point? It only looks; warnings and counts are made from its answer.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use surehand_types::{Frame, Pixels, ViewSize};

use super::frame_hash::{FrameHash, phash_64, region_hash};
use super::high_risk::{HighRiskRules, is_high_risk};
use crate::action::Action;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerceptualRules {
    /// The setting `perceptual_verify`.
    pub perceptual_verify: bool,
    pub high_risk: HighRiskRules,
}

impl PerceptualRules {
    pub const VECTORS: PerceptualRules = PerceptualRules { perceptual_verify: true, high_risk: HighRiskRules::VECTORS };
}

impl Default for PerceptualRules {
    fn default() -> Self {
        PerceptualRules { perceptual_verify: true, high_risk: HighRiskRules::default() }
    }
}

/// One of the two frames that are compared.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    pub pixels: &'a Pixels,
    /// What the coordinates of actions count in; differs from the pixels with the device pixel ratio.
    pub view: ViewSize,
    /// The frame's hash where somebody has it already.
    pub hash: Option<FrameHash>,
}

impl<'a> Shown<'a> {
    pub fn of(frame: &'a Frame, hash: Option<FrameHash>) -> Shown<'a> {
        Shown { pixels: &frame.pixels, view: frame.view, hash }
    }

    /// A picture whose pixels are the view's pixels.
    pub fn plain(pixels: &'a Pixels) -> Shown<'a> {
        Shown { pixels, view: ViewSize { width: pixels.width, height: pixels.height }, hash: None }
    }

    fn global_hash(&self) -> Option<FrameHash> {
        self.hash.or_else(|| phash_64(self.pixels))
    }

    fn hash_around(&self, (x, y): (i64, i64)) -> Option<FrameHash> {
        let scaled = |value: i64, image: u32, view: u32| match (image, view) {
            (image, view) if image == view || view == 0 => value,
            (image, view) => value.saturating_mul(image.into()) / i64::from(view),
        };
        let x = scaled(x, self.pixels.width, self.view.width);
        let y = scaled(y, self.pixels.height, self.view.height);
        region_hash(self.pixels, x, y)
    }
}

/// What was done and what was said about it.
#[derive(Debug, Clone, Copy)]
pub struct Deed<'a> {
    pub action: &'a Action,
    pub thought: &'a str,
    pub task: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PerceptualCheck {
    /// `None`: not compared, and the reason says why.
    pub effect_observed: Option<bool>,
    pub global_changed: bool,
    pub region_changed: bool,
    pub reason: PerceptualReason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PerceptualReason {
    GlobalAndRegionStable,
    GlobalChanged,
    RegionChanged,
    GlobalAndRegionChanged,
    ToggleDisabled,
    MissingFrame,
    NotHighRisk,
}

impl PerceptualReason {
    pub fn as_str(self) -> &'static str {
        match self {
            PerceptualReason::GlobalAndRegionStable => "global_and_region_stable",
            PerceptualReason::GlobalChanged => "global_changed",
            PerceptualReason::RegionChanged => "region_changed",
            PerceptualReason::GlobalAndRegionChanged => "global_and_region_changed",
            PerceptualReason::ToggleDisabled => "toggle disabled",
            PerceptualReason::MissingFrame => "missing frame",
            PerceptualReason::NotHighRisk => "not high-risk",
        }
    }
}

impl Serialize for PerceptualReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl PerceptualCheck {
    pub fn skipped(reason: PerceptualReason) -> PerceptualCheck {
        PerceptualCheck { effect_observed: None, global_changed: false, region_changed: false, reason }
    }

    fn compared(global_changed: bool, region_changed: bool) -> PerceptualCheck {
        let reason = match (global_changed, region_changed) {
            (false, false) => PerceptualReason::GlobalAndRegionStable,
            (true, false) => PerceptualReason::GlobalChanged,
            (false, true) => PerceptualReason::RegionChanged,
            (true, true) => PerceptualReason::GlobalAndRegionChanged,
        };
        PerceptualCheck {
            effect_observed: Some(global_changed || region_changed),
            global_changed,
            region_changed,
            reason,
        }
    }
}

/// Compares the frame before an action with the one after it. Frames that cannot be compared (another
/// source or encoding) are missing frames: the caller gives `None`.
pub fn verify(
    before: Option<Shown<'_>>,
    after: Option<Shown<'_>>,
    deed: Deed<'_>,
    rules: PerceptualRules,
) -> PerceptualCheck {
    if !rules.perceptual_verify {
        return PerceptualCheck::skipped(PerceptualReason::ToggleDisabled);
    }
    let (Some(before), Some(after)) = (before, after) else {
        return PerceptualCheck::skipped(PerceptualReason::MissingFrame);
    };
    if !is_high_risk(deed.action, deed.thought, deed.task, rules.high_risk) {
        return PerceptualCheck::skipped(PerceptualReason::NotHighRisk);
    }
    let (Some(global_before), Some(global_after)) = (before.global_hash(), after.global_hash()) else {
        return PerceptualCheck::skipped(PerceptualReason::MissingFrame);
    };
    let region_changed = point_of(deed.action)
        .and_then(|point| before.hash_around(point).zip(after.hash_around(point)))
        .is_some_and(|(before, after)| before != after);
    PerceptualCheck::compared(global_before != global_after, region_changed)
}

/// Where the action was, if it says so and that is in the view's quadrant.
fn point_of(action: &Action) -> Option<(i64, i64)> {
    let x = action.params.get("x").and_then(whole_number)?;
    let y = action.params.get("y").and_then(whole_number)?;
    (x >= 0 && y >= 0).then_some((x, y))
}

/// Fractions of numbers are cut; a text must hold a whole number.
fn whole_number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().map(|number| number as i64)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A run's count of these checks; an empty object when there was none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PerceptualSummary {
    pub checked: u32,
    pub no_effect: u32,
}

impl PerceptualSummary {
    pub fn note(&mut self, check: &PerceptualCheck) {
        if let Some(observed) = check.effect_observed {
            self.checked += 1;
            self.no_effect += u32::from(!observed);
        }
    }

    pub fn to_map(self) -> Map<String, Value> {
        let mut map = Map::new();
        if self.checked > 0 {
            map.insert("checked".into(), json!(self.checked));
            map.insert("no_effect".into(), json!(self.no_effect));
        }
        map
    }
}

impl Serialize for PerceptualSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_map().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Grey, with a checkered box where one is wanted.
    fn page(boxed: Option<(u32, u32)>) -> Pixels {
        let mut pixels = Pixels::new(1280, 720, vec![200; 1280 * 720 * 3]).unwrap();
        if let Some((left, top)) = boxed {
            for (x, y) in (0..40).flat_map(|x| (0..40).map(move |y| (x, y))) {
                pixels.set(left + x, top + y, if x < 20 { [255; 3] } else { [0; 3] });
            }
        }
        pixels
    }

    fn click(x: Value, y: Value) -> Action {
        Action { reasoning: "submit".into(), ..Action::new("click", json!({ "x": x, "y": y })) }
    }

    fn checked(before: &Pixels, after: &Pixels, action: &Action) -> PerceptualCheck {
        let deed = Deed { action, thought: "", task: "" };
        verify(Some(Shown::plain(before)), Some(Shown::plain(after)), deed, PerceptualRules::default())
    }

    use PerceptualReason::*;

    #[test]
    fn the_region_sees_what_the_whole_does_not() {
        let (before, after) = (page(None), page(Some((600, 300))));
        assert_eq!(checked(&before, &before, &click(json!(620), json!(320))).reason, GlobalAndRegionStable);
        let near = checked(&before, &after, &click(json!(620), json!(320)));
        assert!(near.region_changed, "{near:?}");
        let far = checked(&before, &after, &click(json!(60), json!(650)));
        assert!(!far.region_changed, "{far:?}");
        assert_eq!(near.effect_observed, Some(true));
    }

    #[test]
    fn a_point_may_be_text_or_a_fraction_but_must_be_a_place() {
        let (before, after) = (page(None), page(Some((600, 300))));
        let near = |x: Value, y: Value| checked(&before, &after, &click(x, y)).region_changed;
        assert!(near(json!("620"), json!(" 320 ")));
        assert!(near(json!(620.9), json!(320.2)));
        for (x, y) in [
            (json!(-620), json!(320)),
            (json!(null), json!(320)),
            (json!("abc"), json!(320)),
            (json!("620.5"), json!(320)),
            (json!([620]), json!({"y": 320})),
        ] {
            assert!(!near(x.clone(), y.clone()), "{x} {y}");
        }
        let huge = checked(&before, &after, &click(json!(u64::MAX), json!(1e300)));
        assert!(!huge.region_changed);
        let keys = Action::new("key_press", json!({ "keys": "Return" }));
        assert!(!checked(&before, &after, &keys).region_changed);
    }

    #[test]
    fn points_count_in_view_pixels() {
        let (before, after) = (page(None), page(Some((600, 300))));
        let view = ViewSize { width: 640, height: 360 };
        let shown = |pixels| Some(Shown { pixels, view, hash: None });
        let action = click(json!(310), json!(160));
        let deed = Deed { action: &action, thought: "", task: "" };
        assert!(verify(shown(&before), shown(&after), deed, PerceptualRules::default()).region_changed);
    }

    #[test]
    fn skipped_checks_say_why_in_this_order() {
        let frame = page(None);
        let shown = Some(Shown::plain(&frame));
        let plain = Action::new("click", json!({ "x": 1, "y": 1 }));
        let deed = Deed { action: &plain, thought: "", task: "" };
        let rules = PerceptualRules::default();
        let off = PerceptualRules { perceptual_verify: false, ..rules };
        for (check, reason) in [
            (verify(None, shown, deed, off), ToggleDisabled),
            (verify(None, shown, deed, rules), MissingFrame),
            (verify(shown, None, deed, rules), MissingFrame),
            (verify(shown, shown, deed, rules), NotHighRisk),
        ] {
            assert_eq!(check, PerceptualCheck::skipped(reason));
        }
        let wire = serde_json::to_value(PerceptualCheck::skipped(NotHighRisk)).unwrap();
        assert_eq!((&wire["effect_observed"], &wire["reason"]), (&Value::Null, &json!("not high-risk")));
    }

    #[test]
    fn a_hash_that_is_known_is_not_made_again() {
        let (before, after) = (page(None), page(Some((600, 300))));
        let hash = phash_64(&before);
        let action = Action::new("key_press", json!({ "keys": "Return" }));
        let deed = Deed { action: &action, thought: "", task: "" };
        let told = |pixels| Some(Shown { hash, ..Shown::plain(pixels) });
        assert_eq!(verify(told(&before), told(&after), deed, PerceptualRules::default()).effect_observed, Some(false));
    }

    #[test]
    fn the_summary_is_empty_until_something_was_compared() {
        let mut summary = PerceptualSummary::default();
        summary.note(&PerceptualCheck::skipped(NotHighRisk));
        assert_eq!(serde_json::to_value(summary).unwrap(), json!({}));
        summary.note(&PerceptualCheck::compared(true, false));
        summary.note(&PerceptualCheck::compared(false, false));
        assert_eq!(serde_json::to_value(summary).unwrap(), json!({ "checked": 2, "no_effect": 1 }));
    }
}
