// The one place that changes what the player knows. Behind a lock that is only reachable through
// a closure, so it is never held across an await.

use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::clip::{CANVAS_HEIGHT, CANVAS_WIDTH, Clip, Marker, Stroke, Tenths};
use super::seed;
use super::validate::PlayerChange;
use crate::parts::SiteState;
use crate::reply::ErrorReply;

/// Far above what a test makes; a script that draws for ever does not fill the memory.
const MOST_MARKERS: usize = 200;
const MOST_STROKES: usize = 200;
const STARTING_VOLUME: u32 = 80;

#[derive(Debug)]
pub(crate) struct PlayerState {
    player: Mutex<Player>,
}

#[derive(Debug)]
pub(crate) struct Player {
    seed: u64,
    /// In playlist order.
    clips: Vec<Clip>,
    current: u32,
    /// Where it was paused or sought last; it stands still while the clip plays.
    position: Tenths,
    playing: bool,
    volume: u32,
    muted: bool,
    speed: f64,
    captions: &'static str,
    theatre: bool,
    markers: Vec<Marker>,
    strokes: Vec<Stroke>,
    next_marker: u32,
    next_stroke: u32,
    /// How many requests were accepted that could change something.
    changes: u64,
}

impl PlayerState {
    pub(crate) fn new(seed: u64) -> Self {
        Self { player: Mutex::new(Player::new(seed)) }
    }

    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut Player) -> T) -> T {
        act(&mut self.player.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl SiteState for PlayerState {
    fn snapshot(&self) -> Value {
        self.with(|player| player.snapshot())
    }

    fn reset(&self, seed: u64) {
        self.with(|player| *player = Player::new(seed));
    }
}

impl Player {
    fn new(seed: u64) -> Self {
        let clips = seed::clips(seed);
        Self {
            seed,
            current: clips.first().map_or(0, |clip| clip.id),
            clips,
            position: Tenths::default(),
            playing: false,
            volume: STARTING_VOLUME,
            muted: false,
            speed: 1.0,
            captions: "off",
            theatre: false,
            markers: Vec::new(),
            strokes: Vec::new(),
            next_marker: 1,
            next_stroke: 1,
            changes: 0,
        }
    }

    pub(crate) fn snapshot(&self) -> Value {
        json!({
            "seed": self.seed,
            "current": self.current,
            "position": self.position,
            "playing": self.playing,
            "volume": self.volume,
            "muted": self.muted,
            "speed": self.speed,
            "captions": self.captions,
            "theatre": self.theatre,
            "clips": self.clips,
            "markers": self.markers,
            "strokes": self.strokes,
            "canvas": { "width": CANVAS_WIDTH, "height": CANVAS_HEIGHT },
            "changes": self.changes,
        })
    }

    pub(crate) fn clip(&self, id: u32) -> Result<&Clip, ErrorReply> {
        self.clips.iter().find(|clip| clip.id == id).ok_or_else(|| no_such_clip(id))
    }

    pub(crate) fn current_duration(&self) -> u32 {
        self.clip(self.current).map_or(0, |clip| clip.duration)
    }

    pub(crate) fn change(&mut self, change: PlayerChange) {
        self.changes += 1;
        if let Some(position) = change.position {
            self.position = position;
            self.note_watched();
        }
        self.playing = change.playing.unwrap_or(self.playing);
        self.volume = change.volume.unwrap_or(self.volume);
        self.muted = change.muted.unwrap_or(self.muted);
        self.speed = change.speed.unwrap_or(self.speed);
        self.captions = change.captions.unwrap_or(self.captions);
        self.theatre = change.theatre.unwrap_or(self.theatre);
    }

    /// A clip that was seen to its end counts as watched.
    fn note_watched(&mut self) {
        let end = Tenths(self.current_duration() * 10);
        if self.position >= end
            && let Some(clip) = self.clips.iter_mut().find(|clip| clip.id == self.current)
        {
            clip.watched = true;
        }
    }

    /// Puts another clip on the stage, paused at its beginning.
    pub(crate) fn open(&mut self, id: u32) -> Result<(), ErrorReply> {
        self.clip(id)?;
        self.changes += 1;
        self.current = id;
        self.position = Tenths::default();
        self.playing = false;
        Ok(())
    }

    pub(crate) fn set_watched(&mut self, id: u32, watched: bool) -> Result<Clip, ErrorReply> {
        let clip = self.clips.iter_mut().find(|clip| clip.id == id).ok_or_else(|| no_such_clip(id))?;
        clip.watched = watched;
        self.changes += 1;
        Ok(clip.clone())
    }

    /// Puts a clip where `to_index` of the other clips are above it.
    pub(crate) fn move_clip(&mut self, id: u32, to_index: usize) -> Result<Clip, ErrorReply> {
        let index = self.clips.iter().position(|clip| clip.id == id).ok_or_else(|| no_such_clip(id))?;
        if to_index >= self.clips.len() {
            return Err(ErrorReply::wrong_field("index", "The playlist has fewer clips than that."));
        }
        let clip = self.clips.remove(index);
        self.clips.insert(to_index, clip.clone());
        self.changes += 1;
        Ok(clip)
    }

    pub(crate) fn add_marker(&mut self, clip: u32, (x, y): (u32, u32), time: Tenths) -> Result<Marker, ErrorReply> {
        if self.markers.len() == MOST_MARKERS {
            return Err(full("There are too many markers. Delete some first."));
        }
        let marker = Marker { id: self.next_marker, clip, x, y, time, note: String::new() };
        self.next_marker += 1;
        self.changes += 1;
        self.markers.push(marker.clone());
        Ok(marker)
    }

    pub(crate) fn note_marker(&mut self, id: u32, note: String) -> Result<Marker, ErrorReply> {
        let marker = self.markers.iter_mut().find(|marker| marker.id == id).ok_or_else(|| no_such_marker(id))?;
        marker.note = note;
        self.changes += 1;
        Ok(marker.clone())
    }

    pub(crate) fn remove_marker(&mut self, id: u32) -> Result<(), ErrorReply> {
        let index = self.markers.iter().position(|marker| marker.id == id).ok_or_else(|| no_such_marker(id))?;
        self.markers.remove(index);
        self.changes += 1;
        Ok(())
    }

    pub(crate) fn add_stroke(
        &mut self,
        clip: u32,
        color: &'static str,
        points: Vec<(u32, u32)>,
        time: Tenths,
    ) -> Result<Stroke, ErrorReply> {
        if self.strokes.len() == MOST_STROKES {
            return Err(full("There are too many strokes. Clear some first."));
        }
        let stroke = Stroke { id: self.next_stroke, clip, time, color, points };
        self.next_stroke += 1;
        self.changes += 1;
        self.strokes.push(stroke.clone());
        Ok(stroke)
    }

    pub(crate) fn remove_stroke(&mut self, id: u32) -> Result<(), ErrorReply> {
        let index = self.strokes.iter().position(|stroke| stroke.id == id).ok_or_else(|| no_such_stroke(id))?;
        self.strokes.remove(index);
        self.changes += 1;
        Ok(())
    }

    /// Takes all markers and strokes off a clip; gives how many of each there were.
    pub(crate) fn clear(&mut self, clip: u32) -> Result<(usize, usize), ErrorReply> {
        self.clip(clip)?;
        let before = (self.markers.len(), self.strokes.len());
        self.markers.retain(|marker| marker.clip != clip);
        self.strokes.retain(|stroke| stroke.clip != clip);
        self.changes += 1;
        Ok((before.0 - self.markers.len(), before.1 - self.strokes.len()))
    }
}

pub(crate) fn no_such_clip(id: impl std::fmt::Display) -> ErrorReply {
    ErrorReply::not_found(format!("There is no clip {id}."))
}

pub(crate) fn no_such_marker(id: impl std::fmt::Display) -> ErrorReply {
    ErrorReply::not_found(format!("There is no marker {id}."))
}

pub(crate) fn no_such_stroke(id: impl std::fmt::Display) -> ErrorReply {
    ErrorReply::not_found(format!("There is no stroke {id}."))
}

fn full(message: &str) -> ErrorReply {
    ErrorReply::new(StatusCode::CONFLICT, "full", message)
}
