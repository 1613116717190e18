//! What the parts of a step cost, for `cargo xtask bench desktop`. The parts are private to this module, so
//! their measurement is here.

use std::time::{Duration, Instant};

use super::DesktopEnv;
use super::server::{DisplayTrouble, Server};
use crate::EnvError;

/// One part, with the time of each round.
#[derive(Debug, Clone)]
pub struct PartTimes {
    pub name: &'static str,
    pub times: Vec<Duration>,
}

type Part = (&'static str, fn(&mut Server) -> Result<(), DisplayTrouble>);

const PARTS: &[Part] = &[
    ("frame, nothing changed", |server| server.capture.take(&server.connection, server.root).map(drop)),
    ("frame, something changed", |server| {
        server.capture.forget();
        server.capture.take(&server.connection, server.root).map(drop)
    }),
    ("windows, focus and pointer", |server| server.survey().map(drop)),
    ("press and release", |server| {
        server.button(1, true)?;
        server.button(1, false)?;
        server.round_trip()
    }),
    ("a typed character", |server| {
        server.keyboard.stroke(&server.connection, 'a'.into(), false)?;
        server.round_trip()
    }),
];

impl DesktopEnv {
    #[doc(hidden)]
    pub async fn part_times(&self, rounds: u32) -> Result<Vec<PartTimes>, EnvError> {
        let mut measured = Vec::new();
        for (name, part) in PARTS {
            let times = self.display.must(move |server| {
                let mut times = Vec::new();
                for _ in 0..rounds {
                    let start = Instant::now();
                    part(server)?;
                    times.push(start.elapsed());
                }
                Ok(times)
            });
            measured.push(PartTimes { name, times: times.await? });
        }
        Ok(measured)
    }
}
