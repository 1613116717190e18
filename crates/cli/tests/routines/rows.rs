//! The same page with other rows, other states and other words: a replay acts on what was meant, or on nothing. Every
//! page reads from its address how it looks today.

use serde_json::{Value, json};

use crate::bench::{Bench, Ended};
use crate::pages::{Page, PageServer};
use crate::world::{read, replay, script};

/// People in several kinds of lists; what was done stands in `#out`.
const PEOPLE: &str = r##"<!doctype html><title>People</title><style>td{padding:8px 30px}.line{padding:8px}</style>
<h1>People</h1><div id=list></div><p id=out></p><script>
const asked = new URLSearchParams(location.search);
const names = (asked.get('names') || 'Ann Lee,Bob Stone,Carla Diaz,Dan Wu').split(',');
const kind = asked.get('kind');
const icon = (d) => '<svg width=16 height=16><path d="' + d + '"/></svg>';
const rows = names.map((name) => ({
  table: `<tr><td>${name}</td><td>Active</td><td><button>Suspend</button></td></tr>`,
  icons: `<div class=line><span>${name}</span> <button>${icon('M2 2H9V9Z')}</button> <button>${icon('M3 4H13V15Z')}</button></div>`,
  boxes: `<div class=line><input type=checkbox><span>${name}</span></div>`,
  same: `<div class=line><button>Suspend</button></div>`,
}[kind]));
list.innerHTML = kind === 'table' ? '<table>' + rows.join('') + '</table>' : rows.join('');
[...list.querySelectorAll('tr,.line')].forEach((row, at) => {
  const buttons = row.querySelectorAll('button,input');
  buttons[buttons.length - 1].addEventListener('click', () => { out.textContent += 'Did ' + names[at] + '.' });
});
</script>"##;

/// One of each thing that may stand otherwise on another day.
const FORM: &str = r##"<!doctype html><title>Form</title><style>div.col{width:200px;height:200px;background:#eee}</style>
<h1 id=head></h1><div id=all></div><p id=out></p><script>
const asked = new URLSearchParams(location.search);
head.textContent = asked.get('head') || 'Settings of Ann';
const did = (what) => { out.textContent += what + '.' };
const set = (legend) => `<fieldset><legend>${legend}</legend><label>Street <input data-of="${legend}"></label></fieldset>`;
const parts = {
  switch: () => `<label><input type=checkbox id=c ${asked.get('on') ? 'checked' : ''}> Public</label> <button id=s>Save</button>`,
  field: () => `<label>Nick <input id=n value="${asked.get('nick') || ''}"></label> <button id=s>Save</button>`,
  sets: () => (asked.get('swapped') ? set('Shipping') + set('Billing') : set('Billing') + set('Shipping')) + '<button id=s>Save</button>',
  asks: () => '<button id=a>Proceed</button>',
  board: () => '<div style="display:flex;gap:20px">' + (asked.get('cols') || 'Todo,Doing,Done').split(',').map((c) => `<div class=col data-n="${c}"><h3>${c}</h3></div>`).join('') + '</div>',
  auto: () => '<label>Person <input id=i autocomplete=off></label><div id=l></div>',
};
all.innerHTML = parts[asked.get('part')]();
if (window.s) s.onclick = () => did([...document.querySelectorAll('input')].map((f) => (f.dataset.of || f.id) + '=' + (f.type === 'checkbox' ? f.checked : f.value)).sort().join(' '));
if (window.a) a.onclick = () => { if (confirm(asked.get('says') || 'Remove the draft?')) did('Yes') };
const first = document.querySelector('.col[data-n=Todo]');
if (first) {
  const card = document.createElement('div');
  card.textContent = 'Card A';
  card.style = 'background:#fff;padding:10px;width:120px;user-select:none';
  first.append(card);
  let held = false;
  card.onmousedown = () => { held = true };
  onmouseup = (e) => {
    const to = held && document.elementsFromPoint(e.clientX, e.clientY).find((x) => x.className === 'col');
    held = false;
    if (to) { to.append(card); did('Moved to ' + to.dataset.n) }
  };
}
if (window.i) {
  const names = (asked.get('names') || 'Ann,Dan,Nina').split(',');
  let k = -1;
  const draw = () => { l.innerHTML = i.value ? names.map((n, j) => `<div role=option style="background:${j === k ? '#cdf' : '#fff'}">${n}</div>`).join('') : '' };
  i.oninput = draw;
  i.onkeydown = (e) => {
    if (e.key === 'ArrowDown') { k++; draw(); e.preventDefault() }
    if (e.key === 'Enter') did('Assigned ' + names[Math.max(k, 0)]);
  };
}
</script>"##;

/// What the page has to say at the end of a recording; a replay that stops has said nothing of it.
fn contract(bench: &Bench, words: &str) -> String {
    let check = json!({"type": "dom", "selector": "#out", "text_regex": words});
    let contract = json!({"id": "said", "rubric": "The page says so.", "checks": [check]});
    let name = format!("{}.contract.json", words.replace(|c: char| !c.is_alphanumeric(), ""));
    bench.write(&name, &contract.to_string()).display().to_string()
}

pub(crate) struct Recorded {
    pub(crate) bench: Bench,
    server: PageServer,
    pub(crate) file: String,
    pub(crate) exported: Ended,
}

pub(crate) fn record(
    page: &'static str,
    query: &str,
    calls: &[Value],
    says: &str,
    parameter: Option<&str>,
) -> Recorded {
    let (bench, server) = (Bench::new(), PageServer::with(page));
    let mut replies: Vec<Value> = calls.iter().map(|call| json!({"calls": [call]})).collect();
    replies.push(json!({"calls": [{"tool": "done", "success": true, "summary": "It was done."}]}));
    let brain = script(&bench, "rows.script.json", &replies);
    let judged = contract(&bench, says);
    bench.run(&server.at(&format!("/?{query}")), &brain, &["--contract", &judged, "--confirm", "none"]).expect(0);
    let file = bench.path("rows.json").display().to_string();
    let mut export = vec!["runs", "export", "last", "--routine", "-o", &file];
    export.extend(parameter.iter().flat_map(|parameter| ["--parameter", parameter]));
    let exported = bench.surehand(&export);
    Recorded { bench, server, file, exported }
}

impl Recorded {
    fn replayed(&self, query: &str, more: &[&str]) -> Ended {
        let mut arguments = vec!["--set", "target_wait=0.3s"];
        arguments.extend(more);
        replay(&self.bench, &self.file, &self.server.at(&format!("/?{query}")), &arguments)
    }

    /// It ends well, and the page says exactly this.
    pub(crate) fn does(&self, query: &str, says: &str, more: &[&str]) {
        let judged = contract(&self.bench, says);
        let mut arguments = vec!["--contract", judged.as_str()];
        arguments.extend(more);
        self.replayed(query, &arguments).expect_end(0, "done");
    }

    pub(crate) fn stops(&self, query: &str, part: &str) {
        let result = self.replayed(query, &[]).expect_end(1, "done_failed");
        let summary = result["summary"].as_str().unwrap();
        assert!(summary.starts_with("routine stopped at step") && summary.contains(part), "{query}: {summary}");
    }
}

pub(crate) fn click(target: Value) -> Value {
    json!({"tool": "mouse", "action": "click", "target": target})
}

pub(crate) fn typed(text: &str) -> Value {
    json!({"tool": "keyboard", "action": "type", "text": text})
}

pub(crate) fn press(key: &str) -> Value {
    json!({"tool": "keyboard", "action": "press", "key": key})
}

#[test]
fn a_row_is_known_by_its_plain_text() {
    let target = click(json!({"role": "button", "text": "Suspend", "beside": "Bob Stone"}));
    let recorded = record(PEOPLE, "kind=table", &[target], "^Did Bob Stone\\.$", Some("who=Bob Stone"));
    recorded.exported.expect(0);
    assert_eq!(read(&recorded.bench, "rows.json")["steps"][0]["anchor"]["row"], json!(["<value:who>"]));
    recorded.does("kind=table&names=Dan Wu,Carla Diaz,Bob Stone,Ann Lee", "^Did Bob Stone\\.$", &[]);
    recorded.does("kind=table", "^Did Dan Wu\\.$", &["--value", "who=Dan Wu"]);
    recorded.stops("kind=table&names=Ann Lee,Carla Diaz,Dan Wu", "beside \"Bob Stone\"");
    recorded.stops("kind=table&names=Bob Stone,Ann Lee,Bob Stone", "is there several times (2)");
    recorded.stops("kind=table&names=Carla Diaz", "beside it stands \"Carla Diaz\"");
}

#[test]
fn icons_and_boxes_without_a_name_are_known_by_their_row() {
    let target = json!({"role": "button", "text": "", "exact": true, "index": 3});
    let recorded = record(PEOPLE, "kind=icons", &[click(target)], "^Did Bob Stone\\.$", None);
    recorded.exported.expect(0);
    recorded.does("kind=icons&names=Dan Wu,Carla Diaz,Bob Stone,Ann Lee", "^Did Bob Stone\\.$", &[]);
    recorded.stops("kind=icons&names=Ann Lee,Carla Diaz,Dan Wu", "beside \"Bob Stone\"");
    let target = json!({"role": "checkbox", "index": 1});
    let recorded = record(PEOPLE, "kind=boxes", &[click(target)], "^Did Bob Stone\\.$", None);
    recorded.exported.expect(0);
    recorded.does("kind=boxes&names=Dan Wu,Carla Diaz,Bob Stone,Ann Lee", "^Did Bob Stone\\.$", &[]);
    recorded.stops("kind=boxes&names=Ann Lee,Carla Diaz,Dan Wu", "beside \"Bob Stone\"");
}

#[test]
fn position_alone_is_warned_of_and_counts_only_among_as_many() {
    let target = json!({"role": "button", "text": "Suspend", "index": 1});
    let recorded = record(PEOPLE, "kind=same", &[click(target)], "^Did Bob Stone\\.$", None);
    recorded.exported.expect(0);
    let warned = &recorded.exported.stderr;
    assert!(warned.contains("rests on position alone: it is number 2 of 4"), "{warned}");
    recorded.does("kind=same", "^Did Bob Stone\\.$", &[]);
    recorded.stops("kind=same&names=Ann Lee,Carla Diaz,Dan Wu", "there are 3 of button \"Suspend\" where 4 were");
}

#[test]
fn a_value_that_no_step_uses_is_refused() {
    let target = json!({"role": "button", "text": "Suspend", "index": 1});
    let recorded = record(PEOPLE, "kind=table", &[click(target)], "^Did Bob Stone\\.$", Some("what=It was done."));
    recorded.exported.expect(2).expect_sentence("no step uses the value \"what\"");
    recorded.exported.expect_sentence("\"Bob Stone\"");
}

#[test]
fn what_was_there_once_and_is_another_ones_now_is_not_touched() {
    let recorded = record(
        FORM,
        "part=asks",
        &[click(json!({"role": "button", "text": "Proceed"})), json!({"tool": "dialog", "dialog_action": "accept"})],
        "^Yes\\.$",
        None,
    );
    recorded.exported.expect(0);
    recorded.does("part=asks", "^Yes\\.$", &[]);
    recorded.stops("part=asks&says=Delete the whole account?", "the dialog says \"Delete the whole account?\"");
    recorded.stops("part=asks&head=Settings of Zed", "the heading above it is \"Settings of Zed\"");
}

#[test]
fn a_switch_that_is_on_stays_on_and_a_field_is_emptied_first() {
    let save = || click(json!({"role": "button", "text": "Save"}));
    let switch = click(json!({"role": "checkbox", "text": "Public"}));
    let recorded = record(FORM, "part=switch", &[switch, save()], "^c=true\\.$", None);
    recorded.exported.expect(0);
    recorded.does("part=switch", "^c=true\\.$", &[]);
    recorded.does("part=switch&on=1", "^c=true\\.$", &[]);
    let field = click(json!({"role": "textbox", "text": "Nick"}));
    let recorded = record(FORM, "part=field", &[field, typed("Zorro"), save()], "^n=Zorro\\.$", None);
    recorded.exported.expect(0);
    recorded.does("part=field&nick=Bat", "^n=Zorro\\.$", &[]);
}

#[test]
fn fields_of_two_groups_are_told_apart_by_their_legends() {
    let street = |index: usize| click(json!({"role": "textbox", "text": "Street", "index": index}));
    let calls = [street(0), typed("B"), street(1), typed("S"), click(json!({"role": "button", "text": "Save"}))];
    let recorded = record(FORM, "part=sets", &calls, "^Billing=B Shipping=S\\.$", None);
    recorded.exported.expect(0);
    recorded.does("part=sets&swapped=1", "^Billing=B Shipping=S\\.$", &[]);
}

#[test]
fn a_drop_and_a_suggestion_are_what_they_were() {
    let drag = json!({"tool": "mouse", "action": "drag", "start_coordinate": [40, 215], "end_coordinate": [260, 320]});
    let recorded = record(FORM, "part=board", &[drag], "^Moved to Doing\\.$", None);
    recorded.exported.expect(0);
    recorded.does("part=board", "^Moved to Doing\\.$", &[]);
    recorded.stops("part=board&cols=Todo,Done,Doing", "beside it stands \"Done\"");
    let person = click(json!({"role": "textbox", "text": "Person"}));
    let calls = [person, typed("n"), press("Down"), press("Down"), press("enter")];
    let recorded = record(FORM, "part=auto", &calls, "^Assigned Dan\\.$", None);
    recorded.exported.expect(0);
    recorded.does("part=auto", "^Assigned Dan\\.$", &[]);
    recorded.stops("part=auto&names=Dan,Nina", "what can be chosen from is not what it was");
}

#[test]
fn names_in_addresses_are_values_as_well() {
    const LINKS: &str = "<!doctype html><title>Docs</title><ul><li><a href='/d/Bob%20Stone'>Bob Stone</a></li>\
                         <li><a href='/d/Dan%20Wu'>Dan Wu</a></li></ul>";
    const PAPER: &str = "<!doctype html><title>Doc</title><h1 id=out></h1>\
                         <script>out.textContent = decodeURIComponent(location.pathname.slice(3))</script>";
    let bench = Bench::new();
    let pages = [("/", LINKS), ("/d/Bob%20Stone", PAPER), ("/d/Dan%20Wu", PAPER)];
    let server = PageServer::start(&pages.map(|(path, html)| (path, Page::Html(html))));
    let replies = [
        json!({"calls": [click(json!({"role": "link", "text": "Bob Stone"}))]}),
        json!({"calls": [{"tool": "done", "success": true, "summary": "It is open."}]}),
    ];
    let brain = script(&bench, "links.script.json", &replies);
    let judged = contract(&bench, "^Bob Stone$");
    bench.run(&server.url(), &brain, &["--contract", &judged, "--confirm", "none"]).expect(0);
    let file = bench.path("links.json").display().to_string();
    bench.surehand(&["runs", "export", "last", "--routine", "-o", &file, "--parameter", "who=Bob Stone"]).expect(0);
    assert_eq!(read(&bench, "links.json")["steps"][0]["expect"]["url_pattern"], "/d/<value:who>");
    let other = contract(&bench, "^Dan Wu$");
    replay(&bench, &file, &server.url(), &["--contract", &other, "--value", "who=Dan Wu"]).expect_end(0, "done");
}
