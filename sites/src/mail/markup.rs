// Makes the HTML of a composed mail harmless and gives its plain text. Separate because what leaves
// the editor is whatever a page or a program sent, and it is shown again as markup.

/// Tags that are kept, without any attribute, and what they are called afterwards.
const KEPT: &[(&str, &str)] = &[
    ("p", "p"),
    ("div", "p"),
    ("b", "b"),
    ("strong", "b"),
    ("i", "i"),
    ("em", "i"),
    ("u", "u"),
    ("ul", "ul"),
    ("ol", "ol"),
    ("li", "li"),
    ("blockquote", "blockquote"),
];
/// Tags that go together with everything inside them.
const SWALLOWED: &[&str] = &["script", "style", "title", "textarea", "template"];

/// A body in both forms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Body {
    pub(crate) html: String,
    pub(crate) text: String,
}

/// The body of HTML that nobody vouches for.
pub(crate) fn clean(source: &str) -> Body {
    let mut writer = Writer::default();
    let mut rest = source;
    while let Some((text, after)) = rest.split_once('<') {
        writer.text(text);
        let starts_a_tag = after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
        match after.split_once('>') {
            Some((tag, behind)) if starts_a_tag => {
                let name = tag_name(tag);
                rest = behind;
                if !tag.starts_with('/') && SWALLOWED.contains(&name.as_str()) {
                    let end = format!("</{name}");
                    let place = behind.to_ascii_lowercase().find(&end).unwrap_or(behind.len());
                    rest = &behind[place..];
                } else {
                    writer.tag(&name, tag.starts_with('/'));
                }
            }
            // A lone bracket is text.
            _ => {
                writer.text("<");
                rest = after;
            }
        }
    }
    writer.text(rest);
    writer.finish()
}

/// The body of plain text: a paragraph for each part between blank lines.
pub(crate) fn from_text(text: &str) -> Body {
    let html = text.split("\n\n").map(|part| format!("<p>{}</p>", escaped(part).replace('\n', "<br>"))).collect();
    Body { html, text: text.to_owned() }
}

#[derive(Default)]
struct Writer {
    html: String,
    text: String,
    open: Vec<&'static str>,
}

impl Writer {
    fn text(&mut self, source: &str) {
        // Editors put a character without width where the caret must stand, and a space that does
        // not break where somebody typed one at the end of a line; neither was written.
        let text = decoded(source).replace('\u{200b}', "").replace('\u{a0}', " ");
        self.html.push_str(&escaped(&text));
        self.text.push_str(&text);
    }

    fn tag(&mut self, name: &str, closes: bool) {
        if name == "br" {
            self.html.push_str("<br>");
            self.text.push('\n');
            return;
        }
        let Some((_, kept)) = KEPT.iter().find(|(known, _)| *known == name) else {
            return;
        };
        if !closes {
            self.new_line_before(kept);
            self.html.push_str(&format!("<{kept}>"));
            self.open.push(kept);
            return;
        }
        // An end without a beginning is dropped; one that skips others ends those, too.
        if self.open.contains(kept) {
            while let Some(last) = self.open.pop() {
                self.close(last);
                if last == *kept {
                    break;
                }
            }
        }
    }

    fn new_line_before(&mut self, tag: &str) {
        let is_block = !matches!(tag, "b" | "i" | "u");
        if is_block && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        if tag == "li" {
            self.text.push_str("- ");
        }
    }

    fn close(&mut self, tag: &str) {
        self.html.push_str(&format!("</{tag}>"));
        if matches!(tag, "p" | "li" | "blockquote") && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn finish(mut self) -> Body {
        while let Some(last) = self.open.pop() {
            self.close(last);
        }
        Body { html: self.html, text: self.text.trim().to_owned() }
    }
}

fn tag_name(tag: &str) -> String {
    let name: String =
        tag.trim_start_matches('/').chars().take_while(|character| character.is_ascii_alphanumeric()).collect();
    name.to_ascii_lowercase()
}

fn decoded(text: &str) -> String {
    // The ampersand last, so that "&amp;lt;" stays the text "&lt;".
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_markup_stays_and_text_follows_it() {
        let body = clean(
            "<p>Hi <strong class=x>Ada</strong>&nbsp;&amp; all</p><div>two<br>lines</div><ul><li>a</li><li>b</li></ul>",
        );
        assert_eq!(body.html, "<p>Hi <b>Ada</b> &amp; all</p><p>two<br>lines</p><ul><li>a</li><li>b</li></ul>");
        assert_eq!(body.text, "Hi Ada & all\ntwo\nlines\n- a\n- b");
    }

    #[test]
    fn everything_dangerous_goes() {
        for (source, html) in [
            ("<script>alert('<p>')</script>x", "x"),
            ("<SCRIPT src=a>", ""),
            ("<img src=x onerror=alert(1)>x", "x"),
            ("<p onclick=\"a()\">x", "<p>x</p>"),
            ("<a href=\"javascript:a()\">x</a>", "x"),
            ("</p>x</b>", "x"),
            ("<b><i>x</b>y</i>", "<b><i>x</i></b>y"),
            ("1 < 2 & 3 <", "1 &lt; 2 &amp; 3 &lt;"),
            ("&lt;script&gt;", "&lt;script&gt;"),
            ("&amp;lt;b&amp;gt;", "&amp;lt;b&amp;gt;"),
            ("<b>\u{200b}x</b>", "<b>x</b>"),
            ("<!-- <b> -->x", " --&gt;x"),
            ("<p", "&lt;p"),
        ] {
            assert_eq!(clean(source).html, html, "{source}");
        }
    }

    #[test]
    fn plain_text_becomes_paragraphs() {
        assert_eq!(from_text("a & b\nc\n\nd").html, "<p>a &amp; b<br>c</p><p>d</p>");
    }
}
