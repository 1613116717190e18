//! Controls that no markup calls so: tabs, days, icons, menus, suggestions and rows that are plain elements with a handler.
//! A replay knows them by what they say, not by where they were. Every page reads from its address how it looks today.

use serde_json::{Value, json};

use crate::rows::{Recorded, click, press, record, typed};
use crate::world::read;

/// Classes are new with every load, as builds of some frameworks make them. What was done stands in `#out`.
const PLAIN: &str = r##"<!doctype html><title>Plain</title><style>.hand{cursor:pointer}.at{position:absolute;left:100px;top:100px}
.card{background:#fff;margin:8px 0;padding:12px;width:160px}.ic{display:inline-block;width:30px;height:24px;margin:0 6px;vertical-align:middle}
.edit{background:linear-gradient(#36c,#9cf)}.drop{background:linear-gradient(#c33,#fcc)}</style>
<h1>Things</h1><div id=all class=at></div><p id=out></p><script>
const asked = new URLSearchParams(location.search);
const list = (name, usual) => (asked.get(name) || usual).split(',');
const loose = () => 'c' + Math.random().toString(36).slice(2);
const did = (what) => { out.textContent += what + '.' };
const lines = (names, inner) => names.map((name) => `<div style="padding:8px;width:200px" class="${loose()}">${inner(name)}</div>`).join('');
const parts = {
  tabs: () => { all.innerHTML = list('tabs', 'General,Billing,Team').map((t) => `<div class="hand ${loose()}" style="display:inline-block;padding:10px">${t}</div>`).join('') },
  days: () => {
    const [tag, month] = [asked.get('tag') || 'span', asked.get('month') || 'November 2026'];
    const days = Array.from({ length: 28 }, (_, day) => `<${tag} class=hand style="padding:8px;width:40px">${day + 1}</${tag}>`).join('');
    all.innerHTML = `<div>${month}</div><div style="display:grid;grid-template-columns:repeat(7,40px)">${days}</div>`;
  },
  icons: () => { all.innerHTML = lines(list('names', 'report.pdf,notes.txt,plan.doc'), (name) => `<span>${name}</span>` + list('order', 'edit,drop').map((what) => `<a class="hand ic ${what}"></a>`).join('')) },
  rows: () => { all.innerHTML = '<table>' + list('names', 'INV-1001,INV-1002,INV-1003').map((name) => `<tr style="height:40px"><td style="width:200px">${name}</td><td>${asked.get('state') || 'open'}</td></tr>`).join('') + '</table>' },
  asks: () => {
    all.innerHTML = '<button>Archive</button>' + '<p>Much of the page lies beneath.</p>'.repeat(4);
    all.onclick = () => { document.body.insertAdjacentHTML('beforeend', `<div id=over style="position:fixed;inset:0;background:#0008"><div style="background:#fff;padding:30px;margin:100px"><p>${asked.get('warns') || 'You can undo this.'}</p><button>Confirm</button></div></div>`); over.onclick = (e) => { if (e.target.tagName === 'BUTTON') { did('Archived'); over.remove() } } };
  },
  only: () => {
    all.innerHTML = `<div style="padding:10px"><p>${asked.get('what') || 'Draft'}</p><button>Delete</button></div>`;
    all.onclick = (e) => { if (e.target.tagName === 'BUTTON') did(asked.get('fails') || 'Gone: ' + (asked.get('what') || 'Draft')) };
  },
  cards: () => {
    all.innerHTML = '<div style="display:flex;gap:20px">' + ['Todo', 'Doing'].map((c) => `<div class=col data-n="${c}" style="width:200px;height:300px;background:#eee"><b>${c}</b></div>`).join('') + '</div>';
    for (const name of list('names', 'Write report,Call client,Book venue')) {
      const card = Object.assign(document.createElement('div'), { draggable: true, textContent: name, className: 'card' });
      card.ondragstart = (e) => { e.dataTransfer.setData('text', name); window.held = card };
      all.querySelector('.col').append(card);
    }
    for (const col of all.querySelectorAll('.col')) { col.ondragover = (e) => e.preventDefault(); col.ondrop = (e) => { e.preventDefault(); col.append(held); did(held.textContent + ' to ' + col.dataset.n) } }
  },
  auto: () => {
    all.innerHTML = '<label>Person <input id=i autocomplete=off></label><div id=l style="position:absolute;background:#fff;width:220px"></div>';
    const names = list('names', 'Ann Lee,Annabel Roy,Hannah Wu');
    let k = -1;
    const draw = () => { l.innerHTML = i.value ? names.map((n, j) => `<div class="hand" style="padding:6px;background:${j === k ? '#cdf' : '#fff'}"><b>${n.slice(0, 2)}</b>${n.slice(2)}</div>`).join('') : '' };
    i.oninput = () => setTimeout(draw, asked.get('slow') || 0);
    i.onkeydown = (e) => { if (e.key === 'ArrowDown') { k++; draw(); e.preventDefault() } if (e.key === 'Enter' && names[k]) did('Assigned ' + names[k]) };
    l.onclick = (e) => { const line = e.target.closest('.hand'); if (line) did('Assigned ' + line.textContent) };
  },
};
parts[asked.get('part')]();
all.addEventListener('click', (e) => {
  const [part, hit] = [asked.get('part'), e.target];
  if ((part === 'tabs' || part === 'days') && hit.className.includes('hand')) did('Chose ' + hit.textContent);
  if (part === 'icons' && hit.tagName === 'A') did(hit.className.split(' ').pop() + ' ' + hit.parentElement.textContent);
  if (part === 'rows') did('Opened ' + hit.closest('tr').cells[0].textContent);
});
</script>"##;

/// A click by eye at a place of 1280x720.
fn at(x: u32, y: u32) -> Value {
    json!({"tool": "mouse", "action": "click", "coordinate": [x * 1000 / 1280, y * 1000 / 720]})
}

fn recorded(query: &str, calls: &[Value], says: &str) -> Recorded {
    let recorded = record(PLAIN, query, calls, says, None);
    recorded.exported.expect(0);
    recorded
}

fn anchor(recorded: &Recorded, step: usize) -> Value {
    read(&recorded.bench, "rows.json")["steps"][step]["anchor"].clone()
}

#[test]
fn a_tab_is_known_by_its_word_wherever_it_stands() {
    let recorded = recorded("part=tabs", &[at(200, 118)], "^Chose Billing\\.$");
    assert_eq!(
        (&anchor(&recorded, 0)["role"], &anchor(&recorded, 0)["text"]),
        (&json!("clickable"), &json!("Billing"))
    );
    recorded.does("part=tabs&tabs=Billing,General,Team", "^Chose Billing\\.$", &[]);
    recorded.does("part=tabs&tabs=General,Profile,Billing,Team", "^Chose Billing\\.$", &["--viewport", "420x800"]);
    recorded.stops("part=tabs&tabs=General,Team", "no element matches the target clickable \"Billing\"");
    recorded.stops("part=tabs&tabs=Billing,General,Billing", "is there several times (2)");
}

#[test]
fn a_day_is_one_of_its_month() {
    for tag in ["span", "button"] {
        let recorded = recorded(&format!("part=days&tag={tag}"), &[at(235, 170)], "^Chose 11\\.$");
        assert_eq!(anchor(&recorded, 0)["caption"], "November 2026");
        recorded.does(&format!("part=days&tag={tag}"), "^Chose 11\\.$", &[]);
        for month in ["December 2026", "November 2027"] {
            recorded.stops(&format!("part=days&tag={tag}&month={month}"), &format!("it is a day of \"{month}\""));
        }
    }
}

#[test]
fn an_icon_is_known_by_its_look_in_the_markup_and_its_row() {
    let recorded = recorded("part=icons", &[at(193, 160)], "^edit notes.txt\\.$");
    recorded.does("part=icons&order=drop,edit", "^edit notes.txt\\.$", &[]);
    recorded.does("part=icons&names=notes.txt,plan.doc,report.pdf", "^edit notes.txt\\.$", &[]);
    recorded.stops("part=icons&names=report.pdf,plan.doc", "\"notes.txt\"");
    recorded.stops("part=icons&order=drop", "no element matches");
}

#[test]
fn a_row_that_opens_by_a_click_on_its_text_is_found_again() {
    let recorded = recorded("part=rows", &[at(140, 165)], "^Opened INV-1002\\.$");
    recorded.does("part=rows&names=INV-1000,INV-1001,INV-1002,INV-1003&state=paid", "^Opened INV-1002\\.$", &[]);
    recorded.stops("part=rows&names=INV-1001,INV-1003,INV-1004", "no element matches the target text \"INV-1002\"");
}

#[test]
fn a_dialog_that_no_markup_calls_so_says_what_it_said() {
    let calls = [click(json!({"text": "Archive"})), click(json!({"text": "Confirm"}))];
    let recorded = recorded("part=asks", &calls, "^Archived\\.$");
    recorded.does("part=asks", "^Archived\\.$", &[]);
    recorded.stops("part=asks&warns=This can never be undone.", "and not \"You can undo this.\"");
}

#[test]
fn the_only_delete_of_another_thing_is_not_pressed_and_a_complaint_is_no_success() {
    let recorded = recorded("part=only", &[click(json!({"role": "button", "text": "Delete"}))], "^Gone: Draft\\.$");
    assert_eq!(anchor(&recorded, 0)["row"], json!(["Draft"]));
    recorded.does("part=only", "^Gone: Draft\\.$", &[]);
    recorded.stops("part=only&what=Account", "beside it stands \"Account\" and not \"Draft\"");
    recorded.stops("part=only&fails=Could not delete it", "the page says \"Could not delete it.\"");
}

#[test]
fn a_card_is_carried_by_its_name() {
    let drag = json!({"tool": "mouse", "action": "drag", "start_coordinate": [120, 275], "end_coordinate": [320, 400]});
    let recorded =
        recorded("part=cards", &[drag, json!({"tool": "mouse", "action": "confirm"})], "^Call client to Doing\\.$");
    recorded.does("part=cards&names=Call client,Write report,Book venue", "^Call client to Doing\\.$", &[]);
    recorded.stops("part=cards&names=Write report,Book venue", "\"Call client\"");
}

#[test]
fn suggestions_without_roles_are_chosen_by_name_and_by_keys_only_where_they_are_the_same() {
    let person = || click(json!({"role": "textbox", "text": "Person"}));
    let by_hand = recorded("part=auto", &[person(), typed("ann"), at(160, 170)], "^Assigned Annabel Roy\\.$");
    assert_eq!(anchor(&by_hand, 2)["text"], "Annabel Roy", "the whole name, whichever part of it is bold");
    by_hand.does(
        "part=auto&names=Annabel Roy,Hannah Wu,Ann Lee&slow=400",
        "^Assigned Annabel Roy\\.$",
        &["--set", "target_wait=5s"],
    );
    by_hand.stops("part=auto&names=Annika Dam,Hannah Wu", "no element matches the target clickable \"Annabel Roy\"");
    let calls = [person(), typed("ann"), press("Down"), press("Down"), press("enter")];
    let by_keys = recorded("part=auto", &calls, "^Assigned Annabel Roy\\.$");
    by_keys.does("part=auto", "^Assigned Annabel Roy\\.$", &[]);
    by_keys.stops(
        "part=auto&names=Annabel Roy,Ann Lee,Hannah Wu",
        "what can be chosen from is not what it was: \"Annabel Roy\"",
    );
}
