//! Who may ask, and for what: bearer tokens with scopes and limits. Without a token file everybody who can reach a
//! loopback address may do everything; any other address needs tokens.

use std::collections::HashMap;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use surehand_checks::before::allowlist::Allowlist;

/// Largest token file, in bytes.
const FILE_CAP: u64 = 1024 * 1024;

/// Shortest token that is taken: anything less can be guessed.
const SHORTEST_TOKEN: usize = 20;

/// What a caller may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Scope {
    /// Look at runs.
    Read,
    /// Ask for runs.
    Run,
    /// Pause, answer, approve, take over.
    Control,
    /// Runs in which nobody is asked about risky actions.
    Unattended,
    /// Change settings of the instance.
    Admin,
}

impl Scope {
    pub(crate) const ALL: [Scope; 5] = [Scope::Read, Scope::Run, Scope::Control, Scope::Unattended, Scope::Admin];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Run => "run",
            Scope::Control => "control",
            Scope::Unattended => "unattended",
            Scope::Admin => "admin",
        }
    }
}

/// Whoever asks.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) name: String,
    pub(crate) scopes: Vec<Scope>,
    /// Hosts that its runs may reach; empty: any.
    pub(crate) domains: Vec<String>,
    /// Sessions, with the logins in them, that its runs may use; `None`: any.
    pub(crate) sessions: Option<Vec<String>>,
    /// How many of its runs may wait or run at once.
    pub(crate) max_runs: Option<u32>,
    /// Sees its own runs only.
    pub(crate) own_runs_only: bool,
    /// Where nobody needs one, whoever asks has none.
    pub(crate) has_token: bool,
}

impl Caller {
    /// For a sentence about what it may not.
    pub(crate) fn who(&self) -> String {
        match self.has_token {
            true => format!("the token {:?}", self.name),
            false => "whoever asks here".into(),
        }
    }

    pub(crate) fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TokenFileProblem(String);

/// Who is let in.
#[derive(Debug)]
pub struct Access {
    /// `None`: there are no tokens, and everybody is let in.
    tokens: Option<Vec<Token>>,
    spent: Mutex<HashMap<String, Bucket>>,
}

#[derive(Debug)]
struct Token {
    hash: [u8; 32],
    caller: Caller,
    per_minute: Option<u32>,
}

/// Requests that may still be made at once; it fills up again with time.
#[derive(Debug)]
struct Bucket {
    left: f64,
    at: Instant,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    NoToken,
    WrongToken,
    /// Try again in so many seconds.
    TooOften(u64),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenFile {
    token: Vec<TokenEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenEntry {
    name: String,
    /// SHA-256 of the token, as hex.
    sha256: String,
    scopes: Vec<Scope>,
    #[serde(default)]
    requests_per_minute: Option<u32>,
    #[serde(default)]
    max_runs: Option<u32>,
    #[serde(default)]
    domains: Vec<String>,
    #[serde(default)]
    sessions: Vec<String>,
    #[serde(default)]
    own_runs_only: bool,
}

impl Access {
    /// For a loopback address without a token file.
    pub fn open() -> Access {
        Access { tokens: None, spent: Mutex::default() }
    }

    /// Reads the token file. Nobody but its owner may be able to.
    pub fn from_file(file: &Path) -> Result<Access, TokenFileProblem> {
        use std::os::unix::fs::PermissionsExt as _;
        let problem = |why: String| TokenFileProblem(format!("the token file {} {why}", file.display()));
        let data = std::fs::metadata(file).map_err(|error| problem(format!("cannot be read: {error}")))?;
        if data.permissions().mode() & 0o077 != 0 {
            return Err(problem(format!("can be read by others\nhint: chmod 600 {}", file.display())));
        }
        if data.len() > FILE_CAP {
            return Err(problem(format!("is larger than {FILE_CAP} bytes")));
        }
        let text = std::fs::read_to_string(file).map_err(|error| problem(format!("cannot be read: {error}")))?;
        Access::from_text(&text).map_err(problem)
    }

    fn from_text(text: &str) -> Result<Access, String> {
        let hint = "hint: `surehand serve --new-token NAME` prints an entry to start from";
        let file: TokenFile =
            toml::from_str(text).map_err(|error| format!("is not as it should be: {}\n{hint}", error.message()))?;
        let mut tokens: Vec<Token> = Vec::new();
        for entry in file.token {
            let hash = unhex(&entry.sha256)
                .ok_or_else(|| format!("has a token {:?} whose sha256 is not 64 hex digits\n{hint}", entry.name))?;
            if entry.name.trim().is_empty() || entry.name.chars().any(char::is_control) {
                return Err(format!("has a token without a usable name\n{hint}"));
            }
            if tokens.iter().any(|known| known.caller.name == entry.name) {
                return Err(format!("has two tokens of the name {:?}\n{hint}", entry.name));
            }
            Allowlist::parse(&entry.domains)
                .map_err(|why| format!("has a token {:?} whose domains cannot be used: {why}", entry.name))?;
            tokens.push(Token {
                hash,
                caller: Caller {
                    name: entry.name,
                    scopes: entry.scopes,
                    domains: entry.domains,
                    sessions: Some(entry.sessions),
                    max_runs: entry.max_runs,
                    own_runs_only: entry.own_runs_only,
                    has_token: true,
                },
                per_minute: entry.requests_per_minute,
            });
        }
        if tokens.is_empty() {
            return Err(format!("names no token\n{hint}"));
        }
        Ok(Access { tokens: Some(tokens), spent: Mutex::default() })
    }

    /// How many runs a token may have under way.
    pub(crate) fn most_runs_of(&self, name: &str) -> Option<u32> {
        self.tokens.iter().flatten().find(|token| token.caller.name == name)?.caller.max_runs
    }

    /// Whether requests need a token.
    pub(crate) fn has_tokens(&self) -> bool {
        self.tokens.is_some()
    }

    /// Whether an address may be listened on.
    pub fn allows_bind(&self, address: IpAddr) -> bool {
        self.tokens.is_some() || address.is_loopback()
    }

    /// Who it is. All tokens are compared, and each comparison takes the same time, so that nothing can be learned from
    /// how long a refusal takes.
    pub(crate) fn caller(&self, bearer: Option<&str>, now: Instant) -> Result<Caller, Refusal> {
        let Some(tokens) = &self.tokens else { return Ok(local()) };
        let given = bearer.ok_or(Refusal::NoToken)?;
        let hash: [u8; 32] = Sha256::digest(given.as_bytes()).into();
        let mut found = None;
        for token in tokens {
            let differing = token.hash.iter().zip(&hash).fold(0_u8, |sum, (one, other)| sum | (one ^ other));
            if std::hint::black_box(differing) == 0 && given.len() >= SHORTEST_TOKEN {
                found = Some(token);
            }
        }
        let token = found.ok_or(Refusal::WrongToken)?;
        if let Some(per_minute) = token.per_minute {
            self.spend(&token.caller.name, per_minute, now)?;
        }
        Ok(token.caller.clone())
    }

    fn spend(&self, name: &str, per_minute: u32, now: Instant) -> Result<(), Refusal> {
        let most = f64::from(per_minute.max(1));
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = spent.entry(name.to_string()).or_insert(Bucket { left: most, at: now });
        let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
        bucket.left = (bucket.left + passed * most / 60.0).min(most);
        bucket.at = now;
        if bucket.left < 1.0 {
            let seconds = ((1.0 - bucket.left) * 60.0 / most).ceil().max(1.0);
            return Err(Refusal::TooOften(seconds as u64));
        }
        bucket.left -= 1.0;
        Ok(())
    }
}

fn local() -> Caller {
    Caller {
        name: "local".into(),
        scopes: Scope::ALL.to_vec(),
        domains: Vec::new(),
        sessions: None,
        max_runs: None,
        own_runs_only: false,
        has_token: false,
    }
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    let mut bytes = [0; 32];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(index * 2..index * 2 + 2)?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const TOKEN: &str = "sh_0123456789abcdefghij";

    fn access(extra: &str) -> Result<Access, String> {
        let hash: String = Sha256::digest(TOKEN.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        Access::from_text(&format!(
            "[[token]]\nname = \"ci\"\nsha256 = \"{hash}\"\nscopes = [\"read\", \"run\"]\n{extra}"
        ))
    }

    #[test]
    fn only_the_right_token_is_let_in_and_with_its_scopes_alone() {
        let access = access("").unwrap();
        let now = Instant::now();
        let caller = access.caller(Some(TOKEN), now).unwrap();
        assert!(caller.may(Scope::Run) && !caller.may(Scope::Admin));
        assert_eq!(access.caller(None, now).unwrap_err(), Refusal::NoToken);
        for wrong in ["", "sh_0123456789abcdefghiJ", "Bearer", &TOKEN[1..], &format!("{TOKEN} ")] {
            assert_eq!(access.caller(Some(wrong), now).unwrap_err(), Refusal::WrongToken, "{wrong}");
        }
    }

    #[test]
    fn without_tokens_only_a_loopback_address_may_be_listened_on() {
        let open = Access::open();
        for (address, allowed) in [("127.0.0.1", true), ("::1", true), ("0.0.0.0", false), ("192.168.1.2", false)] {
            assert_eq!(open.allows_bind(address.parse().unwrap()), allowed, "{address}");
            assert!(access("").unwrap().allows_bind(address.parse().unwrap()));
        }
    }

    #[test]
    fn a_token_may_ask_so_often_and_again_later() {
        let access = access("requests_per_minute = 2").unwrap();
        let now = Instant::now();
        assert!(access.caller(Some(TOKEN), now).is_ok());
        assert!(access.caller(Some(TOKEN), now).is_ok());
        assert_eq!(access.caller(Some(TOKEN), now).unwrap_err(), Refusal::TooOften(30));
        assert!(access.caller(Some(TOKEN), now + Duration::from_secs(31)).is_ok());
    }

    #[test]
    fn a_token_file_that_is_wrong_is_named_in_one_sentence() {
        for (text, expected) in [
            ("", "missing field `token`"),
            ("token = []", "names no token"),
            ("[[token]]\nname = \"a\"\nsha256 = \"00\"\nscopes = []", "64 hex digits"),
            ("[[token]]\nname = \"a\"\nsha256 = \"00\"\nscopes = [\"god\"]", "unknown variant"),
            ("[[token]]\nname = \"a\"\npassword = \"00\"\nscopes = []", "unknown field"),
            ("\u{0}garbage", "not as it should be"),
        ] {
            let error = Access::from_text(text).unwrap_err();
            assert!(error.contains(expected) && error.contains("hint: "), "{text:?}: {error}");
        }
        let error = access(&std::format!("[[token]]\nname = \"ci\"\nsha256 = \"{}\"\nscopes = []", "0".repeat(64)));
        assert!(error.unwrap_err().contains("two tokens"));
    }
}
