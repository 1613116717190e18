//! Asks a model and keeps count: tokens, dollars, requests. Nothing is asked that could cost more than what is left.

use std::time::{Duration, Instant};

use serde_json::Value;
use surehand_types::reply::Usage;

use super::knowledge::{Price, Tokens, cost};
use super::provider::{Provider, Question, Reading, Request, Unusable};
use super::sender::{Body, Effort, Failed, Sender};
use crate::error::BrainError;

/// Answers of the model's own making that are worth another try, per request.
const AGAIN: u32 = 2;
/// Tokens of an answer before the first one is known.
const FIRST_OUTPUT: u64 = 400;
/// More tokens than this no answer has: what a server says beyond it would only overflow the sums of a run.
const MOST_TOKENS: u64 = 1_000_000_000;

pub(crate) struct Asker {
    /// As results and reports name it.
    name: String,
    provider: Box<dyn Provider>,
    sender: Sender,
    reply_timeout: Duration,
    price: Option<Price>,
    /// Dollars; 0 means no limit.
    max_cost: f64,
    /// Whether pictures are of any use to it.
    sees: bool,
    spent: Usage,
    /// Dollars that an earlier process of the same run spent.
    before: f64,
    /// Tokens of the longest answer so far.
    longest: u64,
}

/// What an asker is held to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) reply_timeout: Duration,
    pub(crate) max_cost: f64,
    pub(crate) price: Option<Price>,
    pub(crate) sees: bool,
}

/// An answer with what it took.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) reading: Reading,
    pub(crate) usage: Usage,
    pub(crate) notes: Vec<String>,
}

impl Asker {
    pub(crate) fn new(name: String, provider: Box<dyn Provider>, sender: Sender, limits: Limits) -> Asker {
        let Limits { reply_timeout, max_cost, price, sees } = limits;
        let (spent, longest) = (Usage::default(), FIRST_OUTPUT);
        Asker { name, provider, sender, reply_timeout, price, max_cost, sees, spent, before: 0.0, longest }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn provider(&self) -> &dyn Provider {
        self.provider.as_ref()
    }

    pub(crate) fn sender(&self) -> &Sender {
        &self.sender
    }

    pub(crate) fn reply_timeout(&self) -> Duration {
        self.reply_timeout
    }

    pub(crate) fn sees(&self) -> bool {
        self.sees
    }

    pub(crate) fn spent_before(&mut self, dollars: f64) {
        self.before = dollars.max(0.0);
    }

    pub(crate) fn spent(&self) -> Usage {
        self.spent
    }

    /// One answer to a request of a run. `estimate` is its size in tokens.
    pub(crate) async fn ask(&mut self, request: &Request, estimate: u64, until: Instant) -> Result<Heard, BrainError> {
        let mut usage = Usage::default();
        let mut notes = Vec::new();
        for _ in 0..=AGAIN {
            let Some(body) = self.send(request, estimate, until, &mut usage, &mut notes).await? else { continue };
            match self.provider.read(&body) {
                Ok(reading) => {
                    self.count(reading.tokens, &mut usage);
                    return Ok(Heard { reading, usage, notes });
                }
                Err(Unusable::Again(why)) => {
                    self.count(tokens_in(&body), &mut usage);
                    notes.push(format!("{why}; asked again"));
                }
                Err(Unusable::Refused(why)) => {
                    self.count(tokens_in(&body), &mut usage);
                    return Err(BrainError::Refused(why));
                }
                Err(Unusable::Foreign(why)) => return Err(foreign(&why, &self.sender)),
            }
        }
        Err(BrainError::Transport(format!(
            "{} times in a row: {}",
            AGAIN + 1,
            notes.last().cloned().unwrap_or_default()
        )))
    }

    /// The words of an answer to one question outside the run.
    pub(crate) async fn answer(&mut self, question: &Question, until: Instant) -> Result<String, BrainError> {
        let request = self.provider.question(question);
        let pixels: u64 = question.pictures.iter().map(|(_, p)| u64::from(p.width) * u64::from(p.height)).sum();
        let estimate = pixels / 750 + super::history::text_tokens(question.text.len() + question.system.len());
        let (mut usage, mut notes) = (Usage::default(), Vec::new());
        for _ in 0..=AGAIN {
            let Some(body) = self.send(&request, estimate, until, &mut usage, &mut notes).await? else { continue };
            match self.provider.read_answer(&body) {
                Ok((text, tokens)) => {
                    self.count(tokens, &mut usage);
                    return Ok(text);
                }
                Err(Unusable::Again(why)) => notes.push(why),
                Err(Unusable::Refused(why)) => return Err(BrainError::Refused(why)),
                Err(Unusable::Foreign(why)) => return Err(foreign(&why, &self.sender)),
            }
        }
        Err(BrainError::Transport(notes.pop().unwrap_or_default()))
    }

    /// A response body; `None` when a stream broke off, which is noted.
    async fn send(
        &mut self,
        request: &Request,
        estimate: u64,
        until: Instant,
        usage: &mut Usage,
        notes: &mut Vec<String>,
    ) -> Result<Option<Value>, BrainError> {
        self.afford(estimate)?;
        let sent = match self.sender.send(request, until, self.reply_timeout).await {
            Ok(sent) => sent,
            Err(Failed { error, cost }) => {
                self.count_effort(&cost, usage);
                return Err(error);
            }
        };
        self.count_effort(&sent.cost, usage);
        notes.extend(sent.cost.notes);
        match sent.body {
            Body::Json(body) => Ok(Some(body)),
            Body::Events(events) => match self.provider.assemble(&events) {
                Ok(body) => Ok(Some(body)),
                Err(why) => {
                    notes.push(format!("{why}; asked again"));
                    Ok(None)
                }
            },
        }
    }

    /// Asked before every request, those that are repeated included.
    fn afford(&self, estimate: u64) -> Result<(), BrainError> {
        let Some(price) = self.price.as_ref().filter(|_| self.max_cost > 0.0) else { return Ok(()) };
        let tokens = Tokens { input: estimate, output: self.longest, ..Tokens::default() };
        let next = cost(price, &tokens);
        let spent = self.before + self.spent.cost_usd;
        if spent + next <= self.max_cost {
            return Ok(());
        }
        Err(BrainError::Budget(format!(
            "the next request would cost about ${next:.4}, and ${spent:.4} of ${:.4} are spent; hint: raise --max-cost",
            self.max_cost
        )))
    }

    fn count(&mut self, told: Tokens, usage: &mut Usage) {
        let tokens = Tokens {
            input: told.input.min(MOST_TOKENS),
            output: told.output.min(MOST_TOKENS),
            cache_read: told.cache_read.min(MOST_TOKENS),
            cache_write: told.cache_write.min(MOST_TOKENS),
        };
        let counted = Usage {
            input_tokens: tokens.input + tokens.cache_read + tokens.cache_write,
            output_tokens: tokens.output,
            cached_tokens: tokens.cache_read,
            cost_usd: self.price.as_ref().map(|price| cost(price, &tokens)).unwrap_or_default(),
            ..Usage::default()
        };
        self.longest = self.longest.max(tokens.output);
        *usage += counted;
        self.spent += counted;
    }

    fn count_effort(&mut self, effort: &Effort, usage: &mut Usage) {
        let counted = Usage { requests: effort.requests, bytes_sent: effort.bytes_sent, ..Usage::default() };
        *usage += counted;
        self.spent += counted;
    }
}

/// What an answer took that could not be read as one: it is paid for all the same. The names are those of all APIs.
fn tokens_in(body: &Value) -> Tokens {
    let usage = body.get("usage").or_else(|| body.get("usageMetadata")).unwrap_or(&Value::Null);
    let number = |names: [&str; 3]| names.iter().find_map(|name| usage.get(name)?.as_u64()).unwrap_or_default();
    Tokens {
        input: number(["input_tokens", "prompt_tokens", "promptTokenCount"]),
        output: number(["output_tokens", "completion_tokens", "candidatesTokenCount"]),
        ..Tokens::default()
    }
}

fn foreign(why: &str, sender: &Sender) -> BrainError {
    BrainError::Transport(format!(
        "{} answered, but not as this API does: {why}; hint: check the brain's kind and its base address",
        sender.server().base
    ))
}
