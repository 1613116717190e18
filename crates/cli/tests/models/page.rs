//! A page with one magenta square that jumps to its next place whenever the page is clicked, and says where it was
//! clicked. After the last place a text field has the focus, and what is typed there is told too.

use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::server::{Answer, Server};

/// Centres of the square, in parts of the view and pixels beside that: `(part, pixels)` for each axis.
const PLACES: &str = "[[0.37, 3, 0.71, 1], [1, -10, 1, -10], [0, 10, 0, 10], [0.813, 0, 0, 23]]";
pub(crate) const PLACES_COUNT: usize = 4;

/// A click that the page saw, in CSS pixels, beside where the square was and how large the view is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Clicked {
    pub(crate) at: (f64, f64),
    pub(crate) target: (f64, f64),
    pub(crate) view: (f64, f64),
}

#[derive(Default)]
struct Told {
    /// With their numbers: what a page sends may arrive in another order.
    clicks: Vec<(u64, Clicked)>,
    typed: (u64, String),
}

pub(crate) struct Page {
    server: Server,
    told: Arc<Mutex<Told>>,
}

impl Page {
    pub(crate) fn start() -> Page {
        Page::titled("targets", "")
    }

    /// With words of its own, as HTML. With `endless` among them the square never goes away.
    pub(crate) fn titled(title: &str, words: &str) -> Page {
        let told = Arc::new(Mutex::new(Told::default()));
        let keep = Arc::clone(&told);
        let html = html(title, words);
        let server = Server::start(move |asked, _| match asked.path.as_str() {
            "/told" => {
                take(&asked.json(), &mut keep.lock().unwrap());
                Answer::text(204, "text/plain", "")
            }
            "/" => Answer::text(200, "text/html; charset=utf-8", html.clone()),
            _ => Answer::text(404, "text/plain", ""),
        });
        Page { server, told }
    }

    pub(crate) fn url(&self) -> String {
        format!("{}/", self.server.url())
    }

    pub(crate) fn clicks(&self) -> Vec<Clicked> {
        let mut clicks = self.told.lock().unwrap().clicks.clone();
        clicks.sort_by_key(|(number, _)| *number);
        clicks.into_iter().map(|(_, click)| click).collect()
    }

    pub(crate) fn typed(&self) -> String {
        self.told.lock().unwrap().typed.1.clone()
    }
}

fn take(told: &Value, all: &mut Told) {
    let number = told["number"].as_u64().unwrap();
    if let Some(text) = told["typed"].as_str() {
        if number > all.typed.0 {
            all.typed = (number, text.to_string());
        }
        return;
    }
    let pair = |name: &str| (told[name][0].as_f64().unwrap(), told[name][1].as_f64().unwrap());
    all.clicks.push((number, Clicked { at: pair("at"), target: pair("target"), view: pair("view") }));
}

fn html(title: &str, words: &str) -> String {
    format!(
        r#"<!doctype html><meta charset=utf-8><title>{title}</title>
<style>
body {{ margin: 0; background: #eef; font: 16px sans-serif; overflow: hidden; height: 100vh }}
#square {{ position: absolute; width: 20px; height: 20px; background: #ff00ff }}
#words {{ position: absolute; left: 60px; top: 60px; width: 200px }}
p {{ position: absolute; left: 60px; top: 100px }}
</style>
<div id=square></div><input id=words aria-label=Words><p><span id=count>0 hits</span> {words}</p>
<script>
const places = {PLACES};
let hits = 0, told = 0;
const target = () => {{
  const [part_x, x, part_y, y] = places[hits % places.length];
  return [Math.floor(innerWidth * part_x) + x, Math.floor(innerHeight * part_y) + y];
}};
const tell = (what) => fetch('/told', {{ method: 'POST', body: JSON.stringify({{ number: ++told, ...what }}) }});
const show = () => {{
  const square = document.getElementById('square');
  if (hits >= places.length && !document.body.innerText.includes('endless')) {{
    square.style.display = 'none';
    document.getElementById('words').focus();
    return;
  }}
  const [x, y] = target();
  square.style.left = x - 10 + 'px';
  square.style.top = y - 10 + 'px';
}};
document.addEventListener('click', (event) => {{
  tell({{ at: [event.clientX, event.clientY], target: target(), view: [innerWidth, innerHeight] }});
  hits += 1;
  document.getElementById('count').textContent = hits + ' hits';
  show();
}});
document.getElementById('words').addEventListener('input', (event) => tell({{ typed: event.target.value }}));
show();
</script>"#
    )
}
