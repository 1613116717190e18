//! A place, a page with a square to hit, and a model behind a server: what most tests here begin with.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::bench::{Bench, Ended, Running};
use crate::page::Page;
use crate::server::{Answer, Asked, Server};
use crate::shots;
use crate::wire::{Act, Wire, is_about_done};

/// Long enough to be taken for a key, with characters that every encoding spells in its own way.
pub(crate) const KEY: &str = "sk-test/Zq8+w~Lr4=Ux71&vK?mB9 yTs";

/// A deed of the model; where a square is, is seen in the picture that the request brought.
#[derive(Debug, Clone)]
pub(crate) enum Next {
    Look,
    Square,
    Type(&'static str),
    Done(&'static str),
    GiveUp(&'static str),
}

/// Where the model pointed: its own numbers, and the size of the picture that it saw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Aimed {
    pub(crate) named: (i64, i64),
    pub(crate) picture: (u32, u32),
}

/// A model that does these things, one reply after the other, and then gives up.
#[derive(Clone)]
pub(crate) struct Model {
    wire: Wire,
    replies: Arc<Mutex<VecDeque<Vec<Next>>>>,
    aims: Arc<Mutex<Vec<Aimed>>>,
    /// What it says about claims of success, in order; then it agrees.
    opinions: Arc<Mutex<VecDeque<Value>>>,
}

impl Model {
    pub(crate) fn new(wire: Wire, replies: Vec<Vec<Next>>) -> Model {
        Model { wire, replies: Arc::new(Mutex::new(replies.into())), aims: Arc::default(), opinions: Arc::default() }
    }

    pub(crate) fn thinks(self, opinions: Vec<Value>) -> Model {
        *self.opinions.lock().unwrap() = opinions.into();
        self
    }

    pub(crate) fn aims(&self) -> Vec<Aimed> {
        self.aims.lock().unwrap().clone()
    }

    /// The body of its answer to a request.
    pub(crate) fn body(&self, asked: &Asked, number: usize) -> Value {
        let request = asked.json();
        if is_about_done(&request) {
            let agreed = json!({"valid": true, "reason": "the screen shows it"});
            let opinion = self.opinions.lock().unwrap().pop_front().unwrap_or(agreed);
            return self.wire.words(&format!("I look at it. {opinion}"));
        }
        let next = self.replies.lock().unwrap().pop_front().unwrap_or_else(|| vec![Next::GiveUp("nothing is left")]);
        let acts: Vec<Act> = next.iter().map(|next| self.act(next, &request)).collect();
        self.wire.reply(number, "I go on with it.", &acts)
    }

    pub(crate) fn answer(&self, asked: &Asked, number: usize) -> Answer {
        Answer::json(&self.body(asked, number))
    }

    fn act(&self, next: &Next, request: &Value) -> Act {
        match next {
            Next::Look => Act::Look,
            Next::Type(text) => Act::Type((*text).into()),
            Next::Done(summary) => Act::done(summary),
            Next::GiveUp(summary) => Act::given_up(summary),
            Next::Square => {
                let Some(picture) = shots::newest(request) else { return Act::given_up("no picture came") };
                let size = (picture.width, picture.height);
                let Some(place) = shots::square(&picture) else { return Act::given_up("no square is to be seen") };
                let named = self.wire.space.name(place, size);
                self.aims.lock().unwrap().push(Aimed { named, picture: size });
                Act::Click(named.0, named.1)
            }
        }
    }
}

pub(crate) struct World {
    pub(crate) bench: Bench,
    pub(crate) page: Page,
    pub(crate) server: Server,
    pub(crate) wire: Wire,
}

impl World {
    pub(crate) fn new(wire: Wire, play: impl FnMut(&Asked, usize) -> Answer + Send + 'static) -> World {
        World { bench: Bench::new(), page: Page::start(), server: Server::start(play), wire }
    }

    pub(crate) fn of(model: &Model) -> World {
        let playing = model.clone();
        World::new(model.wire, move |asked, number| playing.answer(asked, number))
    }

    pub(crate) fn start(&self, more: &[&str]) -> Running {
        let (brain, url) = (self.wire.brain(&self.server), self.page.url());
        let mut arguments = vec!["run", "Hit every square", "--json", "--url", &url, "--brain", &brain];
        arguments.extend(more);
        self.command(&arguments)
    }

    pub(crate) fn run(&self, more: &[&str]) -> Ended {
        self.start(more).wait()
    }

    /// Any command of the program, with the key in its environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Running {
        let mut command = self.bench.command(arguments);
        without_keys(&mut command);
        command.env(self.wire.variable(), KEY);
        self.bench.start_command(command)
    }

    /// The requests of the conversation, without questions about a claim.
    pub(crate) fn turns(&self) -> Vec<Value> {
        let all = self.server.asked();
        all.iter().map(Asked::json).filter(|request| !is_about_done(request)).collect()
    }
}

/// Whoever runs the tests may have keys and addresses of their own.
pub(crate) fn without_keys(command: &mut std::process::Command) {
    for vendor in ["ANTHROPIC", "OPENAI", "GEMINI", "GOOGLE", "GOOGLE_GEMINI", "CHAT"] {
        command.env_remove(format!("{vendor}_API_KEY")).env_remove(format!("{vendor}_BASE_URL"));
    }
}
