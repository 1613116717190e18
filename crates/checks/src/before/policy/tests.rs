//! What the built-in policy makes of labelled targets, and how policies are read.

use serde_json::json;
use surehand_types::observation::{DialogHandled, DialogKind};
use surehand_types::{Call, Dialog, ViewBox, ViewPoint};

use super::*;
use crate::before::{Aim, Deed, Nearby, OpenDialog, Paste, Spot};

pub(super) const SHOP: &str = "https://shop.test/";

pub(super) fn deed(role: &str, name: &str) -> Deed {
    Deed {
        role: (role != "none").then(|| role.to_string()),
        name: name.into(),
        descriptor: format!("{role} {name:?}"),
        origin: Some("https://shop.test".into()),
        ..Deed::default()
    }
}

pub(super) fn call(value: serde_json::Value) -> Call {
    Call::parse(&value).unwrap().call
}

pub(super) fn click() -> Call {
    call(json!({"tool": "mouse", "action": "click", "coordinate": [500, 500]}))
}

pub(super) fn press(key: &str) -> Call {
    call(json!({"tool": "keyboard", "action": "press", "key": key}))
}

fn accept() -> Call {
    call(json!({"tool": "dialog", "dialog_action": "accept"}))
}

pub(super) fn judge(policy: &Policy, call: &Call, aim: &Aim, url: &str, opener: Option<&Deed>) -> Judgement {
    let known = KnownOrigins::new(Some(SHOP), &["*.partner.test".into()]);
    policy.judge(&Query { call, aim, url: Some(url), opener, known: &known })
}

/// The built-in rule that decides about a press.
pub(super) fn pressed(deed: Deed) -> String {
    let aim = Aim { deed: Some(deed), ..Aim::default() };
    judge(&Policy::builtin(), &click(), &aim, SHOP, None).rule
}

fn open_dialog(kind: DialogKind, message: &str) -> Aim {
    let dialog = Dialog { r#type: kind, message: message.into(), default: None, handled: None::<DialogHandled> };
    Aim { dialog: Some(OpenDialog { dialog, tab: "t1".into() }), ..Aim::default() }
}

#[test]
fn what_is_risky_and_what_is_not() {
    for (role, name, expected) in [
        // English.
        ("button", "Pay now", "pay"),
        ("button", "Confirm and pay $20.00", "pay"),
        ("button", "Buy it now", "pay"),
        ("button", "Place your order", "pay"),
        ("button", "Order", "pay"),
        ("button", "Order by date", "default"),
        ("button", "Order history", "default"),
        ("button", "Sort order", "default"),
        ("button", "Payments", "default"),
        ("button", "Display", "default"),
        ("button", "Repay", "default"),
        ("button", "Add to cart", "default"),
        ("button", "Continue", "default"),
        ("button", "Save", "default"),
        ("button", "Sign in", "default"),
        ("button", "Search", "default"),
        ("button", "Send", "send"),
        ("button", "Send feedback", "default"),
        ("button", "Sender", "default"),
        ("button", "Resend", "default"),
        ("button", "Don't send", "default"),
        ("button", "Post", "send"),
        ("button", "Post comment", "send"),
        ("button", "New post", "default"),
        ("button", "Posts", "default"),
        ("button", "Save and publish", "send"),
        ("button", "Published", "default"),
        ("button", "Delete", "delete"),
        ("menuitem", "Delete contact…", "delete"),
        ("button", "DELETE\u{a0}FOREVER", "delete"),
        ("button", "D\u{200b}elete", "delete"),
        ("button", "Deleted items", "default"),
        ("button", "Undo delete", "default"),
        ("button", "Remove", "delete"),
        ("button", "Remove filter", "default"),
        ("button", "Removed", "default"),
        ("button", "Erase all data", "delete"),
        ("button", "Cancel", "default"),
        ("button", "Cancel subscription", "delete"),
        ("button", "Close", "default"),
        ("button", "Close my account", "delete"),
        ("button", "Unsubscribe", "delete"),
        ("button", "Change password", "account"),
        ("button", "Show password", "default"),
        ("button", "Turn off two-factor authentication", "account"),
        ("switch", "Two-factor authentication", "account_switch"),
        ("checkbox", "Send me the newsletter", "default"),
        ("radio", "Pay by card", "default"),
        ("textbox", "Send to", "default"),
        ("tab", "Send", "default"),
        ("heading", "Delete account", "default"),
        ("button", "Transfer $500", "transfer"),
        ("button", "Send money", "transfer"),
        ("button", "Withdraw", "transfer"),
        ("button", "Transfer history", "default"),
        // Letters that only look like these words.
        ("button", "Раy now", "pay"),
        ("button", "ᴘᴀʏ", "pay"),
        ("button", "Dеlеtе", "delete"),
        ("button", "Оставить", "default"),
        ("button", "Сохранить и выйти", "default"),
        ("button", "Рост, сеть, урок, тест", "default"),
        ("button", "Αποθήκευση", "default"),
        // Things without a role: a label counts, a text does not.
        ("none", "Delete", "delete"),
        ("none", "Please send us a message whenever you want to delete something", "default"),
        // German.
        ("button", "Jetzt kaufen", "pay"),
        ("button", "Zahlungspflichtig bestellen", "pay"),
        ("button", "Bestellungen", "default"),
        ("button", "Absenden", "send"),
        ("button", "Absender", "default"),
        ("button", "Löschen", "delete"),
        ("button", "LOSCHEN", "delete"),
        ("button", "Vertrag kündigen", "delete"),
        ("button", "Passwort ändern", "account"),
        ("button", "Überweisen", "transfer"),
        ("button", "Weiter", "default"),
        ("button", "Abbrechen", "default"),
        // French.
        ("button", "Payer 20 €", "pay"),
        ("button", "Valider la commande", "pay"),
        ("button", "Envoyer", "send"),
        ("button", "Supprimer", "delete"),
        ("button", "Effacer les filtres", "default"),
        ("button", "Modifier le mot de passe", "account"),
        ("button", "Effectuer un virement", "transfer"),
        ("button", "Annuler", "default"),
        // Spanish, Portuguese.
        ("button", "Comprar ahora", "pay"),
        ("button", "Enviar mensaje", "send"),
        ("button", "Eliminar", "delete"),
        ("button", "Cambiar contraseña", "account"),
        ("button", "Cancelar", "default"),
        ("button", "Finalizar compra", "pay"),
        ("button", "Excluir conta", "delete"),
        ("button", "Apagar", "delete"),
        ("button", "Alterar senha", "account"),
        // Italian, Dutch.
        ("button", "Acquista ora", "pay"),
        ("button", "Ordina per prezzo", "default"),
        ("button", "Invia", "send"),
        ("button", "Cancella", "delete"),
        ("button", "Bestelling plaatsen", "pay"),
        ("button", "Versturen", "send"),
        ("button", "Verwijderen", "delete"),
        ("button", "Wachtwoord wijzigen", "account"),
        ("button", "Geld overmaken", "transfer"),
        ("button", "Annuleren", "default"),
    ] {
        assert_eq!(pressed(deed(role, name)), expected, "{role} {name:?}");
    }
}

#[test]
fn links_that_only_lead_elsewhere_are_no_deeds_unless_they_delete() {
    for (name, expected) in
        [("Payments", "default"), ("Pay", "default"), ("Send", "default"), ("Unsubscribe", "delete")]
    {
        assert_eq!(pressed(Deed { navigates: true, ..deed("link", name) }), expected, "{name}");
    }
    assert_eq!(pressed(deed("link", "Pay")), "pay", "a link that does more than that");
    let disguised = Deed { shown: "Delete account".into(), ..deed("button", "Continue") };
    assert_eq!(pressed(disguised), "delete", "what everybody sees counts as well");
}

#[test]
fn forms_on_unknown_origins_need_a_person() {
    let submit = |origin: &str, action: &str| Deed {
        submits: true,
        origin: Some(origin.into()),
        action_origin: Some(action.into()),
        ..deed("button", "Continue")
    };
    for (origin, action, expected) in [
        ("https://shop.test", "https://shop.test", "default"),
        ("https://www.shop.test", "https://www.shop.test", "default"),
        ("https://a.partner.test", "https://shop.test", "default"),
        ("https://evil.test", "https://evil.test", "submit_elsewhere"),
        ("https://shop.test", "https://evil.test", "submit_elsewhere"),
        ("https://shop.test:444", "https://shop.test:444", "submit_elsewhere"),
        ("null", "https://shop.test", "submit_elsewhere"),
    ] {
        assert_eq!(pressed(submit(origin, action)), expected, "{origin} {action}");
        let aim = Aim { deed: Some(submit(origin, action)), ..Aim::default() };
        let typed = call(json!({"tool": "keyboard", "action": "type", "text": "ada\n"}));
        for call in [press("enter"), typed] {
            assert_eq!(judge(&Policy::builtin(), &call, &aim, SHOP, None).rule, expected, "{call:?}");
        }
    }
    // A key that presses nothing asks nothing.
    let aim = Aim { deed: Some(submit("https://evil.test", "https://evil.test")), ..Aim::default() };
    assert_eq!(judge(&Policy::builtin(), &press("a"), &aim, SHOP, None).rule, "default");
    let trusting = Policy::of("[origins]\ntrusted = [\"evil.test\"]").unwrap();
    assert_eq!(judge(&trusting, &press("enter"), &aim, SHOP, None).rule, "default");
}

#[test]
fn dialogs_are_judged_by_their_words_and_by_what_opened_them() {
    let builtin = Policy::builtin();
    let delete = deed("button", "Delete");
    for (kind, message, opener, expected) in [
        (DialogKind::Confirm, "Delete Ben Okafor?", None, "dialog"),
        (DialogKind::Confirm, "Wirklich löschen?", None, "dialog"),
        (DialogKind::Confirm, "Are you sure?", Some(&delete), "delete"),
        (DialogKind::Confirm, "Are you sure?", None, "default"),
        (DialogKind::Prompt, "Type the amount to pay", None, "dialog"),
        (DialogKind::Alert, "Delete it?", Some(&delete), "default"),
        (DialogKind::Beforeunload, "", Some(&delete), "default"),
    ] {
        let aim = open_dialog(kind, message);
        assert_eq!(judge(&builtin, &accept(), &aim, SHOP, opener).rule, expected, "{kind:?} {message}");
        let dismiss = call(json!({"tool": "dialog", "dialog_action": "dismiss"}));
        assert_eq!(judge(&builtin, &dismiss, &aim, SHOP, opener).rule, "default", "{kind:?} {message}");
    }
}

#[test]
fn addresses_of_the_machine_are_not_opened() {
    let builtin = Policy::builtin();
    let open = |url: &str, page: &str| {
        let call = call(json!({"tool": "tab", "action": "open", "url": url}));
        let judged = judge(&builtin, &call, &Aim::default(), page, None);
        (judged.verdict, judged.rule)
    };
    for url in [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        " file:/etc/passwd",
        "chrome://settings",
        "devtools://devtools/bundled/inspector.html",
        "view-source:https://shop.test/",
        "javascript:alert(1)",
        "java\nscript:alert(1)",
        "about:version",
        "filesystem:https://shop.test/temporary/x",
    ] {
        assert_eq!(open(url, SHOP), (Verdict::Deny, "scheme".into()), "{url:?}");
    }
    assert_eq!(open("file:///tmp/b.html", "file:///tmp/a.html"), (Verdict::Allow, "file_from_file".into()));
    assert_eq!(open("view-source:file:///tmp/b.html", "file:///tmp/a.html").0, Verdict::Deny);
    assert_eq!(open("about:blank", SHOP).0, Verdict::Allow);
    assert_eq!(open("https://else.test/", SHOP), (Verdict::Allow, "default".into()));
}

#[test]
fn uploads_secrets_chords_and_what_cannot_be_seen() {
    let builtin = Policy::builtin();
    let rule = |call: &Call, aim: &Aim, url: &str| judge(&builtin, call, aim, url, None).rule;
    let none = Aim::default();
    assert_eq!(rule(&call(json!({"tool": "upload_file", "paths": ["/tmp/x"]})), &none, SHOP), "upload");
    let secret = call(json!({"tool": "keyboard", "action": "type", "text": "<secret:password>"}));
    assert_eq!(rule(&secret, &none, SHOP), "default");
    assert_eq!(rule(&secret, &none, "https://evil.test/"), "secret_elsewhere");
    assert_eq!(rule(&press("ctrl+enter"), &none, SHOP), "send_shortcut");
    assert_eq!(rule(&click(), &none, SHOP), "unseen");
    // Pages act on the press itself, whichever button it is.
    for button in ["right", "middle", "left"] {
        let pressed = call(json!({"tool": "mouse", "action": "click", "coordinate": [1, 1], "button": button}));
        for (name, expected) in [("Delete all", "delete"), ("Save", "default")] {
            let aim = Aim { deed: Some(deed("button", name)), ..Aim::default() };
            assert_eq!(rule(&pressed, &aim, SHOP), expected, "{button} {name}");
        }
    }
    // The end of a drag counts.
    let bin = Nearby {
        descriptor: "button \"Empty trash\"".into(),
        bounds: ViewBox { x0: 0.0, y0: 0.0, x1: 9.0, y1: 9.0 },
        identity: "1".into(),
    };
    let spot = Spot { point: ViewPoint { x: 1, y: 1 }, hit: Some(bin), neighbours: Vec::new() };
    let drag = call(json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 1], "end_coordinate": [2, 2]}));
    let aim = Aim { deed: Some(deed("none", "Report")), spots: vec![spot], ..Aim::default() };
    assert_eq!(rule(&drag, &aim, SHOP), "delete");
}

#[test]
fn rules_of_a_file_come_first_and_may_replace_built_in_ones() {
    let policy = Policy::of(
        r#"
        default = "confirm"
        [words]
        delete = ["zap"]
        [[rule]]
        id = "sandbox"
        decision = "allow"
        reason = "nothing there is real"
        origin = ["sandbox.test:8080", "*.partner.test"]
        [[rule]]
        id = "pay"
        decision = "deny"
        reason = "never"
        target = "@pay"
        [[rule]]
        id = "no_password"
        decision = "deny"
        reason = "not that one"
        secret = ["bank"]
        "#,
    )
    .unwrap();
    assert_eq!(policy.count().0, 3);
    let of = |deed: Deed| judge(&policy, &click(), &Aim { deed: Some(deed), ..Aim::default() }, SHOP, None);
    assert_eq!(
        of(deed("button", "Pay")),
        Judgement { verdict: Verdict::Deny, rule: "pay".into(), reason: "never".into() }
    );
    assert_eq!(of(deed("button", "Zap it")).rule, "delete");
    assert_eq!(of(deed("button", "Delete")).rule, "default");
    assert_eq!(of(deed("button", "Delete")).verdict, Verdict::Confirm);
    let there = Deed { origin: Some("https://a.partner.test".into()), ..deed("button", "Pay") };
    assert_eq!(of(there).rule, "sandbox");
    let bank = call(json!({"tool": "keyboard", "action": "type", "text": "x<secret:bank>"}));
    assert_eq!(judge(&policy, &bank, &Aim::default(), SHOP, None).rule, "no_password");

    let known = KnownOrigins::new(Some(SHOP), &[]);
    let aim = Aim { deed: Some(deed("button", "Pay")), ..Aim::default() };
    let (judged, looked_at) =
        policy.explain(&Query { call: &click(), aim: &aim, url: Some(SHOP), opener: None, known: &known });
    assert_eq!(judged.rule, "pay");
    let looked: Vec<_> = looked_at.iter().map(|one| (one.rule.as_str(), one.failed)).collect();
    assert_eq!(looked, [("sandbox", Some("origin")), ("pay", None)]);
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_line() {
    for (text, line, part) in [
        ("default = \"maybe\"", 1, "default must be \"allow\", \"confirm\" or \"deny\""),
        ("\nrules = 1", 2, "\"rules\" is not known"),
        ("x = [", 1, "not valid TOML"),
        ("[[rule]]\nid = \"a\"\ndecision = \"deny\"", 1, "rule a has no reason"),
        ("[[rule]]\ndecision = \"deny\"\nreason = \"x\"", 1, "rule 1 has no id"),
        ("[[rule]]\nid = \"a b\"", 2, "the id of rule 1 must be letters"),
        ("[[rule]]\nid = \"a\"\ndecision = \"deny\"\nreason = \"x\"\ntargt = \"y\"", 5, "the nearest is \"target\""),
        ("[[rule]]\nid = \"a\"\ndecision = \"deny\"\nreason = \"x\"\norigin = \"*:80\"", 5, "\"*:80\" is no host"),
        ("[[rule]]\nid = \"a\"\ndecision = \"deny\"\nreason = \"x\"\nkey = \"entr\"", 5, "key of rule a"),
        ("[[rule]]\nid = \"a\"\ndecision = \"deny\"\nreason = \"x\"\ntarget = []", 5, "target of rule a names nothing"),
        ("[[rule]]\nid = \"a\"\ndecision = \"deny\"\nreason = \"x\"\ntarget = \"@no\"", 5, "no list of words @no"),
        (
            "[[rule]]\nid = \"a\"\ndecision = \"deny\"\nreason = \"x\"\nsubmits = \"yes\"",
            5,
            "submits of rule a must be true or false",
        ),
        (
            "[[rule]]\nid = \"a\"\ndecision = \"deny\"\nreason = \"x\"\ntool = \"mose\"",
            5,
            "which is none of tab, mouse",
        ),
        (
            "[[rule]]\nid = \"a\"\ndecision = \"deny\"\nreason = \"x\"\naction = [\"click\", \"clik\"]",
            5,
            "the nearest is \"click\"",
        ),
        (
            "[[rule]]\nid = \"a\"\ndecision = \"deny\"\nreason = \"x\"\nrole = [\"link\", \"buton\"]",
            5,
            "role of rule a is \"buton\", which is no role that is known; the nearest is \"button\"",
        ),
        (
            "[[rule]]\nid = \"a\"\ndecision = \"deny\"\nreason = \"x\"\ntarget = \"@delte\"",
            5,
            "there is no list of words @delte; the nearest is @delete",
        ),
        (
            "[words]\ndelte = [\"zap\"]",
            2,
            "no rule uses the list of words \"delte\"; the nearest that is used is \"delete\"",
        ),
        ("rules = 1", 1, "the nearest is \"rule\""),
        ("rule = 3", 1, "rules are written as [[rule]]"),
        (
            "[words]\nloop = [\"@loop\"]\n[[rule]]\nid = \"a\"\ndecision = \"deny\"\nreason = \"x\"\ntarget = \"@loop\"",
            7,
            "holds itself",
        ),
    ] {
        let problems = Policy::of(text).unwrap_err();
        assert!(problems.iter().any(|one| one.line == line && one.message.contains(part)), "{text:?}: {problems:?}");
    }
    let nested = "[words]\ndelete = [\"@mine\"]\nmine = [\"zap\"]";
    assert!(Policy::of(nested).is_ok(), "a list of a list is used");
    let twice = "[[rule]]\nid = \"a\"\ndecision = \"deny\"\nreason = \"x\"\n";
    let problems = Policy::of(&twice.repeat(2)).unwrap_err();
    assert_eq!(problems[0].to_string(), "line 5: the id \"a\" is used by two rules");
    assert_eq!(Policy::of("[[rule]]\n[[rule]]\n").unwrap_err().len(), 2, "all problems at once");
    assert!(Policy::of(&"#".repeat(FILE_CAP + 1)).unwrap_err()[0].message.contains("larger than"));
}

#[test]
fn the_built_in_file_is_a_policy_by_itself() {
    let copied = Policy::of(BUILTIN).unwrap();
    let (own, all) = copied.count();
    assert_eq!((own, all), (Policy::builtin().count().1, own), "a copy replaces every rule");
    assert_eq!(judge(&copied, &click(), &Aim::default(), SHOP, None).rule, "unseen");
}

#[test]
fn garbage_is_refused_and_never_more() {
    // Cut, doubled and mixed pieces of a real file: a small generator instead of a random one.
    let bytes = BUILTIN.as_bytes();
    for step in [7, 61, 997] {
        for at in (0..bytes.len()).step_by(step * 41) {
            let mut text = String::from_utf8_lossy(&bytes[..at]).into_owned();
            text.push_str(&String::from_utf8_lossy(&bytes[at.saturating_sub(step)..]));
            let _ = Policy::of(&text);
            let _ = Policy::of(&String::from_utf8_lossy(&bytes[at..]));
        }
    }
    let _ = Policy::of(&"[".repeat(100_000));
    let _ = Policy::of(&"a.".repeat(50_000));
    let _ = Policy::of("\0\u{feff}[[rule]]");
}

#[test]
fn a_judgement_takes_microseconds() {
    let policy = Policy::builtin();
    let known = KnownOrigins::new(Some(SHOP), &["*.partner.test".into()]);
    let aim = Aim { deed: Some(deed("button", "Continue to the next page of the form")), ..Aim::default() };
    let call = click();
    let rounds: u32 = 2000;
    let began = std::time::Instant::now();
    for _ in 0..rounds {
        let judged = policy.judge(&Query { call: &call, aim: &aim, url: Some(SHOP), opener: None, known: &known });
        assert_eq!(judged.verdict, Verdict::Allow);
    }
    let each = began.elapsed() / rounds;
    println!("one judgement: {each:?}");
    assert!(each < std::time::Duration::from_millis(1), "{each:?}");
}

#[test]
fn a_secret_that_may_be_pasted_elsewhere_needs_a_person() {
    let paste = |origin: Option<&str>| Paste {
        secret: "password".into(),
        origin: origin.map(str::to_string),
        descriptor: "textbox \"Comment\"".into(),
        ..Paste::default()
    };
    let middle = call(json!({"tool": "mouse", "action": "click", "coordinate": [500, 500], "button": "middle"}));
    let drag = call(json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 1], "end_coordinate": [9, 9]}));
    for call in [press("ctrl+v"), middle, drag] {
        let aim = |pastes| Aim { pastes, deed: Some(deed("textbox", "Comment")), ..Aim::default() };
        for origin in [Some("https://evil.test"), Some("https://shop.test"), Some("null"), None] {
            let judged = judge(&Policy::builtin(), &call, &aim(Some(paste(origin))), SHOP, None);
            assert_eq!(
                (judged.verdict, judged.rule.as_str()),
                (Verdict::Confirm, "secret_paste"),
                "{call:?} {origin:?}"
            );
        }
        assert_eq!(judge(&Policy::builtin(), &call, &aim(None), SHOP, None).rule, "default", "{call:?}");
    }
    // A rule of one's own goes by the document that would get it.
    let trusting = "[[rule]]\nid = \"vault\"\ndecision = \"allow\"\nreason = \"ours\"\npastes_secret = true\norigin = \"vault.test\"\n";
    let policy = Policy::of(trusting).unwrap();
    for (origin, expected) in [("https://vault.test", "vault"), ("https://evil.test", "secret_paste")] {
        let aim = Aim { pastes: Some(paste(Some(origin))), ..Aim::default() };
        assert_eq!(judge(&policy, &press("ctrl+v"), &aim, "https://vault.test/", None).rule, expected);
    }
}

#[test]
fn keys_that_paste() {
    for (key, expected) in [
        ("ctrl+v", true),
        ("ctrl+shift+v", true),
        ("ctrl+alt+shift+v", true),
        ("meta+v", true),
        ("shift+insert", true),
        ("ctrl+shift+insert", true),
        ("v", false),
        ("shift+v", false),
        ("alt+v", false),
        ("insert", false),
        ("ctrl+insert", false),
        ("ctrl+c", false),
    ] {
        let Call::Keyboard(keyboard) = press(key) else { panic!("{key}") };
        assert_eq!(may_paste(&keyboard), expected, "{key}");
    }
}
