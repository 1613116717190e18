//! The word that opens a display of ours. Without one, every user of the machine could look at it and
//! type into it.

use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

pub(super) const COOKIE_NAME: &str = "MIT-MAGIC-COOKIE-1";

/// Matches every address in an authority file.
const FAMILY_WILD: u16 = 0xffff;

/// Writes a fresh cookie to an authority file that the server and its applications read.
pub(super) fn write_cookie(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut cookie = vec![0; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut cookie)?;
    let mut out = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
    out.write_all(&entry(&cookie))?;
    Ok(cookie)
}

/// One entry: family, then address, display number, name and data, each with its length before it.
fn entry(cookie: &[u8]) -> Vec<u8> {
    let mut bytes = FAMILY_WILD.to_be_bytes().to_vec();
    for field in [b"".as_slice(), b"", COOKIE_NAME.as_bytes(), cookie] {
        bytes.extend(u16::try_from(field.len()).unwrap_or_default().to_be_bytes());
        bytes.extend(field);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_what_xauth_writes() {
        let bytes = entry(&[1, 2, 3]);
        assert_eq!(bytes[..6], [0xff, 0xff, 0, 0, 0, 0]);
        assert_eq!(bytes[6..8], [0, 18]);
        assert_eq!(&bytes[8..26], COOKIE_NAME.as_bytes());
        assert_eq!(bytes[26..], [0, 3, 1, 2, 3]);
    }
}
