//! `surehand policy`: the rules that every call has to pass, shown, checked and explained.

use std::path::Path;

use serde_json::json;
use surehand_checks::before::policy::{
    BUILTIN, Judgement, KnownOrigins, LookedAt, Policy, PolicyProblem, Query, Verdict,
};
use surehand_checks::before::{Aim, Deed, OpenDialog, Paste};
use surehand_conduct::policy_text;
use surehand_types::observation::DialogKind;
use surehand_types::{Call, Dialog, Settings};

use crate::args::{PolicyArguments, PolicyCommand, PolicyExplain};
use crate::exit::Failure;
use crate::output::{say, write};

pub(crate) fn policy(arguments: PolicyArguments, settings: &Settings) -> Result<i32, Failure> {
    match arguments.command {
        PolicyCommand::Show => {
            write(format_args!("{BUILTIN}"));
            Ok(0)
        }
        PolicyCommand::Check { file, json } => check(&file, json),
        PolicyCommand::Explain(explain) => explained(&explain, settings),
    }
}

fn check(file: &Path, as_json: bool) -> Result<i32, Failure> {
    let checked = Policy::of(&policy_text(file)?);
    let problems: &[PolicyProblem] = checked.as_ref().err().map(Vec::as_slice).unwrap_or_default();
    let (own, all) = checked.as_ref().map(Policy::count).unwrap_or_default();
    if as_json {
        let problems: Vec<_> = problems.iter().map(|one| json!({"line": one.line, "message": one.message})).collect();
        say!("{}", json!({"ok": checked.is_ok(), "rules": own, "with_built_in": all, "problems": problems}));
    } else if checked.is_ok() {
        let rules = if own == 1 { "1 rule".to_string() } else { format!("{own} rules") };
        say!("ok: {rules}, {all} with the built-in ones");
    } else {
        for problem in problems {
            eprintln!("surehand: {}: {problem}", file.display());
        }
    }
    Ok(if checked.is_ok() { 0 } else { 2 })
}

fn explained(explain: &PolicyExplain, settings: &Settings) -> Result<i32, Failure> {
    let file = explain.policy.clone().or_else(|| settings.optional_text("policy").map(Into::into));
    let policy = match &file {
        None => Policy::builtin(),
        Some(file) => Policy::of(&policy_text(file)?).map_err(|problems| {
            let first = problems.first().map(ToString::to_string).unwrap_or_default();
            let shown = file.display();
            Failure::usage(format!(
                "{shown}: {first}\nhint: surehand policy check {shown} names everything that is wrong"
            ))
        })?,
    };
    let call = call(&explain.call)?;
    let aim = aim(explain)?;
    let allowed: Vec<String> = settings.text("allow").split([',', ' ']).map(str::to_string).collect();
    let known = KnownOrigins::new(explain.start_url.as_deref().or(Some(&explain.url)), &allowed);
    let query = Query { call: &call, aim: &aim, url: Some(&explain.url), opener: aim.deed.as_ref(), known: &known };
    let (judged, looked_at) = policy.explain(&query);
    if explain.json {
        say!("{}", as_json(&judged, &looked_at));
    } else {
        print(&judged, &looked_at);
    }
    Ok(0)
}

fn call(text: &str) -> Result<Call, Failure> {
    let hint = "hint: a call is like {\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[512,300]}";
    let value =
        serde_json::from_str(text).map_err(|error| Failure::usage(format!("the call is not JSON: {error}\n{hint}")))?;
    Ok(Call::parse(&value).map_err(|problem| Failure::usage(format!("{}\n{hint}", problem.message)))?.call)
}

/// What the page would have said, from the few words that were given.
fn aim(explain: &PolicyExplain) -> Result<Aim, Failure> {
    let deed = match &explain.target {
        Some(target) => named(target)?,
        None => Deed::default(),
    };
    let origin = surehand_checks::before::policy::Origin::of(&explain.url).map(|origin| origin.to_string());
    let deed = Deed { origin, submits: explain.submits, navigates: explain.navigates, ..deed };
    let dialog = explain.dialog.as_ref().map(|message| OpenDialog {
        dialog: Dialog { r#type: DialogKind::Confirm, message: message.clone(), default: None, handled: None },
        tab: "t1".into(),
    });
    let pastes = explain.pastes_secret.then(|| Paste { origin: deed.origin.clone(), ..Paste::default() });
    Ok(Aim { deed: Some(deed), dialog, pastes, ..Aim::default() })
}

/// `button "Pay now"`: a role and a name in quotation marks.
fn named(target: &str) -> Result<Deed, Failure> {
    let (role, name) = match target.trim().split_once('"') {
        Some((role, name)) => (role.trim(), name.trim_end_matches('"')),
        None => (target.trim(), ""),
    };
    if role.contains(char::is_whitespace) {
        return Err(Failure::usage("--target wants a role and a name\nhint: --target 'button \"Pay now\"'"));
    }
    let role = (!role.is_empty() && role != "none").then(|| role.to_lowercase());
    Ok(Deed { role, name: name.to_string(), descriptor: target.trim().to_string(), ..Deed::default() })
}

fn as_json(judged: &Judgement, looked_at: &[LookedAt]) -> serde_json::Value {
    let rules: Vec<_> = looked_at
        .iter()
        .map(|one| json!({"rule": one.rule, "decision": one.verdict.as_str(), "failed": one.failed}))
        .collect();
    json!({"decision": judged.verdict.as_str(), "rule": judged.rule, "reason": judged.reason, "looked_at": rules})
}

fn print(judged: &Judgement, looked_at: &[LookedAt]) {
    let meaning = match judged.verdict {
        Verdict::Allow => "the call is made",
        Verdict::Confirm => "a person has to agree, unless --confirm none",
        Verdict::Deny => "the call is not made",
    };
    say!("{}: {meaning}", judged.verdict.as_str());
    say!("  rule    {}", judged.rule);
    say!("  reason  {}", judged.reason);
    say!("rules that were looked at, in order:");
    for one in looked_at {
        match one.failed {
            Some(condition) => say!("  {:<18} no: {condition}", one.rule),
            None => say!("  {:<18} yes", one.rule),
        }
    }
    if looked_at.iter().all(|one| one.failed.is_some()) {
        say!("  {:<18} yes", judged.rule);
    }
}
