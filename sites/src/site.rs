// The list of sites and how each is named. Separate from the server so that adding a site
// touches this list and the site's own folder, nothing else.

use std::fmt;
use std::str::FromStr;

use crate::SiteError;
use crate::crm;
use crate::parts::SiteParts;

/// A site this crate can serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Site {
    /// A customer database with login, search, forms and a consent banner.
    Crm,
}

impl Site {
    /// Every site, in the order they are listed to people.
    pub const ALL: &'static [Site] = &[Site::Crm];

    /// The name used on command lines and in task files.
    pub fn name(self) -> &'static str {
        match self {
            Site::Crm => "crm",
        }
    }

    /// One line for listings.
    pub fn description(self) -> &'static str {
        match self {
            Site::Crm => "Northbeam CRM: login, 240 contacts, search, edit form, delete dialog, consent banner",
        }
    }

    pub(crate) fn parts(self) -> SiteParts {
        match self {
            Site::Crm => crm::parts(),
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Site {
    type Err = SiteError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Site::ALL.iter().copied().find(|site| site.name() == text).ok_or_else(|| SiteError::UnknownSite {
            name: text.to_owned(),
            known: Site::ALL.iter().map(|site| site.name()).collect::<Vec<_>>().join(", "),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back_and_an_unknown_name_lists_the_known_ones() {
        for site in Site::ALL {
            assert_eq!(site.name().parse::<Site>().unwrap(), *site);
        }
        let message = "crn".parse::<Site>().unwrap_err().to_string();
        assert_eq!(message, r#"there is no site named "crn"; known sites: crm"#);
    }
}
