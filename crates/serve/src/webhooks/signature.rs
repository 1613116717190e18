//! Who calls: HMAC-SHA256 over the moment and the body. The moment is in it so that a call which was overheard cannot be
//! made again later.

use ring::hmac::{HMAC_SHA256, Key, sign};

/// Shortest secret: anything less can be guessed.
pub(crate) const SHORTEST: usize = 16;

/// The value of the header, for a moment in seconds since 1970.
pub(crate) fn header(secret: &[u8], at: i64, body: &[u8]) -> String {
    let mut signed = format!("{at}.").into_bytes();
    signed.extend_from_slice(body);
    let tag = sign(&Key::new(HMAC_SHA256, secret), &signed);
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={at},v1={hex}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_plain_hmac() {
        // printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac a-secret-of-16-bytes
        let expected = "t=1700000000,v1=001f7b5df107572ddd8913cfe09db99120e472c5ca61a1f99f60db0123c42104";
        assert_eq!(header(b"a-secret-of-16-bytes", 1_700_000_000, b"{\"a\":1}"), expected);
    }
}
