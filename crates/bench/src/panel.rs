//! The page's panel as a witness: its colour names the number of the last click, so a frame tells by
//! its own pixels which click it shows. `page.html` holds the same rule.

use serde::Serialize;
use surehand_types::Pixels;

/// Where the page puts its panel: left, top, width, height.
const PANEL: [u32; 4] = [836, 540, 320, 70];

/// Room for what a JPEG does to an even area; neighbours differ by 64 and more.
const TOLERANCE: u8 = 16;

/// What a frame says about the click it should show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Witness {
    Fresh,
    Stale,
    NotChecked,
}

/// Whether the panel in the frame has the colour of this click, at every point that is looked at.
pub(crate) fn witness(frame: &Pixels, click: u64) -> Witness {
    if (frame.width, frame.height) != (1280, 720) {
        return Witness::Stale;
    }
    let [left, top, width, height] = PANEL;
    let wanted = colour(click);
    // Spread over the whole panel, edges included: a half-drawn panel is not fresh.
    let fresh = (0..5).all(|row| {
        (0..9).all(|column| {
            let (x, y) = (left + 8 + column * (width - 16) / 8, top + 8 + row * (height - 16) / 4);
            frame.at(x, y).is_some_and(|seen| near(seen, wanted))
        })
    });
    if fresh { Witness::Fresh } else { Witness::Stale }
}

fn colour(click: u64) -> [u8; 3] {
    let code = (click * 37) % 64;
    // Each digit is 0 to 3, so the levels fit a byte.
    [code & 3, (code >> 2) & 3, code >> 4].map(|digit| (32 + 64 * digit) as u8)
}

fn near(seen: [u8; 3], wanted: [u8; 3]) -> bool {
    seen.iter().zip(wanted).all(|(seen, wanted)| seen.abs_diff(wanted) <= TOLERANCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame_of(click: u64) -> Pixels {
        let rgb = colour(click).repeat(1280 * 720);
        Pixels::new(1280, 720, rgb).unwrap()
    }

    #[test]
    fn a_frame_of_any_of_the_last_sixty_clicks_is_told_from_the_wanted_one() {
        for click in 100..164 {
            let frame = frame_of(click);
            assert_eq!(witness(&frame, click), Witness::Fresh);
            for later in click + 1..click + 64 {
                assert_eq!(witness(&frame, later), Witness::Stale, "{click} taken for {later}");
            }
        }
    }

    #[test]
    fn neighbours_differ_far_more_than_the_tolerance() {
        for click in 0..64 {
            let (one, next) = (colour(click), colour(click + 1));
            let differences: Vec<u8> = one.iter().zip(next).map(|(one, next)| one.abs_diff(next)).collect();
            assert!(differences.iter().filter(|difference| **difference >= 64).count() >= 2, "{one:?} {next:?}");
        }
    }

    #[test]
    fn a_half_drawn_panel_is_stale() {
        let mut frame = frame_of(7);
        for y in 540..580 {
            for x in 836..1156 {
                frame.set(x, y, colour(6));
            }
        }
        assert_eq!(witness(&frame, 7), Witness::Stale);
    }
}
