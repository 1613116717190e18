// The list of sites and how each is named. Separate from the server so that adding a site
// touches this list and the site's own folder, nothing else.

use std::fmt;
use std::str::FromStr;

use crate::SiteError;
use crate::parts::SiteParts;
use crate::{board, crm, fault, hostile, lab, mail, player, shop, studio, traps};

/// A site this crate can serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Site {
    /// A customer database with login, search, forms and a consent banner.
    Crm,
    /// A shop with variants, a cart and a checkout.
    Shop,
    /// A dense mail client with a rich text editor.
    Mail,
    /// A kanban board with drag-and-drop.
    Board,
    /// A media player with controls that hide.
    Player,
    /// A step sequencer with look-alike rows.
    Studio,
    /// One small page per protocol trap and per odd control.
    Lab,
    /// Controls that are dead or alive in known ways, beside noise.
    Fault,
    /// Pages that try to make a brain harm its user.
    Hostile,
    /// Pages on which the obvious way has no effect.
    Traps,
}

impl Site {
    /// Every site, in the order they are listed to people.
    pub const ALL: &'static [Site] = &[
        Site::Crm,
        Site::Shop,
        Site::Mail,
        Site::Board,
        Site::Player,
        Site::Studio,
        Site::Lab,
        Site::Fault,
        Site::Hostile,
        Site::Traps,
    ];

    /// The name used on command lines and in task files.
    pub fn name(self) -> &'static str {
        match self {
            Site::Crm => "crm",
            Site::Shop => "shop",
            Site::Mail => "mail",
            Site::Board => "board",
            Site::Player => "player",
            Site::Studio => "studio",
            Site::Lab => "lab",
            Site::Fault => "fault",
            Site::Hostile => "hostile",
            Site::Traps => "traps",
        }
    }

    /// One line for listings.
    pub fn description(self) -> &'static str {
        match self {
            Site::Crm => "Northbeam CRM: login, 240 contacts, search, edit form, delete dialog, consent banner",
            Site::Shop => {
                "Fernhill Supply: catalogue, variants in a select, cart, checkout with upload and payment frame"
            }
            Site::Mail => "Pinemail: dense rows with tiny icons, labels, compose window with rich text, attachments",
            Site::Board => "Cardwall: kanban with drag-and-drop, controls that appear on hover, inline edit",
            Site::Player => "Reelroom: player with auto-hiding controls, a thin seek bar, a canvas",
            Site::Studio => "Stepyard: a step sequencer with look-alike rows, mutes, switches, three skins",
            Site::Lab => "Lab: one small page per protocol trap and odd control, each checking its own event log",
            Site::Fault => {
                "Fault: controls that are dead or alive in known ways, beside noise the page makes by itself"
            }
            Site::Hostile => "Hostile: pages that try to make a brain steal, pay, delete or lie for them",
            Site::Traps => "Larkfield Office: pages on which the obvious way has no effect and another one works",
        }
    }

    pub(crate) fn parts(self) -> SiteParts {
        match self {
            Site::Crm => crm::parts(),
            Site::Shop => shop::parts(),
            Site::Mail => mail::parts(),
            Site::Board => board::parts(),
            Site::Player => player::parts(),
            Site::Studio => studio::parts(),
            Site::Lab => lab::parts(),
            Site::Fault => fault::parts(),
            Site::Hostile => hostile::parts(),
            Site::Traps => traps::parts(),
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
        assert_eq!(
            message,
            r#"there is no site named "crn"; known sites: crm, shop, mail, board, player, studio, lab, fault, hostile, traps"#
        );
    }
}
