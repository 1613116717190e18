// Contacts that exist under the same id in every seed. Scripts, demos and tests name them, so
// they must not move when somebody edits the word lists.

use super::contact::{ContactFields, OWNERS, Status};

/// The fixed contact with this id, if there is one. "Raman" occurs once in the whole database,
/// "Priya" twice: one search that is unique and one that has to be told apart.
pub(crate) fn fixed_contact(id: u32) -> Option<ContactFields> {
    match id {
        1087 => Some(ContactFields {
            first_name: "Priya".to_owned(),
            last_name: "Raman".to_owned(),
            company: "Halden Optics".to_owned(),
            email: "priya.raman@haldenoptics.example".to_owned(),
            phone: "+1 206 555 0142".to_owned(),
            city: "Seattle".to_owned(),
            status: Status::Prospect,
            owner: OWNERS[0].to_owned(),
            newsletter: false,
            notes: "Wants a pilot for the Seattle lab before the end of the quarter. \
                    Number above is the old desk phone."
                .to_owned(),
        }),
        1134 => Some(ContactFields {
            first_name: "Priya".to_owned(),
            last_name: "Nair".to_owned(),
            company: "Wrenfield Press".to_owned(),
            email: "priya.nair@wrenfield.example".to_owned(),
            phone: "+44 20 7946 0318".to_owned(),
            city: "London".to_owned(),
            status: Status::Customer,
            owner: OWNERS[2].to_owned(),
            newsletter: true,
            notes: "Long-standing customer. Renewal is handled by the London office.".to_owned(),
        }),
        _ => None,
    }
}
