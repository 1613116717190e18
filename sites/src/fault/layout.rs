//! Where everything of a case stands and what it is called, from the seed alone: the kind must not show
//! in the layout.

use serde_json::{Value, json};

use crate::random::Random;

/// Left, top, width and height in pixels of a view of 1280x720.
pub(super) type Place = [u32; 4];

const CONTROLS: usize = 4;
const CONTROL: [u32; 2] = [132, 40];
const NOISE: [u32; 2] = [258, 110];
/// Between a control and a noise that is near.
const NEAR_GAP: u32 = 18;

const LABELS: &[&str] = &[
    "Apply",
    "Open",
    "Update",
    "Continue",
    "Mark",
    "Share",
    "Arrange",
    "Moor",
    "Assign",
    "Show more",
    "Next",
    "Reserve",
];

/// Ground, ink, control, text on the control, accent.
const COLOURS: &[[&str; 5]] = &[
    ["#f4f5f7", "#20242b", "#2f5fa7", "#ffffff", "#b8452f"],
    ["#eef3ee", "#1f2a22", "#2f6a4a", "#ffffff", "#a7702f"],
    ["#f6f1ea", "#2b2420", "#7a4a2f", "#ffffff", "#2f5fa7"],
    ["#e9ecf2", "#1c2030", "#dfe3ea", "#1c2030", "#7a9ad8"],
    ["#fbfbfb", "#222222", "#ffffff", "#222222", "#f0c36a"],
];

#[derive(Debug, Clone)]
pub(super) struct Layout {
    controls: [Place; CONTROLS],
    labels: Vec<&'static str>,
    target: usize,
    panel: Place,
    noise: Place,
    pub(super) is_near: bool,
    colours: &'static [&'static str; 5],
    sketch: bool,
    /// Of things that exist in two forms, which one.
    is_second_form: bool,
    seed: u64,
}

impl Layout {
    pub(super) fn of(seed: u64) -> Layout {
        let mut random = Random::new(seed);
        let is_mirrored = random.chance(50);
        let (row_left, panel_left) = if is_mirrored { (470, 30) } else { (40, 860) };
        let left = row_left + random.below(40) as u32;
        let top = 200 + random.below(300) as u32;
        let target = random.below(CONTROLS as u64) as usize;
        let controls = std::array::from_fn(|index| [left + 190 * index as u32, top, CONTROL[0], CONTROL[1]]);
        let is_near = random.chance(35);
        let noise = if is_near {
            let noise_left = controls[target][0].min(1280 - NOISE[0] - 10);
            let above = random.chance(50);
            let noise_top = if above { top - NOISE[1] - NEAR_GAP } else { top + CONTROL[1] + NEAR_GAP };
            [noise_left, noise_top, NOISE[0], NOISE[1]]
        } else {
            [panel_left + 40, 560, NOISE[0], NOISE[1]]
        };
        let mut labels = LABELS.to_vec();
        let labels = (0..CONTROLS).map(|_| labels.swap_remove(random.below(labels.len() as u64) as usize)).collect();
        Layout {
            controls,
            labels,
            target,
            panel: [panel_left, 80, 390, 450],
            noise,
            is_near,
            colours: random.pick(COLOURS),
            sketch: random.chance(50),
            is_second_form: random.chance(50),
            seed,
        }
    }

    pub(super) fn middle(&self) -> (u32, u32) {
        let [left, top, width, height] = self.controls[self.target];
        (left + width / 2, top + height / 2)
    }

    /// What the script of the page is told.
    pub(super) fn setup(&self, kind: &str, noise: &str, run: u64, other_origin: &str) -> Value {
        let others: Vec<Value> = (0..CONTROLS)
            .filter(|index| *index != self.target)
            .map(|index| json!({"box": self.controls[index], "label": self.labels[index]}))
            .collect();
        let [ground, ink, control, on_control, accent] = self.colours;
        json!({
            "kind": kind, "noise": noise, "seed": self.seed, "run": run, "other": other_origin, "inside": false,
            "box": self.controls[self.target], "label": self.labels[self.target], "others": others,
            "panel": self.panel, "noise_box": self.noise, "second_form": self.is_second_form,
            // The kind that paints on it needs the sketch; others have it by chance.
            "sketch": self.sketch || kind == "canvas_elsewhere",
            "colours": {"ground": ground, "ink": ink, "control": control, "on-control": on_control, "accent": accent},
        })
    }

    /// The same for the document in a frame, which holds the control alone with a margin of 10 pixels.
    pub(super) fn setup_inside(&self, kind: &str, run: u64) -> Value {
        let mut setup = self.setup(kind, "none", run, "");
        setup["inside"] = json!(true);
        setup["box"] = json!([10, 10, CONTROL[0], CONTROL[1]]);
        setup["others"] = json!([]);
        setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_stays_in_the_view_and_noise_is_near_or_far() {
        let mut near = 0;
        for seed in 0..500 {
            let layout = Layout::of(seed);
            for [left, top, width, height] in layout.controls.iter().chain([&layout.panel, &layout.noise]) {
                assert!(left + width <= 1280 && top + height <= 720 && *top >= 56, "{seed}: {layout:?}");
            }
            let ([left, top, ..], [noise_left, noise_top, ..]) = (layout.controls[layout.target], layout.noise);
            let gap = |a: u32, a_size: u32, b: u32, b_size: u32| {
                b.saturating_sub(a + a_size).max(a.saturating_sub(b + b_size))
            };
            let distance = gap(left, CONTROL[0], noise_left, NOISE[0]).max(gap(top, CONTROL[1], noise_top, NOISE[1]));
            assert_eq!(distance <= 60, layout.is_near, "{seed}: {layout:?}");
            near += u32::from(layout.is_near);
        }
        assert!((100..250).contains(&near), "{near}");
    }
}
