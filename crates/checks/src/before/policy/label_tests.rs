//! Labels as they are written on real pages, in every language that the built-in policy knows: which of them a person
//! is asked about, and which must not bother anybody.

use serde_json::json;

use super::tests::{SHOP, call, click, deed, judge, press, pressed};
use super::*;
use crate::before::{Aim, Deed};

fn check(rule: &str, labels: &[&str]) {
    let judged = labels.iter().map(|label| (*label, pressed(deed("button", label))));
    let wrong: Vec<_> = judged.filter(|(_, judged)| judged != rule).collect();
    assert!(wrong.is_empty(), "not {rule}: {wrong:?}");
}

#[test]
fn nobody_is_asked_about_these() {
    check(
        "default",
        &[
            "Order date",
            "Order ID",
            "Order #1023",
            "Order number",
            "Order total",
            "Sort order",
            "Purchase orders",
            "Purchase history",
            "Pay attention",
            "How to pay",
            "Ways to pay",
            "Pay stubs",
            "Where to buy",
            "Buy 2 get 1 free",
            "Buy one get one free",
            "Post details",
            "Post date",
            "Poster",
            "Posters",
            "New post",
            "Publish date",
            "Remove tag",
            "Remove row",
            "Remove bookmark",
            "Remove item",
            "Remove formatting",
            "Send code",
            "Send verification code",
            "Send feedback",
            "Send me a copy",
            "Airport transfer",
            "File transfer",
            "Data transfer",
            "Transfer limits",
            "Place of birth",
            "Place marker",
            "Places",
            "Clear",
            "Clear filters",
            "Clear search",
            "Reset",
            "Reset filters",
            "Reset zoom",
            "Trash",
            "🗑 Trash",
            "✖",
            "×",
            "❌",
            "Renewal date",
            "Upgrade notes",
            "Proceed to checkout",
            "Drop files here",
            "Slide 3",
            "Next slide",
            "Terms",
            "Deactivated users",
            "Installed",
            "Confirm",
            "Yes",
            "OK",
            "icon close",
            "icon send2x list",
            // German.
            "So bezahlen Sie",
            "Zeile entfernen",
            "Lesezeichen entfernen",
            "Artikel entfernen",
            "Code senden",
            "Feedback senden",
            "Posten hinzufügen",
            "Bestelldatum",
            "Bestellnummer",
            "Benachrichtigungen deaktivieren",
            // French.
            "Comment payer",
            "Supprimer la ligne",
            "Supprimer l'article",
            "Envoyer le code",
            "Date de publication",
            "Désactiver les notifications",
            // Spanish.
            "Cómo pagar",
            "Formas de pagar",
            "Eliminar fila",
            "Eliminar marcador",
            "Enviar código",
            "Historial de compra",
            "Desactivar notificaciones",
            "Transferir archivos",
            // Italian.
            "Come pagare",
            "Rimuovi tag",
            "Rimuovi riga",
            "Invia codice",
            "Data di pubblicazione",
            // Portuguese.
            "Como pagar",
            "Remover item",
            "Remover linha",
            "Enviar código",
            "Onde comprar",
            // Dutch.
            "Hoe te betalen",
            "Rij verwijderen",
            "Item verwijderen",
            "Code versturen",
        ],
    );
}

#[test]
fn what_deletes_is_known_in_every_language() {
    check(
        "delete",
        &[
            "Deactivate",
            "Deactivate account",
            "Empty cart",
            "Clear history",
            "Drop table",
            "Uninstall",
            "Reset to factory settings",
            "Restore factory defaults",
            "Remove",
            "Remove user",
            "Move to trash",
            "Terminate instance",
            "Delete this repository",
            "Delete item",
            "🗑",
            "🗑\u{fe0f}",
            "🚮",
            "icon trash",
            "icon trash alt",
            "icon delete forever",
            "delete_forever",
            "Loeschen",
            "Kuendigen",
            "Warenkorb leeren",
            "Deinstallieren",
            "Auf Werkseinstellungen zurücksetzen",
            "Konto deaktivieren",
            "Nutzer entfernen",
            "Vider le panier",
            "Désinstaller",
            "Désactiver mon compte",
            "Rétablir les paramètres d'usine",
            "Vaciar el carrito",
            "Desinstalar",
            "Limpiar historial",
            "Restaurar valores de fábrica",
            "Svuota carrello",
            "Disinstalla",
            "Ripristina impostazioni di fabbrica",
            "Esvaziar carrinho",
            "Limpar histórico",
            "Restaurar configurações de fábrica",
            "Winkelwagen legen",
            "Deïnstalleren",
            "Fabrieksinstellingen herstellen",
        ],
    );
}

#[test]
fn what_pays_moves_money_and_sends_is_known_in_every_language() {
    check(
        "pay",
        &[
            "Place…",
            "Place...",
            "Place order",
            "Place bid",
            "Renew",
            "Renew now",
            "Upgrade plan",
            "Upgrade",
            "Proceed to payment",
            "Buy now",
            "Buy now with 1-Click",
            "Order 2 tickets",
            "Pay $12.00",
            "Sell",
            "Subscribe",
            "Weiter zur Zahlung",
            "Abo verlängern",
            "Abo verlaengern",
            "Procéder au paiement",
            "Proceder al pago",
            "Procedi al pagamento",
            "Prosseguir para o pagamento",
            "Doorgaan naar betaling",
        ],
    );
    check(
        "transfer",
        &["Transfer", "Refund", "Refund $20", "Issue refund", "Ueberweisen", "Confirmar transferencia", "💸"],
    );
    check(
        "send",
        &[
            "Post",
            "Post reply",
            "Publish",
            "Send",
            "Send now",
            "icon paper plane",
            "Send message",
            "Posten",
            "Poster un commentaire",
            "Kommentar posten",
        ],
    );
    check("slide", &["Slide to confirm", "Swipe to unlock the door", "Zum Bestätigen wischen", "Desliza para aceptar"]);
}

#[test]
fn an_excuse_counts_for_its_own_words() {
    let both = |name: &str, shown: &str| pressed(Deed { shown: shown.into(), ..deed("button", name) });
    assert_eq!(both("Remove filter", "Delete account"), "delete", "a harmless name does not excuse what is shown");
    assert_eq!(both("Delete account", "Remove filter"), "delete");
    assert_eq!(both("Remove filter: red", "Remove"), "default", "the same in more words");
    assert_eq!(both("Remove filter", "×"), "default");
    let labelled = |label: &str| pressed(Deed { labels: vec!["Save".into(), label.into()], ..deed("button", "") });
    assert_eq!((labelled("Delete"), labelled("Undo delete")), ("delete".into(), "default".into()));
}

#[test]
fn enter_beside_a_button_is_judged_as_that_button() {
    let beside = |labels: &[&str]| Deed {
        labels: labels.iter().map(ToString::to_string).collect(),
        beside: true,
        ..deed("textbox", "")
    };
    let typed = call(json!({"tool": "keyboard", "action": "type", "text": "hello\n"}));
    for (labels, expected) in [
        (&["Send"][..], "send"),
        (&["Attach", "Emoji", "Publish now"], "send"),
        (&["Pay $5"], "pay"),
        (&["Send code", "Resend"], "default"),
        (&["Attach", "Search"], "default"),
        // Enter in a filter deletes nothing.
        (&["Delete selected"], "default"),
        (&[], "default"),
    ] {
        let aim = Aim { deed: Some(beside(labels)), ..Aim::default() };
        for call in [press("enter"), typed.clone()] {
            assert_eq!(judge(&Policy::builtin(), &call, &aim, SHOP, None).rule, expected, "{labels:?} {call:?}");
        }
        let letters = call(json!({"tool": "keyboard", "action": "type", "text": "hello"}));
        assert_eq!(judge(&Policy::builtin(), &letters, &aim, SHOP, None).rule, "default");
    }
}

#[test]
fn both_ends_of_a_drag_count() {
    let drag = call(json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 1], "end_coordinate": [9, 9]}));
    let rule = |start: Deed, end: Option<Deed>| {
        judge(&Policy::builtin(), &drag, &Aim { deed: Some(start), end, ..Aim::default() }, SHOP, None).rule
    };
    let handle = |label: &str| Deed { labels: vec![label.into()], ..deed("none", "") };
    for (start, end, expected) in [
        (handle("Slide to pay"), None, "pay"),
        (handle("Slide to confirm"), None, "slide"),
        (handle("Swipe to delete"), None, "delete"),
        (handle("Drag to reorder"), None, "default"),
        (handle("Slide to compare"), None, "default"),
        (deed("slider", "Slide to pay"), None, "pay"),
        (deed("slider", "Volume"), None, "default"),
        (deed("none", "Report"), Some(deed("none", "Trash")), "default"),
        (deed("none", "Report"), Some(Deed { shown: "Delete".into(), ..deed("none", "") }), "delete"),
        (deed("none", "Report"), Some(deed("none", "🗑")), "delete"),
        (deed("row", "Invoice for March that we have to send to Dana"), None, "default"),
        (deed("row", "Invoice for March that we have to send to Dana"), Some(deed("button", "🗑")), "delete"),
        (deed("none", "Report"), Some(deed("none", "Notes on what to send, pay and delete this week")), "default"),
    ] {
        let shown = format!("{start:?} {end:?}");
        assert_eq!(rule(start, end), expected, "{shown}");
    }
    // A click on the far end of a slider moves it as well.
    assert_eq!(pressed(deed("slider", "Slide to pay")), "slide");
}

#[test]
fn a_yes_is_judged_by_the_heading_above_it() {
    for (name, context, expected) in [
        ("Confirm", "Delete this repository?", "affirm"),
        ("Confirm", "Transfer $500 to Ben", "affirm"),
        ("Yes", "Send the message now?", "affirm"),
        ("Ja", "Vertrag kündigen", "affirm"),
        ("Bestätigen", "Überweisung: jetzt überweisen", "affirm"),
        ("Cancel", "Delete this repository?", "default"),
        ("No", "Delete this repository?", "default"),
        ("Confirm", "Order details", "default"),
        ("OK", "Cookies on this site", "default"),
        ("Next", "Transfer $500 to Ben", "default"),
    ] {
        let rule = pressed(Deed { context: context.into(), ..deed("button", name) });
        assert_eq!(rule, expected, "{name} under {context}");
    }
}

#[test]
fn a_form_is_not_sent_again_without_a_person() {
    let refresh = call(json!({"tool": "tab", "action": "refresh"}));
    for (resends, expected) in [(true, "resend"), (false, "default")] {
        let aim = Aim { resends, ..Aim::default() };
        assert_eq!(judge(&Policy::builtin(), &refresh, &aim, SHOP, None).rule, expected);
    }
    let aim = Aim { resends: true, deed: Some(deed("button", "Save")), ..Aim::default() };
    assert_eq!(judge(&Policy::builtin(), &click(), &aim, SHOP, None).rule, "default");
}
