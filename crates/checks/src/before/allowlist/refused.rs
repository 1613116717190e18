//! What was refused, gathered and put into the words that a brain is told.

/// An address that was refused, perhaps several times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// As far as it is known: of an encrypted connection only host and port are.
    pub url: String,
    pub host: String,
    pub reason: String,
    pub count: u64,
    /// A whole page was refused, rather than a part of one.
    pub document: bool,
}

/// One sentence for all of them; `None` when nothing was refused. Pages go first: a brain that went somewhere has
/// to know why it is not there.
pub fn in_words(refused: &[Refused]) -> Option<String> {
    let first = refused.iter().find(|refused| refused.document).or(refused.first())?;
    let mut words = format!("the allowlist refused {} ({})", shown_address(&first.url), first.reason);
    let others: u64 =
        refused.iter().map(|refused| refused.count).fold(0, u64::saturating_add).saturating_sub(first.count);
    if others > 0 {
        let mut hosts: Vec<&str> =
            refused.iter().filter(|other| !std::ptr::eq(*other, first)).map(|other| other.host.as_str()).collect();
        hosts.sort_unstable();
        hosts.dedup();
        words.push_str(&match (others, hosts.as_slice()) {
            (1, _) => " and 1 other request".to_string(),
            (others, [host]) => format!(" and {others} other requests to {host}"),
            (others, hosts) => format!(" and {others} other requests to {} hosts", hosts.len()),
        });
    }
    Some(words)
}

/// On one line and not too long, as an address may be made to be neither.
fn shown_address(url: &str) -> String {
    let mut shown: String = url.chars().filter(|c| !c.is_control()).take(200).collect();
    if url.chars().count() > 200 {
        shown.push('…');
    }
    shown
}
