// Reads the embedded page files: several small pages per file, each between a `<page …>` line and
// a `</page>` line. Separate because the format is ours and its rules belong in one place.

/// One page of the lab, or one document for its frames.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) title: String,
    /// What a hand should do here, in one line.
    pub(crate) hand: String,
    /// What a click on its control changes, where that is the point of the page; else empty.
    pub(crate) effect: String,
    /// Whether the event log is held back, so that no request follows an action by itself.
    pub(crate) is_quiet: bool,
    /// Which Content-Security-Policy it is served with: empty, `strict` or `types`.
    pub(crate) policy: String,
    pub(crate) markup: String,
    /// Where the controls are, as CSS.
    pub(crate) style: String,
    pub(crate) controls: Vec<Control>,
}

/// A control at a fixed place, in CSS pixels from the top left of its document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Control {
    pub(crate) id: String,
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// The sections of one file. What cannot be read is left out; a test makes sure there is none.
pub(crate) fn read(text: &str) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("<page ") {
        let Some((inside, behind)) = after.split_once("</page>") else {
            break;
        };
        if let Some((head, body)) = inside.split_once(">\n") {
            sections.extend(section(head, body));
        }
        rest = behind;
    }
    sections
}

fn section(head: &str, body: &str) -> Option<Section> {
    let attribute = |name: &str| -> Option<String> {
        let (_, after) = head.split_once(&format!("{name}=\""))?;
        after.split_once('"').map(|(value, _)| value.to_owned())
    };
    let (markup, controls) = place(body);
    let style = controls.iter().map(rule).collect();
    Some(Section {
        name: attribute("name")?,
        title: attribute("title")?,
        hand: attribute("hand")?,
        effect: attribute("effect").unwrap_or_default(),
        is_quiet: head.ends_with(" quiet"),
        policy: attribute("policy").unwrap_or_default(),
        markup,
        style,
        controls,
    })
}

fn rule(control: &Control) -> String {
    let Control { id, x, y, width, height } = control;
    format!("#{id}{{position:absolute;left:{x}px;top:{y}px;width:{width}px;height:{height}px;margin:0}}\n")
}

/// Takes every `at="x y width height"` behind an `id` out of the markup and marks the element instead.
/// As rules of a style sheet the places work under every security policy.
fn place(body: &str) -> (String, Vec<Control>) {
    let mut markup = String::with_capacity(body.len());
    let mut controls = Vec::new();
    let mut rest = body;
    while let Some((before, after)) = rest.split_once(" at=\"") {
        let Some((place, behind)) = after.split_once('"') else {
            break;
        };
        markup.push_str(before);
        markup.push_str(" data-control");
        let id = before.rsplit_once(" id=\"").and_then(|(_, after)| after.split_once('"')).map(|(id, _)| id);
        let numbers: Vec<u32> = place.split(' ').filter_map(|number| number.parse().ok()).collect();
        if let (Some(id), [x, y, width, height]) = (id, &numbers[..]) {
            let (x, y, width, height) = (*x, *y, *width, *height);
            controls.push(Control { id: id.to_owned(), x, y, width, height });
        }
        rest = behind;
    }
    markup.push_str(rest);
    (markup, controls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_with_its_places() {
        let text = "<!-- about -->\n<page name=\"a\" title=\"T > t\" hand=\"Do.\" effect=\"none\" quiet>\n\
                    <b id=\"go\" class=\"k\" at=\"1 2 30 40\">x</b><i id=\"plain\">y</i>\n</page>\n";
        let sections = read(text);
        assert_eq!(sections.len(), 1);
        let page = &sections[0];
        assert_eq!((page.name.as_str(), page.hand.as_str(), page.effect.as_str()), ("a", "Do.", "none"));
        assert!(page.is_quiet);
        assert_eq!(page.markup, "<b id=\"go\" class=\"k\" data-control>x</b><i id=\"plain\">y</i>\n");
        assert_eq!(page.controls, [Control { id: "go".to_owned(), x: 1, y: 2, width: 30, height: 40 }]);
        assert!(page.style.starts_with("#go{position:absolute;left:1px;top:2px;width:30px;height:40px"));
    }

    #[test]
    fn what_is_cut_off_is_left_out() {
        assert_eq!(read("<page name=\"a\" title=\"t\" hand=\"h\">\n<b>"), []);
        assert_eq!(read("<page title=\"no name\" hand=\"h\">\n</page>"), []);
        assert_eq!(read(""), []);
    }
}
