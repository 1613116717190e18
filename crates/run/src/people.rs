//! People beside the run: whom a brain may ask something that only a person knows, such as a one-time code.

use async_trait::async_trait;

/// Longest answer that is taken, in characters.
pub(crate) const ANSWER_CAP: usize = 2000;

#[async_trait]
pub trait People: Send {
    /// The answer, or one sentence about why there is none. Bounded in time.
    async fn ask(&mut self, question: &str) -> Result<String, String>;
}

/// Nobody is there.
#[derive(Debug, Clone, Copy)]
pub struct Nobody;

#[async_trait]
impl People for Nobody {
    async fn ask(&mut self, _question: &str) -> Result<String, String> {
        Err("nobody is there to answer".into())
    }
}
