//! Tables as text: values between commas, semicolons or tabs, with quotes as spreadsheets write them (RFC 4180). Every
//! cell stays the text that it is.

use serde_json::{Map, Value, json};

const MOST_CELLS: usize = 2_000_000;

/// All lines as lists. The separator is the one of `,` `;` and tab that the first line has most of outside of quotes.
pub fn rows(text: &str) -> Result<Vec<Vec<String>>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let separator = separator(text);
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut cells = 0;
    let mut signs = text.chars().peekable();
    let mut quoted = false;
    let mut begun = false;
    while let Some(sign) = signs.next() {
        match sign {
            '"' if quoted && signs.peek() == Some(&'"') => {
                signs.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.is_empty() => (quoted, begun) = (true, true),
            _ if quoted => cell.push(sign),
            '\r' if signs.peek() == Some(&'\n') => {}
            '\n' | '\r' => {
                if begun || !cell.is_empty() || !row.is_empty() {
                    row.push(std::mem::take(&mut cell));
                    rows.push(std::mem::take(&mut row));
                }
                begun = false;
            }
            _ if sign == separator => {
                row.push(std::mem::take(&mut cell));
                cells += 1;
                if cells > MOST_CELLS {
                    return Err(format!("it has more than {MOST_CELLS} cells"));
                }
            }
            _ => cell.push(sign),
        }
    }
    if quoted {
        return Err("a quote is not closed".into());
    }
    if begun || !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    Ok(rows)
}

/// One object for each line, by the headings in the first one.
pub fn records(text: &str) -> Result<Value, String> {
    let mut rows = rows(text)?.into_iter();
    let names = headings(&rows.next().unwrap_or_default());
    let records = rows.enumerate().map(|(at, row)| {
        if row.len() != names.len() {
            return Err(format!("line {} has {} cells, and there are {} headings", at + 2, row.len(), names.len()));
        }
        Ok(Value::Object(names.iter().cloned().zip(row.into_iter().map(Value::from)).collect::<Map<_, _>>()))
    });
    Ok(Value::Array(records.collect::<Result<_, _>>()?))
}

pub fn lists(text: &str) -> Result<Value, String> {
    Ok(json!(rows(text)?))
}

/// Headings as names: trimmed, never empty, each once.
pub fn headings(cells: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, cell) in cells.iter().enumerate() {
        let words = cell.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = if words.is_empty() { format!("column {}", at + 1) } else { words };
        let twice = (2..).map(|number| format!("{name} {number}"));
        let free = std::iter::once(name.clone()).chain(twice).find(|name| !names.contains(name));
        names.push(free.unwrap_or(name));
    }
    names
}

fn separator(text: &str) -> char {
    let mut counts = [(',', 0), (';', 0), ('\t', 0)];
    let mut quoted = false;
    for sign in text.chars() {
        match sign {
            '"' => quoted = !quoted,
            '\n' if !quoted => break,
            _ if quoted => {}
            _ => counts.iter_mut().filter(|(known, _)| *known == sign).for_each(|(_, count)| *count += 1),
        }
    }
    // The first one wins where there is none at all.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map_or(',', |(separator, _)| separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_records() {
        let text = "\u{feff}Name;Total;Name\r\n\"Ada \"\"A\"\"; L\";1,5;x\r\n;;\r\n\n";
        assert_eq!(
            records(text).unwrap(),
            json!([{"Name": "Ada \"A\"; L", "Total": "1,5", "Name 2": "x"}, {"Name": "", "Total": "", "Name 2": ""}])
        );
        assert_eq!(lists("a\tb\n1\t\"2\n3\"").unwrap(), json!([["a", "b"], ["1", "2\n3"]]));
        assert_eq!(lists("only\nthis\n").unwrap(), json!([["only"], ["this"]]));
        assert_eq!(records("").unwrap(), json!([]));
        assert!(records("a,b\n1\n").unwrap_err().contains("line 2 has 1 cells"));
        assert!(rows("\"open").unwrap_err().contains("not closed"));
        assert_eq!(headings(&["".into(), " a  b ".into()]), ["column 1", "a b"]);
    }
}
