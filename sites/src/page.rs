// Fills placeholders in embedded HTML. One pass over the template, so a value that happens to
// contain `{{...}}` or markup is shown as text and never interpreted.

/// A value for a placeholder.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fill<'a> {
    /// Escaped before it is put in.
    Text(&'a str),
    /// Put in as it is; only for markup of our own.
    Markup(&'a str),
}

/// Replaces each `{{name}}` by its value; a name without a value disappears.
pub(crate) fn fill(template: &str, values: &[(&str, Fill<'_>)]) -> String {
    let mut output = String::with_capacity(template.len() + 1024);
    let mut rest = template;
    while let Some((before, after_open)) = rest.split_once("{{") {
        output.push_str(before);
        let Some((name, after_close)) = after_open.split_once("}}") else {
            output.push_str("{{");
            rest = after_open;
            continue;
        };
        match values.iter().find(|(known, _)| *known == name) {
            Some((_, Fill::Text(text))) => push_escaped(&mut output, text),
            Some((_, Fill::Markup(markup))) => output.push_str(markup),
            None => {}
        }
        rest = after_close;
    }
    output.push_str(rest);
    output
}

fn push_escaped(output: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => output.push_str("&amp;"),
            '<' => output.push_str("&lt;"),
            '>' => output.push_str("&gt;"),
            '"' => output.push_str("&quot;"),
            '\'' => output.push_str("&#39;"),
            other => output.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_markup_is_not_and_values_are_not_filled_again() {
        let page = fill(
            "<t>{{title}}</t>{{body}}{{missing}}{{open",
            &[("title", Fill::Text("<a> & {{body}}")), ("body", Fill::Markup("<p>\"hi\"</p>"))],
        );
        assert_eq!(page, "<t>&lt;a&gt; &amp; {{body}}</t><p>\"hi\"</p>{{open");
    }
}
