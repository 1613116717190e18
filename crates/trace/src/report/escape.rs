//! Making untrusted text harmless. Page titles, messages and a brain's words are hostile input
//! for a terminal and for a web page alike; every view passes them through here.

use serde_json::Value;

/// Text for element content and for attributes in double or single quotes.
pub fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            other => out.push(visible(other)),
        }
    }
    out
}

/// JSON inside a script element. No `<` may be left, or `</script>` inside a string would end it;
/// the two line separators are ends of line for old JavaScript.
pub fn script_json(value: &Value) -> String {
    let mut out = String::new();
    for c in value.to_string().chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            steering if visible(steering) != steering => {
                out.push_str(&format!("\\u{:04x}", u32::from(steering)));
            }
            other => out.push(other),
        }
    }
    out
}

/// The character itself, or the replacement character for one that would steer what shows it:
/// control codes (terminal sequences) and directional overrides (text that reads backwards).
pub fn visible(c: char) -> char {
    let steers =
        c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
    if steers { '\u{fffd}' } else { c }
}

/// Several lines of text for a terminal: line breaks stay, everything that steers goes.
pub fn terminal(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c == '\n' {
                c
            } else if c == '\t' {
                ' '
            } else {
                visible(c)
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn html_has_no_way_out_of_text_or_attribute() {
        let hostile = "</script><img src=x onerror=\"alert('1')\">&\u{1b}[2J\u{202e}\0";
        assert_eq!(
            html(hostile),
            "&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;\u{fffd}[2J\u{fffd}\u{fffd}"
        );
        assert_eq!(html("ünï\n\tcode"), "ünï\n\tcode");
    }

    #[test]
    fn json_in_a_script_stays_json_and_cannot_close_it() {
        let value = json!({"title": "</script><!--<script>&\u{2028}\u{202e}\u{7f}\"quoted\""});
        let text = script_json(&value);
        assert!(!text.contains(['<', '>', '&', '\u{2028}', '\u{202e}', '\u{7f}']), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn a_terminal_is_not_steered() {
        assert_eq!(terminal("a\n\u{1b}]0;x\u{7}b\tc"), "a\n\u{fffd}]0;x\u{fffd}b c");
    }
}
