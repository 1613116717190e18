//! What was refused since somebody last asked: counted, each address once, and bounded, since a page may ask for
//! as many addresses as it likes.

use std::sync::{Mutex, PoisonError};

use surehand_checks::before::allowlist::{Refusal, Refused};

/// Addresses that are kept apart; the rest is only counted, by host.
const KEPT: usize = 40;
const LONGEST: usize = 500;

#[derive(Debug, Default)]
pub(crate) struct RefusalLog {
    refused: Mutex<Vec<Refused>>,
}

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Page,
    Part,
}

impl RefusalLog {
    pub(crate) fn note(&self, url: &str, refusal: Refusal, wanted: Wanted) {
        let url: String = url.chars().take(LONGEST).collect();
        tracing::info!(url, reason = refusal.reason, "refused by the allowlist");
        let document = wanted == Wanted::Page;
        let mut list = self.lock();
        let full = list.len() >= KEPT;
        let position = list
            .iter()
            .position(|known| known.url == url)
            .or_else(|| list.iter().position(|known| full && known.host == refusal.host))
            .or_else(|| full.then_some(KEPT - 1));
        match position.and_then(|at| list.get_mut(at)) {
            Some(known) => {
                known.count += 1;
                known.document |= document;
            }
            None => list.push(Refused { url, host: refusal.host, reason: refusal.reason, count: 1, document }),
        }
    }

    /// A tab stands at a refused address. Its request was refused before; what is known of that one is completed,
    /// so that it does not count twice.
    pub(crate) fn note_page(&self, url: &str, refusal: Refusal) {
        let mut list = self.lock();
        if let Some(known) = list.iter_mut().find(|known| known.host == refusal.host && known.reason == refusal.reason)
        {
            known.document = true;
            known.url = url.chars().take(LONGEST).collect();
            return;
        }
        drop(list);
        self.note(url, refusal, Wanted::Page);
    }

    pub(crate) fn peek(&self) -> Vec<Refused> {
        self.lock().clone()
    }

    pub(crate) fn take(&self) -> Vec<Refused> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Refused>> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(host: &str) -> Refusal {
        Refusal { host: host.into(), reason: format!("host {host} is not listed") }
    }

    #[test]
    fn each_address_once_counted_and_never_without_end() {
        let log = RefusalLog::default();
        for _ in 0..3 {
            log.note("http://a.test/", refusal("a.test"), Wanted::Part);
        }
        for number in 0..10_000 {
            log.note(&format!("http://b.test/{number}"), refusal("b.test"), Wanted::Part);
        }
        for number in 0..10_000 {
            log.note("http://c.test/", refusal(&format!("c{number}.test")), Wanted::Page);
        }
        let refused = log.take();
        assert_eq!(refused.len(), KEPT);
        assert_eq!(refused[0].count, 3);
        assert_eq!(refused.iter().map(|refused| refused.count).sum::<u64>(), 20_003);
        assert!(log.take().is_empty());
    }

    #[test]
    fn a_page_that_could_not_be_reached_is_one_refusal() {
        let log = RefusalLog::default();
        log.note("a.test:443", refusal("a.test"), Wanted::Part);
        log.note_page("https://a.test/login", refusal("a.test"));
        log.note_page("blob:http://x/", refusal("blob:"));
        let refused = log.take();
        assert_eq!(refused.len(), 2);
        assert_eq!((refused[0].url.as_str(), refused[0].count, refused[0].document), ("https://a.test/login", 1, true));
    }
}
