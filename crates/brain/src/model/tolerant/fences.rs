//! The blocks between ``` marks.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block<'a> {
    /// The word behind the first mark, like `python`.
    pub(crate) language: &'a str,
    pub(crate) inside: &'a str,
    /// The whole block in the text, marks included.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// All blocks in order; one that is never closed reaches to the end.
pub(crate) fn code_blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("```").map(|offset| at + offset) {
        let head = start + 3;
        let word = text[head..].chars().take_while(|next| next.is_ascii_alphanumeric() || *next == '_').count();
        let language = &text[head..head + word];
        // One line like ```click()``` has no language.
        let behind = &text[head + word..];
        let (language, body) = if behind.starts_with(['\n', '\r', ' ']) || behind.is_empty() {
            (language, head + word)
        } else {
            ("", head)
        };
        let (inside, end) = match text[body..].find("```") {
            Some(length) => (&text[body..body + length], body + length + 3),
            None => (&text[body..], text.len()),
        };
        blocks.push(Block { language, inside: inside.trim(), start, end });
        at = end;
        if blocks.len() >= 100 {
            break;
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::code_blocks;

    #[test]
    fn blocks_and_their_languages() {
        let text = "a ```python\nf()\n``` b ```{\"x\":1}``` c ```json\n{";
        let blocks: Vec<(&str, &str)> = code_blocks(text).iter().map(|block| (block.language, block.inside)).collect();
        assert_eq!(blocks, [("python", "f()"), ("", "{\"x\":1}"), ("json", "{")]);
    }
}
