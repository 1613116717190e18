//! Names that sites suggest for files, made harmless: what is kept cannot leave its folder, hide,
//! pose as something else in a list, or be taken for an option or a device.

/// Bytes of a whole name; file systems take 255, and a number may be added.
const LONGEST: usize = 150;
const LONGEST_EXTENSION: usize = 20;
/// Names that are devices on some systems, whatever their extension.
const DEVICES: &[&str] = &["CON", "PRN", "AUX", "NUL", "CLOCK$", "CONIN$", "CONOUT$"];

/// Twice, because where a long name was cut, something may look like an extension that was none before.
pub(crate) fn safe_name(suggested: &str) -> String {
    made_safe(&made_safe(suggested))
}

fn made_safe(suggested: &str) -> String {
    let mut cleaned: String = suggested.chars().filter(|c| !is_invisible(*c)).map(harmless).collect();
    let most = 4 * LONGEST;
    if cleaned.len() > most {
        // The beginning says what it is, and the end has the extension.
        let tail = cleaned.char_indices().map(|(at, _)| at).find(|at| at + LONGEST >= cleaned.len()).unwrap_or(0);
        cleaned = format!("{}{}", cut(&cleaned, LONGEST), &cleaned[tail..]);
    }
    let words: Vec<&str> = cleaned.split_whitespace().collect();
    let joined = words.join(" ");
    let name = joined.trim_start_matches(['.', ' ']).trim_end_matches(['.', ' ']);
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && is_extension(extension) => (stem, extension),
        _ => (name, ""),
    };
    let stem = stem.trim_end_matches(['.', ' ']);
    let mark = if is_device(stem) || stem.starts_with(['-', '~']) { "_" } else { "" };
    let whole = format!("{mark}{stem}");
    let stem = if whole.is_empty() { "download" } else { cut(&whole, LONGEST - LONGEST_EXTENSION) };
    if extension.is_empty() { stem.to_string() } else { format!("{stem}.{extension}") }
}

fn is_extension(text: &str) -> bool {
    !text.is_empty() && text.len() < LONGEST_EXTENSION && text.chars().all(char::is_alphanumeric)
}

fn harmless(c: char) -> char {
    let separates = "/\\:*?\"<>|".contains(c);
    if separates || c == '\u{2215}' || c == '\u{2044}' || c == '\u{ff0f}' { '_' } else { c }
}

/// Control and format characters: they turn the direction of text round, or are not seen at all.
fn is_invisible(c: char) -> bool {
    let whitespace = c == '\t' || c == '\n' || c == '\r';
    (c.is_control() && !whitespace)
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e0fff}')
}

fn is_device(stem: &str) -> bool {
    let first = stem.split('.').next().unwrap_or_default().trim().to_uppercase();
    let numbered = ["COM", "LPT"].iter().any(|device| {
        first
            .strip_prefix(device)
            .is_some_and(|rest| rest.chars().count() == 1 && !rest.chars().all(char::is_alphabetic))
    });
    numbered || DEVICES.contains(&first.as_str())
}

fn cut(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].trim_end_matches(['.', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_harmless_and_keep_their_extension() {
        let long = "x".repeat(5000);
        for (suggested, expected) in [
            ("report.pdf", "report.pdf"),
            ("Rechnung März 2026.pdf", "Rechnung März 2026.pdf"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("..\\..\\a.txt", "_.._a.txt"),
            ("/etc/cron.d/x", "_etc_cron.d_x"),
            (".bashrc", "bashrc"),
            ("...", "download"),
            ("", "download"),
            ("   ", "download"),
            (".", "download"),
            ("a\0b\u{7}c.txt", "abc.txt"),
            ("photo\u{202e}gpj.exe", "photogpj.exe"),
            ("\u{200b}\u{feff}.\u{200b}zip", "zip"),
            ("report.pdf             .exe", "report.pdf.exe"),
            ("line\nbreak\t.txt", "line break.txt"),
            ("CON", "_CON"),
            ("nul.txt", "_nul.txt"),
            ("aux.tar.gz", "_aux.tar.gz"),
            ("COM1.log", "_COM1.log"),
            ("common.log", "common.log"),
            ("-rf", "_-rf"),
            ("~root", "_~root"),
            ("a:b*c?.txt", "a_b_c_.txt"),
            ("name.", "name"),
            ("name. . .", "name"),
            ("\u{1f600}.png", "\u{1f600}.png"),
        ] {
            assert_eq!(safe_name(suggested), expected, "{suggested:?}");
        }
        assert!(safe_name(&format!("{}.pdf", "ä".repeat(5000))).ends_with("ä.pdf"));
        let cut = safe_name(&format!("{long}.pdf"));
        assert!(cut.len() <= LONGEST && cut.ends_with("x.pdf"), "{cut}");
        assert!(safe_name(&"ä".repeat(5000)).len() <= LONGEST);
        assert!(safe_name(&format!("a.{long}")).len() <= LONGEST);
    }

    #[test]
    fn no_character_gets_out_of_the_folder() {
        let odd = (0..0x3400).chain(0xf900..=0xffff).chain(0xe_0000..0xe_1000);
        for c in odd.filter_map(char::from_u32) {
            let name = safe_name(&format!("{c}{c}/{c}.txt"));
            assert!(!name.is_empty() && !name.contains(['/', '\0', '\\']) && !name.starts_with('.'), "{c:?} {name:?}");
        }
    }
}
