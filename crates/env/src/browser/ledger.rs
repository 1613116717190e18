//! The account of a run's downloads: which are under way, how many there were, and how much room the
//! kept ones take. It only decides; cancelling and telling is the pump's work.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// What the downloads of one run may take together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DownloadLimits {
    pub bytes: u64,
    pub count: u32,
    /// How long one may take.
    pub deadline: Duration,
}

impl Default for DownloadLimits {
    fn default() -> Self {
        DownloadLimits { bytes: 200_000_000, count: 100, deadline: Duration::from_secs(300) }
    }
}

/// So many refusals are told one by one; the rest would only be noise.
const TOLD: u32 = 200;

#[derive(Debug, Default)]
pub(crate) struct DownloadLedger {
    open: HashMap<String, Open>,
    begun: u32,
    kept: u64,
    told: u32,
}

#[derive(Debug)]
struct Open {
    name: String,
    /// What it takes now, or will take as far as the site says.
    bytes: u64,
    since: Instant,
}

impl DownloadLedger {
    /// Notes one that begins; the reason if it may not.
    pub(crate) fn begin(&mut self, guid: &str, name: String, limits: &DownloadLimits) -> Option<String> {
        self.begun = self.begun.saturating_add(1);
        if !is_guid(guid) {
            return Some("the browser gave it an odd name".into());
        }
        if self.begun > limits.count {
            return Some(format!("a run may download {} files (download_limit)", limits.count));
        }
        self.open.insert(guid.to_string(), Open { name, bytes: 0, since: Instant::now() });
        None
    }

    /// Notes how large it is so far, or will be. Past the cap it is forgotten: its name and the reason.
    pub(crate) fn progress(&mut self, guid: &str, bytes: u64, limits: &DownloadLimits) -> Option<(String, String)> {
        let known = self.open.get_mut(guid)?;
        known.bytes = known.bytes.max(bytes);
        let all = self.open.values().fold(self.kept, |sum, open| sum.saturating_add(open.bytes));
        (all > limits.bytes).then(|| self.open.remove(guid)).flatten().map(|open| (open.name, too_much(limits)))
    }

    /// Notes one that was completed; the reason if there is no room for it.
    pub(crate) fn keep(&mut self, bytes: u64, limits: &DownloadLimits) -> Option<String> {
        let all = self.kept.saturating_add(bytes);
        if all > limits.bytes {
            return Some(too_much(limits));
        }
        self.kept = all;
        None
    }

    /// How many have begun, refused ones included.
    pub(crate) fn begun(&self) -> u32 {
        self.begun
    }

    /// Whether one is under way that began within this time.
    pub(crate) fn has_young(&self, age: Duration) -> bool {
        self.open.values().any(|open| open.since.elapsed() < age)
    }

    /// Its name, if it was under way.
    pub(crate) fn forget(&mut self, guid: &str) -> Option<String> {
        self.open.remove(guid).map(|open| open.name)
    }

    pub(crate) fn forget_all(&mut self) -> Vec<(String, String)> {
        self.open.drain().map(|(guid, open)| (guid, open.name)).collect()
    }

    pub(crate) fn may_tell(&mut self) -> bool {
        self.told = self.told.saturating_add(1);
        self.told <= TOLD
    }
}

/// The browser's own names for files under way; nothing else becomes a path.
pub(crate) fn is_guid(text: &str) -> bool {
    let hex = |c: u8| c.is_ascii_hexdigit() || c == b'-';
    text.len() >= 32 && text.len() <= 40 && text.bytes().all(hex)
}

fn too_much(limits: &DownloadLimits) -> String {
    format!("the downloads of a run may have {} MB (download_cap_mb)", limits.bytes / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "00000000-0000-0000-0000-00000000000a";
    const B: &str = "00000000-0000-0000-0000-00000000000b";

    fn limits() -> DownloadLimits {
        DownloadLimits { bytes: 1000, count: 2, ..DownloadLimits::default() }
    }

    #[test]
    fn the_cap_holds_for_all_of_them_together() {
        let mut ledger = DownloadLedger::default();
        assert_eq!(ledger.begin(A, "a".into(), &limits()), None);
        assert_eq!(ledger.begin(B, "b".into(), &limits()), None);
        assert_eq!(ledger.progress(A, 600, &limits()), None);
        let (name, reason) = ledger.progress(B, 401, &limits()).unwrap();
        assert_eq!(name, "b");
        assert!(reason.contains("download_cap_mb"), "{reason}");
        assert_eq!(ledger.progress(B, 402, &limits()), None, "it is not told twice");
        assert_eq!((ledger.forget(A).as_deref(), ledger.keep(600, &limits())), (Some("a"), None));
        assert!(ledger.keep(401, &limits()).is_some());
        assert_eq!(ledger.keep(400, &limits()), None);
    }

    #[test]
    fn there_are_only_so_many_and_only_with_names_of_the_browsers() {
        let mut ledger = DownloadLedger::default();
        for guid in ["../../x", "", "a", &"a".repeat(41), "00000000-0000-0000-0000-0000000000/a"] {
            assert!(ledger.begin(guid, "x".into(), &DownloadLimits::default()).is_some(), "{guid}");
        }
        let mut ledger = DownloadLedger::default();
        assert_eq!(ledger.begin(A, "a".into(), &limits()), None);
        assert_eq!(ledger.begin(B, "b".into(), &limits()), None);
        assert!(ledger.begin(A, "c".into(), &limits()).unwrap().contains("download_limit"));
        assert_eq!(ledger.forget_all().len(), 2);
    }
}
