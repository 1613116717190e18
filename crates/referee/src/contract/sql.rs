//! Whether a statement only reads. The database is opened for reading as well; this is so that a contract is
//! refused when it is written and not when it is needed.

/// The statement without its last semicolon.
pub(crate) fn only_reads(sql: &str) -> Result<String, String> {
    let bare = without_literals(sql)?;
    let statement = bare.trim().trim_end_matches(';').trim_end();
    if statement.contains(';') {
        return Err("there is more than one statement".into());
    }
    let first: String = statement.chars().take_while(|c| c.is_ascii_alphabetic()).collect();
    if !matches!(first.to_ascii_lowercase().as_str(), "select" | "with" | "values") {
        return Err("a check may only look: it wants one SELECT".into());
    }
    // `WITH … DELETE` begins like a query. The words cannot be names of columns without quotes.
    let words = statement.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    for word in words {
        let word = word.to_ascii_lowercase();
        if matches!(word.as_str(), "insert" | "update" | "delete" | "attach" | "detach" | "pragma" | "vacuum") {
            return Err(format!("a check may only look: `{word}` is not allowed. hint: quote it if it is a name"));
        }
    }
    Ok(sql.trim().trim_end_matches(';').trim_end().to_owned())
}

/// Texts and quoted names become nothing, so that words in them do not count. Comments are refused: they can
/// hide what a statement does from whoever reads it.
fn without_literals(sql: &str) -> Result<String, String> {
    let mut bare = String::new();
    let mut rest = sql.chars().peekable();
    while let Some(c) = rest.next() {
        let end = match c {
            '\'' | '"' | '`' => c,
            '[' => ']',
            // Of SQLite's variables some may hold a quote and more, and there is nothing that they could stand for.
            '?' | '$' | '@' | ':' | '#' => {
                return Err(format!("there is a variable ({c}) in it, and nothing to put there"));
            }
            other if other.is_control() && !other.is_ascii_whitespace() => {
                return Err("there is a character in it that nobody can see".into());
            }
            '-' if rest.peek() == Some(&'-') => return Err("there is a comment in it".into()),
            '/' if rest.peek() == Some(&'*') => return Err("there is a comment in it".into()),
            other => {
                bare.push(other);
                continue;
            }
        };
        bare.push(' ');
        if !rest.any(|inner| inner == end) {
            return Err(format!("a quote ({c}) is not closed"));
        }
    }
    Ok(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_select_and_nothing_else() {
        for fine in [
            "SELECT 1",
            " select a from b where c = 'delete; -- x'; ",
            "WITH t AS (SELECT 1) SELECT * FROM t",
            "SELECT \"update\", replace(a, 'x', 'y') FROM [odd name]",
            "SELECT 'it''s' AS x",
            "SELECT updated_at FROM t",
            "SELECT '12:30 $ ? @ #', \"a$b\"\n\tFROM t",
        ] {
            assert!(only_reads(fine).is_ok(), "{fine}: {:?}", only_reads(fine));
        }
        for wrong in [
            "",
            "DELETE FROM t",
            "SELECT 1; DROP TABLE t",
            "WITH t AS (SELECT 1) DELETE FROM x",
            "PRAGMA journal_mode=DELETE",
            "ATTACH 'x' AS y",
            "SELECT 1 -- hidden",
            "SELECT /* hidden */ 1",
            "SELECT 'open",
            "EXPLAIN SELECT 1",
            "SELECT $1('); ATTACH 'x' AS y; SELECT $2(')",
            "SELECT $a::b('); DROP TABLE t; --')",
            "SELECT ?1",
            "SELECT :name, @name, #1",
            "SELECT 1\0; DROP TABLE t",
        ] {
            assert!(only_reads(wrong).is_err(), "{wrong}");
        }
        assert_eq!(only_reads("SELECT 1 ; ").unwrap(), "SELECT 1");
    }
}
