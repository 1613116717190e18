//! Controls count by what everybody sees on them: text of style sheets, pictures, letters that only look alike.

use std::fmt::Write as _;

use serde_json::json;

use crate::bench::Bench;
use crate::pages::{Page, PageServer};
use crate::tools_client::Tools;

const DOT: &str =
    "src='data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' width=80 height=20";

/// Each control in a row of its own, with the rule that asks about it.
fn rows() -> Vec<(String, &'static str)> {
    let row = |html: &str, rule| (html.replace("DOT", DOT), rule);
    vec![
        row("<button id=before></button>", "pay"),
        row("<button id=after>OK</button>", "delete"),
        row("<button id=beside>OK</button>", "delete"),
        row("<button><span style='font-size:0'>x</span>Pay</button>", "pay"),
        row("<button id=labelled data-l='Delete'></button>", "delete"),
        row("<button><span class=deep>&nbsp;</span></button>", "send"),
        row("<button id=halves>order</button>", "pay"),
        row("<button id=joined>P</button>", "pay"),
        row("<button id=escaped></button>", "pay"),
        row(&format!("<button>{}Pay</button>", "\u{200b}".repeat(90)), "pay"),
        row("<div id=plain onclick=1></div>", "pay"),
        row("<button><img alt='Pay' DOT></button>", "pay"),
        row("<button><img title='Pay' DOT></button>", "pay"),
        row("<button><img alt='' DOT><img alt='Pay' DOT></button>", "pay"),
        row("<button><img alt='Pay' DOT> Go on</button>", "pay"),
        row("<input type=image alt='Pay' DOT>", "pay"),
        row("<input type=image title='Pay' DOT>", "pay"),
        row("<img onclick=1 title='Pay' DOT>", "pay"),
        row("<button title='Delete'>&times;</button>", "delete"),
        row("<button><i title='Delete'>&times;</i></button>", "delete"),
        row(
            "<button><svg width=80 height=20><title>Delete</title><rect width=80 height=20 /></svg></button>",
            "delete",
        ),
        row("<button>Раy now</button>", "pay"),
        row("<button style='unicode-bidi:bidi-override;direction:rtl'>won yaP</button>", "pay"),
        row("<button>\u{202e}won yaP</button>", "pay"),
        // And nobody is asked about these.
        row("<button id=quote>Next</button>", ""),
        row("<button title='Send it later'>Next</button>", ""),
        row("<button><img alt='Arrow' DOT> Next</button>", ""),
        row("<button>Сохранить</button>", ""),
        row("<button id=hidden>Next</button>", ""),
    ]
}

/// Controls that are only an icon.
fn icons() -> Vec<(String, &'static str)> {
    let row = |html: &str, rule| (html.replace("DOT", DOT), rule);
    vec![
        row("<button>🗑</button>", "delete"),
        row("<button>🗑\u{fe0f}</button>", "delete"),
        row("<button data-tooltip='Delete'>&nbsp;</button>", "delete"),
        row("<button data-tooltip='Delete' aria-label='More'>&nbsp;</button>", "delete"),
        row("<button aria-describedby=tip>&nbsp;</button><span id=tip hidden>Delete row</span>", "delete"),
        row("<button title='Send'>➤</button>", "send"),
        row("<button><img alt='Delete' DOT></button>", "delete"),
        row("<button><i class='fa fa-trash'></i>&nbsp;</button>", "delete"),
        row("<button><i class='bi bi-trash3'></i>&nbsp;</button>", "delete"),
        row("<button class='icon-delete'>&nbsp;</button>", "delete"),
        row("<button><span class='material-icons'>delete</span></button>", "delete"),
        row("<button><span class='material-symbols-outlined'>delete_forever</span></button>", "delete"),
        row("<button><svg data-testid='DeleteIcon' width=20 height=16></svg></button>", "delete"),
        row("<button><svg class='octicon octicon-trash' width=20 height=16></svg></button>", "delete"),
        row("<button><svg width=20 height=16><use href='#icon-trash'></use></svg></button>", "delete"),
        row("<button><i class='fa fa-paper-plane'></i>&nbsp;</button>", "send"),
        row("<button aria-label='Remove filter'>Delete account</button>", "delete"),
        // And nobody is asked about these.
        row("<button>✖</button>", ""),
        row("<button>×</button>", ""),
        row("<button title=Close>✕</button>", ""),
        row("<button aria-label=Close><i class='fa fa-times'></i>&nbsp;</button>", ""),
        row("<button><i class='fa fa-times'></i>&nbsp;</button>", ""),
        row("<button class='chip-remove'>×</button>", ""),
        row("<button><span class='material-icons'>remove</span></button>", ""),
        row("<button><span class='material-icons'>add</span></button>", ""),
        row("<button aria-label='Trash'><i class='fa fa-trash'></i>&nbsp;</button>", ""),
        row("<button>🗑 Trash</button>", ""),
        row("<button aria-label='Remove filter red'>Remove</button>", ""),
    ]
}

const STYLE: &str = "body{margin:0}body > div{height:24px;overflow:hidden}button,#plain{display:block;width:100%;height:24px}
#before::before{content:'Pay now'}#after{font-size:0}#after::after{content:'Delete account';font-size:14px}
#beside::after{content:'Delete account';color:red}#labelled::before{content:attr(data-l)}.deep::after{content:'Send'}#halves::before{content:'Place '}#joined::after{content:'ay now'}
#escaped::before{content:'\\50 ay \\22now\\22'}#plain::before{content:'Pay now'}#quote::after{content:' \\203a'}
#hidden::after{content:'Delete';display:none}";

#[test]
fn what_is_seen_on_a_control_counts() {
    check(&rows());
}

#[test]
fn an_icon_without_words_counts_by_what_it_is() {
    check(&icons());
}

fn check(rows: &[(String, &str)]) {
    let mut html = format!("<!doctype html><meta charset=utf-8><title>Seen</title><style>{STYLE}</style>");
    for (control, _) in rows {
        write!(html, "<div>{control}</div>").unwrap();
    }
    let server = PageServer::start(&[("/", Page::Html(Box::leak(html.into_boxed_str())))]);
    let bench = Bench::new();
    let url = server.url();
    let more = ["--set", "density_gate=off", "--set", "no_effect_patience=0", "--confirm", "risky"];
    let mut tools = Tools::start(&bench, &[&["--url", &url], &more[..]].concat());
    let view = tools.ask(json!({"tool": "tab", "action": "view"}));
    assert_eq!(view["title"], "Seen", "{view}");
    let mut wrong = Vec::new();
    for (index, (control, rule)) in rows.iter().enumerate() {
        let y = (u32::try_from(index).unwrap() * 24 + 12) * 1000 / 720;
        let answer = tools.ask(json!({"tool": "mouse", "action": "click", "coordinate": [25, y]}));
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        let asked = message.split_once("rule ").and_then(|(_, rest)| rest.split(':').next()).unwrap_or_default();
        if asked != *rule {
            wrong.push(format!("{control}: {asked:?}, not {rule:?}: {answer}"));
        }
    }
    tools.close().expect(0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
