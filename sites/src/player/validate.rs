// Decides whether what a page sent is acceptable for the player, a marker or a stroke. Separate
// because the rules are the server's half of a contract.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::clip::{CANVAS_HEIGHT, CANVAS_WIDTH, CAPTIONS, STROKE_COLORS, Tenths};
use crate::reply::ErrorReply;

const MOST_NOTE_CHARACTERS: usize = 200;
const MOST_POINTS: usize = 2_000;
const FULL_VOLUME: u32 = 100;
const SLOWEST: f64 = 0.25;
const FASTEST: f64 = 2.0;

/// Settings of the player as the page sends them. What is left out stays as it is.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PlayerInput {
    position: Option<f64>,
    playing: Option<bool>,
    volume: Option<u32>,
    muted: Option<bool>,
    speed: Option<f64>,
    captions: Option<String>,
    theatre: Option<bool>,
}

/// A checked change of the settings.
#[derive(Debug)]
pub(crate) struct PlayerChange {
    pub(crate) position: Option<Tenths>,
    pub(crate) playing: Option<bool>,
    pub(crate) volume: Option<u32>,
    pub(crate) muted: Option<bool>,
    pub(crate) speed: Option<f64>,
    pub(crate) captions: Option<&'static str>,
    pub(crate) theatre: Option<bool>,
}

/// The checked change for a clip of that length, or an error that names every field that is wrong.
pub(crate) fn player(input: PlayerInput, duration: u32) -> Result<PlayerChange, ErrorReply> {
    let mut problems = Map::new();
    let mut report = |field: &str, is_wrong: bool, problem: &str| {
        if is_wrong {
            problems.insert(field.to_owned(), Value::from(problem));
        }
    };
    let position = input.position.map(|seconds| Tenths::within(seconds, duration));
    let captions = input.captions.map(|name| CAPTIONS.iter().copied().find(|known| *known == name));
    let is_speed = |speed: f64| (SLOWEST..=FASTEST).contains(&speed) && (speed / SLOWEST).fract() == 0.0;
    report("position", position == Some(None), "The clip is not that long.");
    report("volume", input.volume.is_some_and(|volume| volume > FULL_VOLUME), "The volume goes from 0 to 100.");
    report("speed", input.speed.is_some_and(|speed| !is_speed(speed)), "The speed goes from 0.25 to 2 in quarters.");
    report("captions", captions == Some(None), "Choose off, en, de or es.");
    if !problems.is_empty() {
        return Err(ErrorReply::invalid(problems));
    }
    Ok(PlayerChange {
        position: position.flatten(),
        playing: input.playing,
        volume: input.volume,
        muted: input.muted,
        speed: input.speed,
        captions: captions.flatten(),
        theatre: input.theatre,
    })
}

/// A place on the canvas, both edges included.
pub(crate) fn point(x: u32, y: u32) -> Result<(u32, u32), ErrorReply> {
    if x > CANVAS_WIDTH {
        Err(ErrorReply::wrong_field("x", "That is outside the canvas."))
    } else if y > CANVAS_HEIGHT {
        Err(ErrorReply::wrong_field("y", "That is outside the canvas."))
    } else {
        Ok((x, y))
    }
}

pub(crate) fn points(points: Vec<(u32, u32)>) -> Result<Vec<(u32, u32)>, ErrorReply> {
    if points.len() < 2 || points.len() > MOST_POINTS {
        return Err(ErrorReply::wrong_field("points", "A stroke has 2 to 2000 points."));
    }
    if points.iter().any(|(x, y)| *x > CANVAS_WIDTH || *y > CANVAS_HEIGHT) {
        return Err(ErrorReply::wrong_field("points", "A point is outside the canvas."));
    }
    Ok(points)
}

pub(crate) fn time(seconds: f64, duration: u32) -> Result<Tenths, ErrorReply> {
    Tenths::within(seconds, duration).ok_or_else(|| ErrorReply::wrong_field("time", "The clip is not that long."))
}

pub(crate) fn stroke_color(name: &str) -> Result<&'static str, ErrorReply> {
    let known = STROKE_COLORS.iter().copied().find(|known| *known == name);
    known.ok_or_else(|| ErrorReply::wrong_field("color", "Choose a colour from the list."))
}

/// A note may be empty: that takes it away.
pub(crate) fn note(text: &str) -> Result<String, ErrorReply> {
    let text = text.trim();
    if text.chars().count() > MOST_NOTE_CHARACTERS {
        Err(ErrorReply::wrong_field("note", "Use at most 200 characters."))
    } else if text.chars().any(char::is_control) {
        Err(ErrorReply::wrong_field("note", "Use plain text on one line."))
    } else {
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_answer_names_every_wrong_field() {
        let input = PlayerInput {
            position: Some(60.1),
            volume: Some(101),
            speed: Some(1.1),
            captions: Some("fr".to_owned()),
            ..PlayerInput::default()
        };
        let reply = player(input, 60).unwrap_err();
        let fields: Vec<_> = reply.fields.keys().map(String::as_str).collect();
        assert_eq!(fields, ["position", "volume", "speed", "captions"]);
    }

    #[test]
    fn speeds_come_in_quarters() {
        for (speed, is_fine) in
            [(0.25, true), (1.0, true), (1.75, true), (2.0, true), (0.0, false), (2.25, false), (0.3, false)]
        {
            let input = PlayerInput { speed: Some(speed), ..PlayerInput::default() };
            assert_eq!(player(input, 60).is_ok(), is_fine, "{speed}");
        }
    }
}
