//! What sites see of the browser: language, time zone, user agent, credentials, certificates.

use surehand_types::Secret;

#[derive(Debug, Clone, Default)]
pub struct SiteSettings {
    /// Like `de-DE`.
    pub locale: Option<String>,
    /// Like `Europe/Berlin`.
    pub timezone: Option<String>,
    pub accept_language: Option<String>,
    pub user_agent: Option<String>,
    /// Proxy server without credentials, for a browser that we launch.
    pub proxy: Option<String>,
    pub proxy_login: Option<Login>,
    pub login: Option<Login>,
    pub ignore_tls_errors: bool,
}

/// A name and a password for HTTP authentication.
#[derive(Debug, Clone)]
pub struct Login {
    pub name: String,
    pub password: Secret,
}

impl SiteSettings {
    /// User agent and languages to present, where either differs from the browser's own.
    pub(crate) fn identity(&self, own_user_agent: &str) -> Option<(String, Option<String>)> {
        let language =
            self.accept_language.as_deref().map(plain_list).or_else(|| self.locale.as_deref().map(languages_of));
        if self.user_agent.is_none() && language.is_none() {
            return None;
        }
        Some((self.user_agent.clone().unwrap_or_else(|| own_user_agent.to_string()), language))
    }

    pub(crate) fn needs_login(&self) -> bool {
        self.login.is_some() || self.proxy_login.is_some()
    }
}

/// Languages without their weights: the browser numbers them itself, by their order.
fn plain_list(header: &str) -> String {
    let mut entries: Vec<(f64, &str)> = header
        .split(',')
        .filter_map(|entry| {
            let (language, rest) = entry.split_once(';').unwrap_or((entry, ""));
            let weight = rest.trim().strip_prefix("q=").and_then(|weight| weight.trim().parse().ok()).unwrap_or(1.0);
            Some((weight, language.trim())).filter(|(_, language)| !language.is_empty())
        })
        .collect();
    entries.sort_by(|a, b| b.0.total_cmp(&a.0));
    entries.iter().map(|(_, language)| *language).collect::<Vec<_>>().join(",")
}

/// The languages a browser of that locale asks for: `de-DE` also reads `de`.
fn languages_of(locale: &str) -> String {
    match locale.split_once(['-', '_']) {
        Some((language, _)) => format!("{},{language}", locale.replace('_', "-")),
        None => locale.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_brings_its_languages_unless_others_were_given() {
        let site = SiteSettings { locale: Some("pt-BR".into()), ..Default::default() };
        assert_eq!(site.identity("UA"), Some(("UA".into(), Some("pt-BR,pt".into()))));
        let given = SiteSettings { accept_language: Some("fr".into()), ..site };
        assert_eq!(given.identity("UA"), Some(("UA".into(), Some("fr".into()))));
        assert_eq!(SiteSettings::default().identity("UA"), None);
        assert_eq!(plain_list("de;q=0.5, fr-CH,fr;q=0.8,,;q=1"), "fr-CH,fr,de");
    }
}
