//! A model brain before a server, with a frame of its own to look at.

use std::time::Duration;

use surehand_brain::{Brain, BrainOptions, BrainSpec, ModelOptions, open};
use surehand_checks::picture::encode_png;
use surehand_types::observation::FrameFile;
use surehand_types::reply::{CallResult, ObservationView};
use surehand_types::{Pixels, Turn};

use crate::common;
use crate::server::Server;
use crate::wire::Wire;

pub(crate) struct Seat {
    pub(crate) brain: Box<dyn Brain>,
    folder: tempfile::TempDir,
}

impl Seat {
    pub(crate) fn new(wire: Wire, server: &Server, timeout: Duration) -> Seat {
        Seat::with(wire, server, timeout, ModelOptions::default())
    }

    pub(crate) fn with(wire: Wire, server: &Server, timeout: Duration, model: ModelOptions) -> Seat {
        let spec = BrainSpec::parse(&wire.brain(server)).unwrap();
        let options = BrainOptions { reply_timeout: timeout, model, ..BrainOptions::default() };
        Seat { brain: open(&spec, options).unwrap(), folder: tempfile::tempdir().unwrap() }
    }

    /// A frame whose picture differs from that of every other number.
    pub(crate) fn frame(&self, number: u32) -> FrameFile {
        let (width, height) = (320, 180);
        let shade = u8::try_from(number * 9 % 250).unwrap();
        let pixels = Pixels::new(width, height, [shade, 120, 200].repeat((width * height) as usize)).unwrap();
        let path = self.folder.path().join(format!("{number}.png"));
        std::fs::write(&path, encode_png(&pixels).unwrap()).unwrap();
        let path = path.display().to_string();
        serde_json::from_value(serde_json::json!({
            "path": path, "width": width, "height": height, "format": "png", "sha256": "", "stale": false,
        }))
        .unwrap()
    }

    /// The turn of this number: the call before it was done.
    pub(crate) fn turn(&self, number: u32) -> Turn {
        let blank = common::turn();
        let done = CallResult {
            index: 0,
            ran: true,
            ok: true,
            effect: None,
            message: format!("call {number} done"),
            predicates: Vec::new(),
        };
        Turn {
            turn: number,
            step: number,
            observation: ObservationView { frame: Some(self.frame(number)), ..blank.observation.clone() },
            results: if number > 1 { vec![done] } else { Vec::new() },
            ..blank
        }
    }
}
