//! A token file for a test, and requests in the name of its tokens.

use std::os::unix::fs::PermissionsExt as _;

use sha2::{Digest, Sha256};

use crate::bench::Bench;
use crate::service::{Reply, Service};

pub(crate) struct Tokens {
    pub(crate) file: String,
}

impl Tokens {
    /// Each with its name, its scopes and more lines.
    pub(crate) fn new(bench: &Bench, tokens: &[(&str, &str, &str)]) -> Tokens {
        let entry = |(name, scopes, more): &(&str, &str, &str)| {
            let hash: String = Sha256::digest(token(name)).iter().map(|byte| format!("{byte:02x}")).collect();
            format!("[[token]]\nname = \"{name}\"\nsha256 = \"{hash}\"\nscopes = [{scopes}]\n{more}\n")
        };
        let text: String = tokens.iter().map(entry).collect();
        let file = bench.write("tokens.toml", &text);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        Tokens { file: file.display().to_string() }
    }

    pub(crate) fn ask(&self, service: &Service, name: &str, method: &str, path: &str, body: &str) -> Reply {
        let bearer = format!("Bearer {}", token(name));
        service.ask(method, path, &[("content-type", "application/json"), ("authorization", &bearer)], body)
    }
}

pub(crate) fn token(name: &str) -> String {
    format!("sh_a-long-token-of-{name}")
}
