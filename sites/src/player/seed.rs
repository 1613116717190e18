// Generates the playlist of a seed, and the captions of a clip. Separate from the state so that
// "same seed, same data" can be tested without a server.

use serde::Serialize;

use super::clip::{Chapter, Clip};
use super::words;
use crate::random::Random;

pub(crate) const CLIP_COUNT: u32 = 14;
const FEWEST_CHAPTERS: u64 = 3;
/// The clip that is the same in every seed, because scripts and tests name it.
const FIXED_CLIP: u32 = 3;

/// The clips of a seed in playlist order.
pub(crate) fn clips(seed: u64) -> Vec<Clip> {
    let mut random = Random::new(seed);
    let mut titles: Vec<(&str, &str)> =
        words::SCENES.iter().flat_map(|(scene, titles)| titles.iter().map(|title| (*scene, *title))).collect();
    (1..=CLIP_COUNT)
        .map(|id| {
            // Titles are used once: a task that names a clip must mean one clip.
            let (scene, title) = titles.swap_remove(random.below(titles.len() as u64) as usize);
            let author = *random.pick(words::AUTHORS);
            let duration = 48 + random.below(140) as u32;
            let clip = Clip {
                id,
                title,
                author,
                scene,
                art: random.below(1_000_000) as u32,
                duration,
                chapters: chapters(&mut random, duration),
                watched: random.chance(25),
            };
            // Generated even where the fixed clip takes the place, so that it shifts nothing.
            if id == FIXED_CLIP { fixed_clip() } else { clip }
        })
        .collect()
}

fn fixed_clip() -> Clip {
    Clip {
        id: FIXED_CLIP,
        title: "Night Train to Aldmoor",
        author: "Mirelle Osei",
        scene: "skyline",
        art: 20_417,
        duration: 120,
        chapters: vec![
            Chapter { start: 0, title: "Departure" },
            Chapter { start: 30, title: "The viaduct" },
            Chapter { start: 75, title: "Aldmoor" },
        ],
        watched: false,
    }
}

fn chapters(random: &mut Random, duration: u32) -> Vec<Chapter> {
    let count = FEWEST_CHAPTERS + random.below(3);
    let part = duration / count as u32;
    let first = random.below(words::CHAPTERS.len() as u64 - count) as usize;
    (0..count as usize)
        .map(|index| {
            let start = if index == 0 { 0 } else { index as u32 * part + random.below(u64::from(part) / 3) as u32 };
            Chapter { start, title: words::CHAPTERS[first + index] }
        })
        .collect()
}

/// One caption: when it is shown, and its text.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Caption {
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) text: &'static str,
}

/// The captions of a clip in a language that exists; its lines come round until the clip ends.
pub(crate) fn captions(clip: &Clip, language: &str) -> Vec<Caption> {
    const SECONDS_EACH: f64 = 6.0;
    const PAUSE: f64 = 1.0;
    let lines = words::caption_lines(clip.scene);
    let Some((_, lines)) = lines.iter().find(|(known, _)| *known == language) else {
        return Vec::new();
    };
    let count = (f64::from(clip.duration) / SECONDS_EACH) as usize;
    (0..count)
        .map(|index| {
            let start = index as f64 * SECONDS_EACH;
            Caption { start, end: start + SECONDS_EACH - PAUSE, text: lines[index % lines.len()] }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::player::clip::CAPTIONS;

    #[test]
    fn a_seed_always_gives_the_same_playlist_and_another_seed_gives_another() {
        assert_eq!(clips(1), clips(1));
        assert_ne!(clips(1), clips(2));
    }

    #[test]
    fn titles_are_unique_chapters_are_in_order_and_the_fixed_clip_stays() {
        for seed in 1..=20 {
            let clips = clips(seed);
            let titles: BTreeSet<_> = clips.iter().map(|clip| clip.title).collect();
            assert_eq!(titles.len(), CLIP_COUNT as usize, "seed {seed}");
            assert_eq!(clips[2], fixed_clip());
            for clip in clips {
                assert_eq!(clip.chapters[0].start, 0);
                assert!(clip.chapters.is_sorted_by(|a, b| a.start < b.start), "seed {seed} clip {}", clip.id);
                assert!(clip.chapters.iter().all(|chapter| chapter.start < clip.duration));
            }
        }
    }

    #[test]
    fn every_scene_has_captions_in_every_language() {
        for clip in clips(1) {
            for language in &CAPTIONS[1..] {
                let captions = captions(&clip, language);
                assert!(captions.len() >= 8, "{} {language}", clip.scene);
                assert!(captions.iter().all(|caption| caption.end <= f64::from(clip.duration)));
            }
        }
    }
}
