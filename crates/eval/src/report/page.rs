//! The frame of a report page: self-contained, readable in light and dark, and without any script.

use surehand_trace::report::escape::html;

const STYLE: &str = include_str!("page.css");

/// A whole page; `content` is markup.
pub(super) fn page(title: &str, lead: &str, content: &str) -> String {
    let (title, lead) = (html(title), html(lead));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header><p class=\"brand\">Surehand</p><h1>{title}</h1><p class=\"lead\">{lead}</p></header>\n\
         <main>\n{content}</main>\n</body>\n</html>\n"
    )
}

/// A table with a caption; cells are markup, and the first of a row is its head.
pub(super) fn table(caption: &str, head: &[&str], rows: &[Vec<String>]) -> String {
    let heads: String = head.iter().map(|cell| format!("<th scope=\"col\">{}</th>", html(cell))).collect();
    let body: String = rows
        .iter()
        .map(|row| {
            let cells: String = row
                .iter()
                .enumerate()
                .map(|(column, cell)| match column {
                    0 => format!("<th scope=\"row\">{cell}</th>"),
                    _ => format!("<td>{cell}</td>"),
                })
                .collect();
            format!("<tr>{cells}</tr>\n")
        })
        .collect();
    format!(
        "<section><h2>{}</h2>\n<div class=\"scroll\"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}</tbody></table></div></section>\n",
        html(caption)
    )
}

/// A word with the colour of its meaning.
pub(super) fn badge(tone: &str, text: &str) -> String {
    format!("<span class=\"badge {tone}\">{}</span>", html(text))
}

/// A large figure with its name.
pub(super) fn tile(name: &str, value: &str, tone: &str) -> String {
    format!("<div class=\"tile {tone}\"><strong>{}</strong><span>{}</span></div>\n", html(value), html(name))
}
