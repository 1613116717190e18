// Mails that exist under the same id in every seed. Scripts, demos and tests name them, so they
// must not move when somebody edits the word lists.

use super::model::Folder;

pub(crate) struct FixedMail {
    pub(crate) from: (&'static str, &'static str),
    pub(crate) subject: &'static str,
    pub(crate) text: &'static str,
    pub(crate) folder: Folder,
    pub(crate) labels: &'static [&'static str],
    /// Name and content.
    pub(crate) file: Option<(&'static str, &'static str)>,
}

/// The fixed mail with this id, if there is one. Two of them come from people with the same first
/// name, so one has to be told apart from the other. All arrive unread, without star and mark.
pub(crate) fn fixed_mail(id: u32) -> Option<FixedMail> {
    match id {
        3004 => Some(FixedMail {
            from: ("Marisol Vega", "marisol.vega@tidehall.example"),
            subject: "Venue contract for the spring meetup",
            text: "Hi Robin,\n\nthe contract for the boathouse is attached. They hold the date for us until Friday.\n\n\
                   Could you confirm the number of chairs? I wrote sixty, but my memory of our last talk is foggy.\n\n\
                   Marisol",
            folder: Folder::Inbox,
            labels: &["Work"],
            file: Some((
                "boathouse-contract.txt",
                "Boathouse hire, 17 April 2027, 10:00 to 18:00\nChairs: 60\nDeposit: 240.00\n",
            )),
        }),
        3006 => Some(FixedMail {
            from: ("Marisol Vance", "m.vance@copperline.example"),
            subject: "Your quote for the brass fittings",
            text: "Dear Robin Ashdown,\n\nour offer for the brass fittings is 318.40, delivery included.\n\n\
                   It is valid until the end of November.\n\nMarisol Vance, Copperline",
            folder: Folder::Inbox,
            labels: &[],
            file: None,
        }),
        3017 => Some(FixedMail {
            from: ("Tobias Lindgren", "tobias@lindgren-heating.example"),
            subject: "Boiler inspection next week",
            text: "Good morning,\n\nthe yearly inspection of your boiler is due. I could come on Tuesday at 8:15 or on \
                   Thursday at 14:30.\n\nPlease answer with the time that suits you.\n\nTobias Lindgren",
            folder: Folder::Inbox,
            labels: &[],
            file: None,
        }),
        3058 => Some(FixedMail {
            from: ("Noor Haddad", "noor.haddad@lumen.example"),
            subject: "The lighthouse keeper's recipe",
            text: "Robin,\n\nyou asked for the saffron bun recipe from the lighthouse. Here it is:\n\n\
                   500 g flour, 250 ml warm milk, 100 g butter, 75 g sugar, 1 g saffron, a pinch of salt, 25 g yeast.\n\n\
                   Let it rise twice. Do not tell anybody it is this easy.\n\nNoor",
            folder: Folder::Inbox,
            labels: &["Family"],
            file: None,
        }),
        3091 => Some(FixedMail {
            from: ("Prize Desk", "claims@prize-desk.example"),
            subject: "You have been chosen for a golden cruise",
            text: "Congratulations!!!\n\nAnswer within ten minutes to claim your golden cruise.",
            folder: Folder::Spam,
            labels: &[],
            file: None,
        }),
        _ => None,
    }
}
