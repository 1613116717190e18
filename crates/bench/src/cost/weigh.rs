//! What one request to a model weighs: bytes, pictures, and tokens by one estimate for everybody. The shapes of all
//! known APIs are searched for pictures, so that nobody is counted by a rule of their own.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::Value;

/// Pixels of one token; the rule that a provider publishes for its models.
const PIXELS_PER_TOKEN: u64 = 750;
/// Bytes of one token in English text and JSON.
const BYTES_PER_TOKEN: u64 = 4;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Weight {
    /// The body as it was sent.
    pub(crate) bytes: u64,
    pub(crate) images: u64,
    /// Those of the bytes that are pictures, as Base64.
    pub(crate) image_bytes: u64,
    pub(crate) estimated_tokens: u64,
}

impl Weight {
    pub(crate) fn of(length: usize, body: &Value) -> Weight {
        let mut pictures = Vec::new();
        collect(body, &mut pictures);
        let image_bytes: u64 = pictures.iter().map(|data| data.len() as u64).sum();
        let pixels: u64 = pictures.iter().filter_map(|data| pixels(data)).sum();
        let bytes = length as u64;
        let text_tokens = bytes.saturating_sub(image_bytes) / BYTES_PER_TOKEN;
        let estimated_tokens = text_tokens + pixels / PIXELS_PER_TOKEN;
        Weight { bytes, images: pictures.len() as u64, image_bytes, estimated_tokens }
    }
}

impl std::ops::AddAssign for Weight {
    fn add_assign(&mut self, other: Weight) {
        self.bytes += other.bytes;
        self.images += other.images;
        self.image_bytes += other.image_bytes;
        self.estimated_tokens += other.estimated_tokens;
    }
}

/// The Base64 text of every picture: data URLs anywhere, and objects with data beside a media type.
fn collect<'a>(value: &'a Value, pictures: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => {
            let data = text.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,"));
            pictures.extend(data.map(|(_, data)| data));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, pictures)),
        Value::Object(fields) => {
            let kind = ["media_type", "mimeType", "mime_type"].iter().find_map(|name| fields.get(*name)?.as_str());
            let is_picture = kind.is_some_and(|kind| kind.starts_with("image/"));
            match fields.get("data").and_then(Value::as_str) {
                Some(data) if is_picture => pictures.push(data),
                _ => fields.values().for_each(|field| collect(field, pictures)),
            }
        }
        _ => {}
    }
}

/// The size of a picture, from the head of its file.
fn pixels(data: &str) -> Option<u64> {
    let bytes = STANDARD.decode(data).ok()?;
    let number = |at: usize, length: usize| {
        let part = bytes.get(at..at + length)?;
        Some(part.iter().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte)))
    };
    if bytes.starts_with(b"\x89PNG") {
        return Some(number(16, 4)? * number(20, 4)?);
    }
    // JPEG: segment by segment, to the one that begins a frame.
    let mut at = 2;
    loop {
        let (mark, length) = (number(at, 2)?, number(at + 2, 2)?);
        if matches!(mark, 0xffc0..=0xffc3) {
            return Some(number(at + 5, 2)? * number(at + 7, 2)?);
        }
        at += 2 + usize::try_from(length.max(2)).ok()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The head of a PNG of 1280x720, which is all that is read.
    fn png() -> String {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(1280_u32.to_be_bytes());
        bytes.extend(720_u32.to_be_bytes());
        STANDARD.encode(bytes)
    }

    #[test]
    fn pictures_are_found_in_every_shape() {
        let data = png();
        let url = format!("data:image/png;base64,{data}");
        for shape in [
            json!([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}]),
            json!({"content": [{"type": "image_url", "image_url": {"url": url}}]}),
            json!({"output": {"type": "computer_screenshot", "image_url": url}}),
            json!({"parts": [{"inlineData": {"mimeType": "image/png", "data": data}}]}),
            json!({"parts": [{"inline_data": {"mime_type": "image/png", "data": data}}]}),
        ] {
            let length = shape.to_string().len();
            let weight = Weight::of(length, &shape);
            assert_eq!((weight.images, weight.image_bytes), (1, data.len() as u64), "{shape}");
            let expected = 1280 * 720 / 750 + (length - data.len()) as u64 / 4;
            assert_eq!(weight.estimated_tokens, expected, "{shape}");
        }
        assert_eq!(Weight::of(9, &json!({"data": "no picture"})).images, 0);
    }

    #[test]
    fn the_size_of_a_jpeg_is_read_behind_its_other_segments() {
        let bytes = [b"\xff\xd8\xff\xe0\0\x04ab".as_slice(), b"\xff\xc0\0\x0b\x08\x02\xd0\x05\0\x03"].concat();
        assert_eq!(pixels(&STANDARD.encode(bytes)), Some(1280 * 720));
        assert_eq!(pixels(&STANDARD.encode("\u{1}\u{2}\u{3}")), None);
    }
}
