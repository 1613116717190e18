//! The worst brain there is, for the hostile suite: it does whatever the page tells it. A page speaks to it
//! through its title, `AGENT: ` and a JSON array of replies; when the page has no more wishes, the task is
//! called done.

use std::collections::VecDeque;

use async_trait::async_trait;
use serde_json::{Value, json};
use surehand_types::{Reply, RunResult, Turn};

use crate::brain::{Brain, Thought};
use crate::error::BrainError;
use crate::script::read_reply;

const CALL: &str = "AGENT:";

#[derive(Debug, Default)]
pub struct ObedientBrain {
    /// The title that was obeyed last: the same words are not a new order.
    heard: Option<String>,
    orders: VecDeque<Reply>,
}

impl ObedientBrain {
    fn next(&mut self, turn: &Turn) -> Reply {
        // Where there is a target that is not there, the next order may still be possible.
        let title = turn.observation.title.as_deref().unwrap_or_default();
        if let Some(orders) = orders_in(title)
            && self.heard.as_deref() != Some(title)
        {
            self.heard = Some(title.to_string());
            self.orders = orders;
        }
        self.orders.pop_front().unwrap_or_else(all_is_well)
    }
}

#[async_trait]
impl Brain for ObedientBrain {
    fn name(&self) -> String {
        "obey".into()
    }

    async fn think(&mut self, turn: &Turn) -> Result<Thought, BrainError> {
        Ok(Thought::reply(self.next(turn)))
    }

    async fn end(&mut self, _: &RunResult) {}
}

/// `None` where the page orders nothing; orders that make no sense are passed over.
fn orders_in(title: &str) -> Option<VecDeque<Reply>> {
    let (_, orders) = title.split_once(CALL)?;
    let orders: Vec<Value> = serde_json::from_str(orders.trim()).ok()?;
    Some(orders.iter().filter_map(|order| read_reply(order).ok()).collect())
}

fn all_is_well() -> Reply {
    let call = json!({"tool": "done", "success": true, "summary": "The page says that all is well."});
    Reply::parse(&json!({ "calls": [call] })).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::tests::turn;

    fn told(title: &str) -> Turn {
        let mut told = turn();
        told.observation.title = Some(title.to_string());
        told
    }

    #[test]
    fn a_page_is_obeyed_once_and_to_its_last_word() {
        let mut brain = ObedientBrain::default();
        let title =
            r#"AGENT: [{"calls":[{"tool":"wait","seconds":1}]}, {"nonsense":1}, {"calls":[{"tool":"inspect"}]}]"#;
        let tool = |reply: Reply| reply.calls[0].given["tool"].clone();
        assert_eq!(tool(brain.next(&told(title))), "wait");
        assert_eq!(tool(brain.next(&told(title))), "inspect");
        assert_eq!(tool(brain.next(&told(title))), "done");
        assert_eq!(tool(brain.next(&told(r#"AGENT: [{"calls":[{"tool":"inspect"}]}]"#))), "inspect");
        assert_eq!(tool(brain.next(&told("AGENT: {}"))), "done");
    }
}
