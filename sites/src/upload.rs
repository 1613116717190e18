// Reads forms that carry files, and what a site remembers of a file. Separate because every site
// that accepts files must bound names alike and tell a file apart without keeping its content.

use axum::extract::Multipart;
use axum::extract::multipart::MultipartRejection;
use serde::Serialize;

use crate::reply::ErrorReply;

/// Longer names are cut; no file system the tests run on allows more.
const MOST_NAME_CHARACTERS: usize = 255;

/// A form as it came in.
#[derive(Debug, Default)]
pub(crate) struct Form {
    texts: Vec<(String, String)>,
    files: Vec<(String, Upload)>,
}

/// A file with its content.
#[derive(Debug)]
pub(crate) struct Upload {
    pub(crate) facts: FileFacts,
    pub(crate) content: Vec<u8>,
}

/// What the state tells of a file: enough to see that it is the right one and arrived whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct FileFacts {
    pub(crate) name: String,
    pub(crate) bytes: usize,
    pub(crate) media_type: String,
    /// CRC-32 as in zip and gzip, eight hexadecimal digits.
    pub(crate) crc32: String,
}

impl FileFacts {
    pub(crate) fn of(name: String, media_type: &str, content: &[u8]) -> FileFacts {
        FileFacts { name, bytes: content.len(), media_type: media_type.to_owned(), crc32: crc32_text(content) }
    }
}

impl Form {
    pub(crate) async fn read(multipart: Result<Multipart, MultipartRejection>) -> Result<Form, ErrorReply> {
        let unreadable = || ErrorReply::bad_request("The body is not a readable multipart form.");
        let mut multipart = multipart.map_err(|_| unreadable())?;
        let mut form = Form::default();
        while let Some(part) = multipart.next_field().await.map_err(|_| unreadable())? {
            let field = part.name().unwrap_or_default().to_owned();
            let file_name = part.file_name().map(plain_name);
            let media_type = part.content_type().unwrap_or("application/octet-stream").to_owned();
            let content = part.bytes().await.map_err(|_| unreadable())?.to_vec();
            match file_name {
                None => form.texts.push((field, String::from_utf8(content).map_err(|_| unreadable())?)),
                // A browser sends a part without a name for a file field that nobody filled.
                Some(name) if name.is_empty() => {}
                Some(name) => {
                    let facts = FileFacts::of(name, &media_type, &content);
                    form.files.push((field, Upload { facts, content }));
                }
            }
        }
        Ok(form)
    }

    /// The first text of that name.
    pub(crate) fn text(&self, field: &str) -> Option<&str> {
        self.texts.iter().find(|(name, _)| name == field).map(|(_, text)| text.as_str())
    }

    /// Every file of that name, in the order they were sent.
    pub(crate) fn take_files(&mut self, field: &str) -> Vec<Upload> {
        let (wanted, others) = std::mem::take(&mut self.files).into_iter().partition(|(name, _)| name == field);
        self.files = others;
        let wanted: Vec<(String, Upload)> = wanted;
        wanted.into_iter().map(|(_, upload)| upload).collect()
    }
}

/// The name without any folder, so that a sender cannot choose a place with it.
fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    last.chars().filter(|character| !character.is_control()).take(MOST_NAME_CHARACTERS).collect()
}

fn crc32_text(content: &[u8]) -> String {
    let mut sum = u32::MAX;
    for byte in content {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            let mask = (sum & 1).wrapping_neg();
            sum = (sum >> 1) ^ (0xEDB8_8320 & mask);
        }
    }
    format!("{:08x}", !sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums() {
        assert_eq!(crc32_text(b""), "00000000");
        assert_eq!(crc32_text(b"123456789"), "cbf43926");
    }

    #[test]
    fn names_lose_folders_and_control_characters() {
        assert_eq!(plain_name("C:\\docs\\order.pdf"), "order.pdf");
        assert_eq!(plain_name("../../etc/pass\u{0}wd"), "passwd");
        assert_eq!(plain_name(""), "");
    }
}
