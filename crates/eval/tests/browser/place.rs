//! A data folder and a store for one test.

use surehand_conduct::BrowserChoice;
use surehand_eval::Suite;
use surehand_store::{DataDir, Store};
use tokio_util::sync::CancellationToken;

pub(crate) struct Place {
    pub(crate) suite: Suite,
    pub(crate) store: Store,
    pub(crate) choice: BrowserChoice,
    pub(crate) cancel: CancellationToken,
    // After the store, which still writes into it while it is dropped.
    _folder: tempfile::TempDir,
}

impl Place {
    pub(crate) async fn new(suite: &str) -> Place {
        let folder = tempfile::Builder::new().prefix("sheval-").tempdir().unwrap();
        let store = Store::open(&DataDir::open(folder.path()).unwrap()).await.unwrap();
        Place {
            suite: Suite::load(suite).unwrap(),
            store,
            choice: BrowserChoice::default(),
            cancel: CancellationToken::new(),
            _folder: folder,
        }
    }

    pub(crate) fn stage(&self) -> surehand_eval::Stage<'_> {
        surehand_eval::Stage { suite: &self.suite, store: &self.store, choice: &self.choice, cancel: &self.cancel }
    }
}
