// Writes lines of text as a one-page PDF. Our own and uncompressed, so that a test can find the
// text of an invoice in the bytes of the download without a PDF reader.

/// A4 in points, with room for this many lines.
const MOST_LINES: usize = 70;

/// The bytes of a PDF that shows the lines.
pub(crate) fn pdf(lines: &[String]) -> Vec<u8> {
    let mut text = "BT /F1 10 Tf 11 TL 56 786 Td\n".to_owned();
    for line in lines.iter().take(MOST_LINES) {
        text.push_str(&format!("({}) Tj T*\n", escaped(line)));
    }
    text.push_str("ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let mut file = "%PDF-1.4\n".to_owned();
    let mut places = String::new();
    for (index, object) in objects.iter().enumerate() {
        places.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", index + 1));
    }
    let table = file.len();
    let count = objects.len() + 1;
    file.push_str(&format!(
        "xref\n0 {count}\n0000000000 65535 f \n{places}trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"
    ));
    file.into_bytes()
}

/// Escapes what a PDF string gives a meaning; letters outside Latin-1 become question marks.
fn escaped(line: &str) -> String {
    line.chars()
        .map(|character| match character {
            '(' | ')' | '\\' => format!("\\{character}"),
            ' '..='~' => character.to_string(),
            '\u{a0}'..='\u{ff}' => format!("\\{:03o}", u32::from(character)),
            _ => "?".to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_points_at_the_objects_and_the_text_is_escaped() {
        let file = String::from_utf8(pdf(&["Zoë (a\\b) 北".to_owned()])).unwrap();
        assert!(file.contains("(Zo\\353 \\(a\\\\b\\) ?) Tj"));
        let table: usize = file.split("startxref\n").nth(1).unwrap().lines().next().unwrap().parse().unwrap();
        assert!(file[table..].starts_with("xref\n0 6\n"));
        for (index, line) in file[table..].lines().skip(3).take(5).enumerate() {
            let place: usize = line[..10].parse().unwrap();
            assert!(file[place..].starts_with(&format!("{} 0 obj", index + 1)));
        }
    }
}
