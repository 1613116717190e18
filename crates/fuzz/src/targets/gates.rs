//! Policy files and the allowlist.

use proptest::strategy::{BoxedStrategy, Strategy as _};
use surehand_checks::before::Aim;
use surehand_checks::before::allowlist::{Allowlist, entry_for};
use surehand_checks::before::policy::{KnownOrigins, Policy, Query};
use surehand_types::Call;

use crate::generate::{mutated_text, odd_text};
use crate::{Target, holds, is_sentence};

pub(super) const POLICIES: Target = Target { name: "policies", cases: 100, input: policies, check: check_policy };
pub(super) const ALLOWLISTS: Target =
    Target { name: "allowlists", cases: 300, input: allowlists, check: check_allowlist };

fn policies() -> BoxedStrategy<Vec<u8>> {
    mutated_text(POLICY_FILES)
}

const POLICY_FILES: &[&str] = &[
    "default = \"confirm\"\n[origins]\ntrusted = [\"example.com\", \"*.example.org:8443\"]\n",
    "[[rule]]\nid = \"no-pay\"\ndecision = \"deny\"\nreason = \"it pays\"\ntarget = [\"pay\", \"buy now\"]\n",
    "[[rule]]\nid = \"a\"\ndecision = \"confirm\"\nreason = \"r\"\ntool = \"mouse\"\naction = \"click\"\nrole = \"button\"\nsubmits = true\nunknown_origin = true\n",
    "[[rule]]\nid = \"b\"\ndecision = \"allow\"\nreason = \"r\"\nurl = [\"https://a.test/x\"]\norigin = \"a.test\"\ntext = [\"x\"]\nkey = \"Enter\"\n",
    "[[rule]]\nid = \"c\"\ndecision = \"deny\"\nreason = \"r\"\ndialog = [\"delete\"]\nuploads = true\nsecret = \"password\"\n",
    "[words]\npay = [\"pay\"]\n",
];

fn check_policy(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    match Policy::of(&text) {
        Ok(policy) => {
            let (own, all) = policy.count();
            holds(own <= all, || format!("{own} of {all} rules are the user's own"))?;
            judge(&policy)
        }
        Err(problems) => {
            holds(!problems.is_empty(), || "it was refused without a problem".into())?;
            let words: usize = problems.iter().map(|problem| problem.to_string().len()).sum();
            let most = 1000 + 20 * text.len().max(100);
            holds(words <= most, || format!("{words} bytes about a file of {}", text.len()))?;
            problems.iter().try_for_each(|problem| is_sentence(&problem.to_string()))
        }
    }
}

/// Every call gets a judgement with words to it.
fn judge(policy: &Policy) -> Result<(), String> {
    let known = KnownOrigins::new(Some("https://example.com/"), &[]);
    for call in CALLS {
        let value = serde_json::from_str(call).map_err(|error| format!("{call}: {error}"))?;
        let parsed = Call::parse(&value).map_err(|problem| format!("{call}: {}", problem.message))?;
        let aim = Aim::default();
        for url in [None, Some("https://example.com/pay"), Some("not a url")] {
            let query = Query { call: &parsed.call, aim: &aim, url, opener: None, known: &known };
            let judgement = policy.judge(&query);
            let (explained, looked_at) = policy.explain(&query);
            holds(judgement == explained, || format!("{judgement:?} is explained as {explained:?}"))?;
            holds(looked_at.len() <= policy.count().1, || format!("{} rules were looked at", looked_at.len()))?;
        }
    }
    Ok(())
}

const CALLS: &[&str] = &[
    r#"{"tool":"mouse","action":"click","coordinate":[1,1]}"#,
    r#"{"tool":"keyboard","action":"press","key":"Enter"}"#,
    r#"{"tool":"keyboard","action":"type","text":"<secret:password>\n"}"#,
    r#"{"tool":"dialog","dialog_action":"accept"}"#,
    r#"{"tool":"upload_file","paths":["a.txt"]}"#,
    r#"{"tool":"tab","action":"open","url":"https://other.test/"}"#,
];

const ADDRESSES: &[&str] = &[
    "https://example.com/",
    "http://example.com:80/a?b#c",
    "https://sub.example.org/",
    "http://user:example.com@evil.test/",
    "http://example.com.evil.test/",
    "http://evil.test/example.com",
    "http://example.com%2eevil.test/",
    "http://127.0.0.1:8080/",
    "http://0x7f.1:8080/",
    "http://[::ffff:127.0.0.1]:8080/",
    "wss://example.com/socket",
    "data:text/html,x",
    "blob:https://example.com/x",
    "javascript:location='//evil.test'",
    "view-source:https://example.com/",
    "https:example.com",
    "//example.com",
    "HTTPS://EXAMPLE.COM./",
    "https://еxample.com/",
    "about:blank",
    "about:srcdoc",
];

/// The list on the first line, addresses on the others.
fn allowlists() -> BoxedStrategy<Vec<u8>> {
    let lists = mutated_text(&["example.com *.example.org", "127.0.0.1:8080,http://a.test:81", "*", "[::1]:1", "*:80"]);
    let plain = proptest::prelude::Just(b"example.com *.example.org 127.0.0.1:8080".to_vec());
    let addresses = proptest::collection::vec(mutated_text(ADDRESSES), 1..5);
    let entry = odd_text().prop_map(String::into_bytes);
    (proptest::prop_oneof![3 => plain, 2 => lists, 1 => entry], addresses)
        .prop_map(|(list, addresses)| {
            let mut lines = vec![list];
            lines.extend(addresses);
            let one_line = |line: &Vec<u8>| line.iter().copied().filter(|byte| *byte != b'\n').collect::<Vec<u8>>();
            lines.iter().map(one_line).collect::<Vec<_>>().join(&b'\n')
        })
        .boxed()
}

fn check_allowlist(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let (list, addresses) = text.split_once('\n').unwrap_or((&text, ""));
    let known =
        Allowlist::parse_text("example.com *.example.org 127.0.0.1:8080").map_err(|sentence| sentence.clone())?;
    let given = match Allowlist::parse_text(list) {
        Ok(given) => Some(given),
        Err(sentence) => {
            is_sentence(&sentence)?;
            None
        }
    };
    for address in addresses.split('\n') {
        let _ = entry_for(address);
        for list in given.iter().chain([&known]) {
            for refusal in [list.document(address).err(), list.request(address).err()].into_iter().flatten() {
                is_sentence(&refusal.reason)?;
                holds(refusal.host.len() <= 400, || format!("a host of {} bytes", refusal.host.len()))?;
            }
        }
        if known.document(address).is_ok() {
            holds(is_known(address), || format!("{address:?} was let through"))?;
        }
    }
    Ok(())
}

/// The same question answered in the plainest way.
fn is_known(address: &str) -> bool {
    let Ok(url) = url::Url::parse(address) else { return false };
    if url.scheme() == "about" {
        return matches!(url.path(), "blank" | "srcdoc");
    }
    let host = url.host_str().unwrap_or_default().trim_end_matches('.').to_lowercase();
    let port = url.port_or_known_default().unwrap_or(0);
    let named = host == "example.com" || host == "example.org" || host.ends_with(".example.org");
    let web = matches!(url.scheme(), "http" | "https" | "ws" | "wss");
    web && (named && matches!(port, 80 | 443) || host == "127.0.0.1" && port == 8080)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_are_right() {
        for file in POLICY_FILES {
            assert!(Policy::of(file).is_ok(), "{file}: {:?}", Policy::of(file).err());
        }
    }
}
