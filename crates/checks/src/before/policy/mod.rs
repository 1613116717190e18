//! The policy: whether a call may be made, by rules that a person wrote. A pure function of the call and of
//! facts about the page; it asks nobody, and no request can switch it off.

mod facts;
mod look_alike;
mod names;
mod origin;
mod parse;
mod rule;
mod words;

pub use facts::{Query, may_paste, may_press};
pub use origin::{KnownOrigins, Origin};
pub use parse::{FILE_CAP, PolicyProblem};

use self::facts::Facts;
use self::origin::OriginPattern;
use self::parse::parse;
use self::rule::Rule;

/// The policy that holds where nobody wrote another one.
pub const BUILTIN: &str = include_str!("default.toml");

/// The rule that is named where no other one applied.
pub const DEFAULT_RULE: &str = "default";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Allow,
    /// A person has to agree.
    Confirm,
    Deny,
}

/// What the policy says about one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    pub verdict: Verdict,
    /// The id of the rule that decided, or `default`.
    pub rule: String,
    pub reason: String,
}

/// A rule that was looked at on the way to a judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookedAt {
    pub rule: String,
    pub verdict: Verdict,
    /// The first condition that did not hold; `None` for the rule that decided.
    pub failed: Option<&'static str>,
}

#[derive(Debug, Clone)]
pub struct Policy {
    rules: Vec<Rule>,
    default: Verdict,
    trusted: Vec<OriginPattern>,
    /// How many of the rules are the user's own.
    own: usize,
}

impl Verdict {
    pub fn parse(name: &str) -> Option<Verdict> {
        match name {
            "allow" => Some(Verdict::Allow),
            "confirm" => Some(Verdict::Confirm),
            "deny" => Some(Verdict::Deny),
            _ => None,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Allow => "allow",
            Verdict::Confirm => "confirm",
            Verdict::Deny => "deny",
        }
    }
}

impl Policy {
    pub fn builtin() -> Policy {
        // Were our own file broken, everything would need a person: never less than it should be.
        Policy::of("").unwrap_or(Policy { rules: Vec::new(), default: Verdict::Confirm, trusted: Vec::new(), own: 0 })
    }

    /// The rules of a file before the built-in ones. The problems are sentences, in the order of the file.
    pub fn of(text: &str) -> Result<Policy, Vec<PolicyProblem>> {
        let builtin = parse(BUILTIN, &Default::default())?;
        let own = parse(text, &builtin.words)?;
        // Lists of the file replace those of the same name, also where the built-in rules use them.
        let builtin = if own.words == builtin.words { builtin } else { parse(&without_words(BUILTIN), &own.words)? };
        let replaced = |rule: &Rule| own.rules.iter().any(|own| own.id == rule.id);
        let count = own.rules.len();
        let rest = builtin.rules.into_iter().filter(|rule| !replaced(rule)).collect::<Vec<_>>();
        Ok(Policy {
            rules: own.rules.into_iter().chain(rest).collect(),
            default: own.default.or(builtin.default).unwrap_or(Verdict::Allow),
            trusted: own.trusted.into_iter().chain(builtin.trusted).collect(),
            own: count,
        })
    }

    /// Rules of the user's own, and rules in all.
    pub fn count(&self) -> (usize, usize) {
        (self.own, self.rules.len())
    }

    pub fn judge(&self, query: &Query<'_>) -> Judgement {
        let facts = Facts::of(query, &self.trusted);
        match self.rules.iter().find(|rule| rule.fails_by(&facts).is_none()) {
            Some(rule) => rule.judgement(),
            None => self.fallback(),
        }
    }

    /// The same, with every rule that was looked at.
    pub fn explain(&self, query: &Query<'_>) -> (Judgement, Vec<LookedAt>) {
        let facts = Facts::of(query, &self.trusted);
        let mut looked_at = Vec::new();
        for rule in &self.rules {
            let failed = rule.fails_by(&facts);
            looked_at.push(LookedAt { rule: rule.id.clone(), verdict: rule.decision, failed });
            if failed.is_none() {
                return (rule.judgement(), looked_at);
            }
        }
        (self.fallback(), looked_at)
    }

    fn fallback(&self) -> Judgement {
        Judgement { verdict: self.default, rule: DEFAULT_RULE.into(), reason: "no rule speaks of it".into() }
    }
}

impl Rule {
    fn judgement(&self) -> Judgement {
        Judgement { verdict: self.decision, rule: self.id.clone(), reason: self.reason.clone() }
    }
}

/// The built-in file without its own lists, so that others can take their place.
fn without_words(text: &str) -> String {
    let (head, rest) = text.split_once("\n[words]\n").unwrap_or((text, ""));
    let rules = rest.find("\n[[rule]]").map(|at| &rest[at..]).unwrap_or_default();
    format!("{head}\n{rules}")
}

#[cfg(test)]
mod label_tests;
#[cfg(test)]
mod tests;
