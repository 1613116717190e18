//! What a run could be gone on from if its process died: taken while the brain thinks, so that nobody waits for it.
//! Where brains answer at once there is no such moment, and now and then one is made, always before a person is asked,
//! who may take their time. While people hold the run it is
//! taken after each of their calls: who signs in by hand does not want to do so twice.

use std::time::{Duration, Instant};

use serde_json::Value;
use surehand_env::Environment;
use tokio::sync::watch;

/// A run is held up for this at most so often.
const SELDOM: Duration = Duration::from_secs(3);
/// A brain that answers so soon does not think.
const AT_ONCE: Duration = Duration::from_millis(20);
/// Time to ask the environment.
const PATIENCE: Duration = Duration::from_secs(2);

/// How an environment was at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Aside {
    /// Steps of the run by then.
    pub steps: u32,
    pub kept: Value,
}

/// Whoever keeps it gets the newest.
pub type Keeper = watch::Sender<Option<Aside>>;

#[derive(Debug)]
pub(crate) struct PutAside {
    steps: Option<u32>,
    /// When it was taken last; at first, when the run began.
    at: Instant,
}

impl Default for PutAside {
    fn default() -> PutAside {
        PutAside { steps: None, at: Instant::now() }
    }
}

impl PutAside {
    /// Whether it has to be done before the brain is asked.
    pub(crate) fn is_overdue(&self, steps: u32) -> bool {
        self.steps.is_none_or(|known| known < steps) && self.at.elapsed() > SELDOM
    }

    /// The same while the brain thinks; one that answers at once is not worth the question.
    pub(crate) async fn put_meanwhile(&mut self, keeper: &Keeper, env: &mut dyn Environment, steps: u32) {
        tokio::time::sleep(AT_ONCE).await;
        self.put(keeper, env, steps).await;
    }

    /// The page may have become another one without a step of the run.
    pub(crate) fn forget(&mut self) {
        self.steps = None;
    }

    /// Nothing where this step's moment is kept already. May be dropped at any time.
    pub(crate) async fn put(&mut self, keeper: &Keeper, env: &mut dyn Environment, steps: u32) {
        if self.steps == Some(steps) {
            return;
        }
        let asked = tokio::time::timeout(PATIENCE, env.keepsake()).await;
        // A page that does not answer is not asked at every turn.
        self.at = Instant::now();
        if let Ok(Some(kept)) = asked {
            keeper.send_replace(Some(Aside { steps, kept }));
            self.steps = Some(steps);
        }
    }
}
