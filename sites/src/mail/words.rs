// Word lists of the generated mails: people, subjects and bodies. Every person and address is
// invented, and the domains are reserved for examples.

/// Name and address of the people who write.
pub(crate) const PEOPLE: &[(&str, &str)] = &[
    ("Marisol Vega", "marisol.vega@tidehall.example"),
    ("Marisol Vance", "m.vance@copperline.example"),
    ("Tobias Lindgren", "tobias@lindgren-heating.example"),
    ("Noor Haddad", "noor.haddad@lumen.example"),
    ("Agnes Okoro", "agnes.okoro@brightpath.example"),
    ("Felix Brandt", "felix.brandt@wharfside.example"),
    ("Ivy Castellan", "ivy@castellan.example"),
    ("Pavel Dvorak", "pavel.dvorak@stonebridge.example"),
    ("Harriet Lowe", "harriet.lowe@lowefamily.example"),
    ("Samuel Lowe", "sam.lowe@lowefamily.example"),
    ("Yuki Tanabe", "yuki.tanabe@paperkite.example"),
    ("Caspian Moore", "caspian@mooreworks.example"),
    ("Leila Farahani", "leila.f@northquay.example"),
    ("Bruno Keller", "bruno.keller@alpenhof.example"),
    ("Dora Simmons", "dora.simmons@gardenclub.example"),
    ("Emeka Nwosu", "emeka@nwosu-design.example"),
    ("Greta Halloran", "greta.halloran@millpond.example"),
    ("Hector Ruiz", "hector.ruiz@trailhead.example"),
    ("Juniper Books", "orders@juniperbooks.example"),
    ("Ferry Line North", "bookings@ferrynorth.example"),
    ("City Library", "notices@citylibrary.example"),
    ("Cobbler Street Coffee", "hello@cobblerstreet.example"),
];

/// Subject and body; `{n}` becomes a number, `{month}`, `{place}` and `{day}` a word.
pub(crate) const TOPICS: &[(&str, &str)] = &[
    (
        "Notes from the {day} planning call",
        "Thanks for joining on {day}. I wrote down what we agreed and who does what.\n\nThe open point is the budget line for {month}; Agnes will check it before the next call.",
    ),
    (
        "Draft agenda for {month}",
        "Here is a first agenda for {month}. I left twenty minutes at the end for anything that comes up.\n\nPlease tell me by {day} if something is missing.",
    ),
    (
        "Receipt {n}",
        "Thank you for your order. Your payment has arrived and the parcel leaves on {day}.\n\nKeep this receipt for your records. Its number is {n}.",
    ),
    (
        "Train to {place} on {day}",
        "I found a connection to {place} that leaves a little later, so we do not have to hurry.\n\nShall I book two seats by the window?",
    ),
    (
        "Dinner on {day}?",
        "We are cooking on {day} and there is far too much of everything.\n\nCome around seven, and bring nothing but yourself.",
    ),
    (
        "Question about invoice {n}",
        "The amount on invoice {n} differs from the offer by a small sum.\n\nCould you look into it, or tell me whom to ask?",
    ),
    (
        "Photos from {place}",
        "I finally sorted the pictures from {place}. The light on the second morning was unbelievable.\n\nTake whatever you like for the calendar.",
    ),
    (
        "Reminder: library books due on {day}",
        "Three of the books you borrowed are due on {day}.\n\nYou can extend them twice on our page or at the desk.",
    ),
    (
        "Your table on {day} is confirmed",
        "We look forward to seeing you on {day}. The table is yours for two hours.\n\nIf plans change, an answer to this mail is enough.",
    ),
    (
        "Ferry to {place}: boarding times",
        "Boarding for {place} begins forty minutes before departure. Foot passengers use gate two.\n\nYour booking number is {n}.",
    ),
    (
        "Could you review chapter {n}?",
        "Chapter {n} is as good as I can make it alone. It needs a reader who is not tired of it.\n\nHalf a page of honest remarks would help more than praise.",
    ),
    (
        "Keys for the allotment",
        "I left the spare keys with Dora at number {n}. The gate sticks a little, lift it while you turn.\n\nThe beans need water until {day}.",
    ),
    (
        "Roof estimate, version {n}",
        "Attached to the file you know is version {n} of the estimate. The scaffolding got cheaper, the slate did not.\n\nIf you agree by {day}, we can start in {month}.",
    ),
    (
        "Choir practice moves to {day}",
        "The hall is taken this week, so we sing on {day} instead.\n\nBring the green folder, we begin with number {n}.",
    ),
    (
        "Minutes of the {month} meeting",
        "The minutes of {month} are ready. Please read item {n} with care, it touches your team.\n\nCorrections until {day}, please.",
    ),
    (
        "New beans from {place}",
        "A small lot from {place} came in this week: plum, cocoa, a little orange peel.\n\nWe roast it on {day}. Subscribers get the first bags.",
    ),
    (
        "Lost glove in room {n}",
        "Somebody left a grey glove in room {n} after the {day} class.\n\nIt waits at the front desk and feels lonely.",
    ),
    (
        "Budget for {place}",
        "I put the numbers for {place} into one table. We are under the limit by a hair.\n\nThe hotel is the part we could still change.",
    ),
    (
        "Swap shifts on {day}?",
        "My sister arrives on {day} and I would love to meet her at the station.\n\nCould you take my shift? I owe you two.",
    ),
    (
        "Workshop in {place}: places left",
        "There are {n} places left for the bookbinding workshop in {place}.\n\nTools and thread are there, patience you bring yourself.",
    ),
    (
        "Re: the blue bicycle",
        "It is still for sale, and the brakes are new since {month}.\n\nCome and try it on {day}, the street is quiet then.",
    ),
    (
        "Garden club newsletter, {month}",
        "In {month} we divide the irises and argue about compost, as every year.\n\nThe next walk leads through the gardens of {place}.",
    ),
    (
        "Parcel {n} could not be delivered",
        "We rang on {day} and nobody opened. Parcel {n} waits at the corner shop.\n\nIt is kept there for seven days.",
    ),
    (
        "Hello from {place}",
        "We made it to {place}. The room is small, the view is not.\n\nMore when the rain stops and there is something to tell.",
    ),
];

pub(crate) const MONTHS: &[&str] = &["September", "October", "November", "December", "January"];
pub(crate) const DAYS: &[&str] = &["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
pub(crate) const PLACES: &[&str] =
    &["Harrow Bay", "Lindholm", "Port Ellery", "Ashcombe", "Val Serena", "Kirkdale", "Mosswick", "Oldmere"];

/// Name and what the text in it begins with.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("minutes.txt", "Minutes"),
    ("estimate.txt", "Estimate"),
    ("packing-list.txt", "Packing list"),
    ("route.txt", "Route"),
    ("table.csv", "item,amount"),
];
