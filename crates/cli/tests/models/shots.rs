//! The pictures of a request, as a model would get them: found in whatever place the API has for them, decoded, and
//! looked at.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use surehand_types::Pixels;

/// Every picture of a request in order.
pub(crate) fn decoded(request: &Value) -> Vec<Pixels> {
    encoded(request).iter().map(|(_, bytes)| surehand_checks::picture::decode(bytes).unwrap()).collect()
}

/// The last picture, which shows the screen as it is.
pub(crate) fn newest(request: &Value) -> Option<Pixels> {
    encoded(request).last().map(|(_, bytes)| surehand_checks::picture::decode(bytes).unwrap())
}

/// Media type and bytes of every picture.
pub(crate) fn encoded(request: &Value) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    collect(request, &mut found);
    found
}

fn collect(value: &Value, found: &mut Vec<(String, Vec<u8>)>) {
    match value {
        Value::String(text) => {
            if let Some((kind, data)) = text.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")) {
                found.push((kind.to_string(), STANDARD.decode(data).unwrap()));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(fields) => {
            let kind = fields.get("media_type").or_else(|| fields.get("mimeType")).and_then(Value::as_str);
            if let (Some(kind), Some(data)) = (kind, fields.get("data").and_then(Value::as_str)) {
                found.push((kind.to_string(), STANDARD.decode(data).unwrap()));
                return;
            }
            fields.values().for_each(|field| collect(field, found));
        }
        _ => {}
    }
}

/// All texts of a request, without the pictures.
pub(crate) fn words(request: &Value) -> String {
    let mut text = String::new();
    collect_words(request, &mut text);
    text
}

fn collect_words(value: &Value, all: &mut String) {
    match value {
        Value::String(text) if !text.starts_with("data:image/") => {
            all.push_str(text);
            all.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| collect_words(item, all)),
        Value::Object(fields) => {
            for (name, field) in fields {
                if name != "data" {
                    collect_words(field, all);
                }
            }
        }
        _ => {}
    }
}

/// The middle of the magenta square, in pixels of the picture counted from its left and upper edge.
pub(crate) fn square(picture: &Pixels) -> Option<(f64, f64)> {
    let (mut count, mut x, mut y) = (0.0, 0.0, 0.0);
    for (index, rgb) in picture.rgb.chunks_exact(3).enumerate() {
        if is_magenta(rgb) {
            count += 1.0;
            x += (index % picture.width as usize) as f64 + 0.5;
            y += (index / picture.width as usize) as f64 + 0.5;
        }
    }
    (count >= 20.0).then(|| (x / count, y / count))
}

/// Its pixels.
pub(crate) fn square_size(picture: &Pixels) -> usize {
    picture.rgb.chunks_exact(3).filter(|rgb| is_magenta(rgb)).count()
}

fn is_magenta(rgb: &[u8]) -> bool {
    rgb[0] > 200 && rgb[1] < 90 && rgb[2] > 200
}
