//! What documents say about their own rows, switches and fields, and what selectors match, frames included.

use serde_json::json;
use surehand_env::Environment;
use surehand_types::ui::{OnOff, UiSource};

use crate::support::Driver;

const PAGE: &str = r#"<!doctype html><title>structure</title><style>button{width:24px;height:24px;padding:0;margin:2px}</style>
<div role=group aria-label=Kick><button aria-pressed=true></button><button aria-pressed=false></button><button aria-pressed=false></button><button aria-pressed=true></button></div>
<div><span>Snare</span> <button></button><button></button><button></button><button aria-pressed=true></button></div>
<label><input type=checkbox checked> Dark mode</label><label><input type=checkbox> Sounds</label><span role=switch aria-checked=mixed tabindex=0 aria-label=Partly>x</span>
<label>City <input value="Bremen"></label><label>Code <input type=password value=hunter2></label>
<p class=row>One</p><p class=row hidden>Two</p><iframe srcdoc="<p class=row>Three</p>"></iframe>"#;

#[tokio::test(flavor = "multi_thread")]
async fn the_tree_says_what_is_on_and_what_it_does_not_say_is_unknown() {
    let mut driver = Driver::open(PAGE).await;
    let outcome = driver.call(json!({"tool": "inspect"})).await;
    let tree = outcome.seen.iter().find(|state| state.source == UiSource::Dom).unwrap();
    let rows: Vec<_> = tree
        .rows
        .iter()
        .map(|row| (row.label.as_deref(), row.cells.iter().map(|cell| cell.state).collect::<Vec<_>>()))
        .collect();
    use OnOff::{Off, On, Unknown};
    assert_eq!(rows, [(Some("Kick"), vec![On, Off, Off, On]), (Some("Snare"), vec![Unknown, Unknown, Unknown, On])]);
    let toggles: Vec<_> = tree.toggles.iter().map(|toggle| (toggle.label.as_deref(), toggle.state)).collect();
    assert_eq!(toggles, [(Some("Dark mode"), On), (Some("Sounds"), Off), (Some("Partly"), Unknown)]);
    let fields: Vec<_> = tree.fields.iter().map(|field| (field.label.as_deref(), field.value.as_deref())).collect();
    assert_eq!(fields, [(Some("City"), Some("Bremen"))]);
    assert!(outcome.message.contains("row \"Kick\" of 4 cells: on 1 4"), "{}", outcome.message);
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn selectors_match_in_frames_and_hidden_places_and_passwords_stay_inside() {
    let mut driver = Driver::open(PAGE).await;
    let rows = driver.env.matching(".row").await.unwrap();
    let told: Vec<_> = rows.found.iter().map(|found| (found.text.as_str(), found.visible)).collect();
    assert_eq!((rows.count, rows.complete, rows.invalid), (3, true, false));
    assert_eq!(told, [("One", true), ("Two", false), ("Three", true)]);
    let inputs = driver.env.matching("input").await.unwrap();
    let values: Vec<_> = inputs.found.iter().map(|found| (found.value.as_deref(), found.checked)).collect();
    assert_eq!(
        values,
        [(Some("on"), Some(true)), (Some("on"), Some(false)), (Some("Bremen"), Some(false)), (None, Some(false))]
    );
    assert!(inputs.found.iter().all(|found| !found.attributes.values().any(|value| value == "hunter2")));
    assert!(driver.env.matching("p[").await.unwrap().invalid);
    assert_eq!(driver.env.matching(".nothing").await.unwrap().count, 0);
    driver.close().await;
}

const TABLES: &str = r#"<!doctype html><title>tables</title>
<table id=orders><thead><tr><th>No<th>Customer<th>Paid<th>Note</tr></thead><tbody>
<tr><td>1<td>Acme  Ltd<td><input type=checkbox checked><td><input value="Ring  twice "></tr>
<tr hidden><td>2<td>Gone<td><td></tr>
<tr><td>3<td colspan=2>Wide<td><select><option>a<option selected>b c</select></tr></tbody><tfoot><tr><td>Sum</tr></tfoot></table>
<div id=host></div><iframe srcdoc="<table id=inner><tr><th scope=row>k<td>v</tr></table>"></iframe>
<div id=grid role=grid aria-rowcount=201><div role=row><span role=columnheader>Item</span></div><div role=row><span role=gridcell>One</span></div></div>
<table id=outer><tr><td>a<td><table><tr><td>nested</tr></table></tr></table>
<input id=spaced value=" a  b "><script>
document.getElementById('host').attachShadow({mode: 'open'}).innerHTML = '<table id=shadow><tr><th>H</th></tr><tr><td>in a shadow</td></tr></table>';
localStorage.setItem('token', 't-1');</script>"#;

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_read_as_they_are_shown() {
    let mut driver = Driver::open(TABLES).await;
    let mut table = async |selector: &str| driver.env.tables(selector).await.unwrap();
    let orders = table("#orders").await;
    assert_eq!((orders.count, orders.complete, orders.invalid), (1, true, false));
    assert_eq!(orders.found[0].headings, ["No", "Customer", "Paid", "Note"]);
    assert_eq!(
        orders.found[0].rows,
        [
            vec![json!("1"), json!("Acme Ltd"), json!(true), json!("Ring  twice ")],
            vec![json!("3"), json!("Wide"), json!(""), json!("b c")]
        ]
    );
    assert_eq!(table("#shadow").await.found[0].rows, [vec![json!("in a shadow")]]);
    assert_eq!(table("#inner").await.found[0].rows, [vec![json!("k"), json!("v")]]);
    let grid = table("#grid").await;
    assert_eq!((grid.found[0].rows.len(), grid.found[0].total), (1, Some(200)));
    assert_eq!(table("#outer").await.found[0].rows, [vec![json!("a"), json!("nested")]]);
    assert!(table("#t[").await.invalid);
    // A value is as it is, a space too many is another one; and storage is only told to its own origin.
    assert_eq!(driver.env.matching("#spaced").await.unwrap().found[0].value.as_deref(), Some(" a  b "));
    let origin = url_origin(&driver.env.live_url().unwrap());
    assert_eq!(driver.env.kept(&origin, "token").await.as_deref(), Some("t-1"));
    assert_eq!(driver.env.kept(&origin, "other").await, None);
    assert_eq!(driver.env.kept("http://elsewhere.test", "token").await, None);
    driver.close().await;
}

fn url_origin(address: &str) -> String {
    url::Url::parse(address).unwrap().origin().ascii_serialization()
}
