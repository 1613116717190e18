//! `surehand report RUN --follow`: a run of another process as it goes on, until it ends or its process is gone.

use std::time::Duration;

use surehand_store::{EventTail, Store};
use surehand_trace::TimelineBuilder;
use surehand_trace::report::terminal::Live;
use surehand_types::event::Envelope;
use tokio::signal::unix::{SignalKind, signal};

use super::report::terminal_options;
use crate::exit::Failure;
use crate::output::{say, write};

/// Between two looks at the file. Looking costs microseconds.
const PAUSE: Duration = Duration::from_millis(100);
/// Every so many looks without news, whether the process is still there: that asks the index.
const LOOKS_PER_QUESTION: u32 = 10;

const DIED: i32 = 1;
const INTERRUPTED: i32 = 130;

pub(crate) async fn follow(store: &Store, run_id: &str, json: bool) -> Result<i32, Failure> {
    let mut interrupt = signal(SignalKind::interrupt()).map_err(no_signals)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(no_signals)?;
    let mut follower = Follower::new(store.tail(run_id)?, run_id, json);
    let mut quiet = 0;
    loop {
        match follower.look()? {
            Seen::End => return Ok(follower.finish(run_id)),
            Seen::Something => quiet = 0,
            Seen::Nothing => quiet += 1,
        }
        if quiet % LOOKS_PER_QUESTION == 1 && !store.is_live(run_id).await? {
            // It may have written its end between the look and the question.
            follower.look()?;
            return Ok(follower.finish(run_id));
        }
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            _ = interrupt.recv() => return Ok(stopped(run_id)),
            _ = terminate.recv() => return Ok(stopped(run_id)),
        }
    }
}

fn stopped(run_id: &str) -> i32 {
    eprintln!("surehand: no longer following run {run_id}, which goes on");
    INTERRUPTED
}

fn no_signals(error: std::io::Error) -> Failure {
    Failure::usage(format!("Ctrl-C cannot be listened to: {error}"))
}

enum Seen {
    Nothing,
    Something,
    End,
}

struct Follower {
    tail: EventTail,
    builder: TimelineBuilder,
    /// `None` prints the events themselves.
    live: Option<Live>,
}

impl Follower {
    fn new(tail: EventTail, run_id: &str, json: bool) -> Follower {
        let live = (!json).then(|| Live::new(&terminal_options(run_id)));
        Follower { tail, builder: TimelineBuilder::default(), live }
    }

    fn look(&mut self) -> Result<Seen, Failure> {
        let mut seen = Seen::Nothing;
        loop {
            let events = self.tail.read()?;
            if events.is_empty() {
                return Ok(if self.has_ended() { Seen::End } else { seen });
            }
            self.take(&events);
            seen = Seen::Something;
        }
    }

    fn take(&mut self, events: &[Envelope]) {
        for envelope in events {
            self.builder.take(envelope);
        }
        match &mut self.live {
            // The end is told by `finish`, with the outcome.
            Some(_) if self.builder.so_far().ended.is_some() => {}
            Some(live) => write(format_args!("{}", live.update(self.builder.so_far()))),
            None => events.iter().for_each(print_event),
        }
    }

    fn has_ended(&self) -> bool {
        self.builder.so_far().ended.is_some()
    }

    /// No more events will come.
    fn finish(self, run_id: &str) -> i32 {
        let Follower { tail, mut builder, live } = self;
        let rest = tail.finish();
        for envelope in &rest.events {
            builder.take(envelope);
        }
        let ended = builder.so_far().ended.is_some();
        let mut timeline = builder.finish();
        timeline.problems = rest.problems;
        timeline.more_problems = rest.more_problems;
        match live {
            Some(live) => write(format_args!("{}", live.finish(&timeline))),
            None => rest.events.iter().for_each(print_event),
        }
        if ended {
            return 0;
        }
        eprintln!(
            "surehand: run {run_id} was interrupted: its process is gone and wrote no end\n\
             hint: surehand report {run_id} -o report.html shows what was recorded"
        );
        DIED
    }
}

fn print_event(envelope: &Envelope) {
    if let Ok(line) = serde_json::to_string(envelope) {
        say!("{line}");
    }
}
