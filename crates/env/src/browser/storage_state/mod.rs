//! Login state as a file: cookies and local storage, in the JSON shape that Playwright reads and
//! writes. `parse` takes it from outside, `transfer` moves it in and out of a session.

mod parse;
mod transfer;
pub(crate) mod wire;

use std::path::Path;

use serde::Serialize;

use super::private_files;

pub use parse::ParsedState;
pub use transfer::{Import, export_session, import_session};

/// Replaces the file in one step; only its owner may read it.
pub fn write_state_file(path: &Path, state: &StorageState) -> std::io::Result<()> {
    private_files::write_file(path, state.to_json().as_bytes())
}

/// The content of a regular file of at most this size.
pub fn read_state_file(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    private_files::read_file(path, most)
}

/// Larger files are refused: no real login state comes near it.
pub const LARGEST_STATE: u64 = 50_000_000;

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct StorageState {
    pub cookies: Vec<Cookie>,
    pub origins: Vec<OriginState>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    pub name: String,
    pub value: String,
    /// With a dot in front it holds for every host below as well.
    pub domain: String,
    pub path: String,
    /// Seconds since 1970; `None` is a cookie that ends with its browser, written as -1.
    #[serde(serialize_with = "expires_or_minus_one")]
    pub expires: Option<f64>,
    pub http_only: bool,
    pub secure: bool,
    /// Cookies that say nothing are treated as `Lax` by Chromium.
    pub same_site: SameSite,
    /// The site under which a cookie of an embedded frame was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition_key: Option<String>,
    #[serde(rename = "_crHasCrossSiteAncestor", skip_serializing_if = "Option::is_none")]
    pub cross_site_ancestor: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum SameSite {
    Strict,
    Lax,
    None,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OriginState {
    pub origin: String,
    pub local_storage: Vec<StorageItem>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StorageItem {
    pub name: String,
    pub value: String,
}

impl StorageState {
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl Cookie {
    /// Whether both are the same cookie to a browser, whatever its value.
    pub(crate) fn is_same(&self, other: &Cookie) -> bool {
        let same_domain = self.domain.eq_ignore_ascii_case(&other.domain);
        same_domain && (&self.name, &self.path, &self.partition_key) == (&other.name, &other.path, &other.partition_key)
    }
}

impl SameSite {
    const ALL: [(&'static str, SameSite); 3] =
        [("Strict", SameSite::Strict), ("Lax", SameSite::Lax), ("None", SameSite::None)];

    fn named(name: &str) -> Option<SameSite> {
        SameSite::ALL.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

fn expires_or_minus_one<S: serde::Serializer>(expires: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match expires {
        Some(seconds) => serializer.serialize_f64(*seconds),
        None => serializer.serialize_i64(-1),
    }
}
