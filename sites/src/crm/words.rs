// Word lists of the generated contacts. Companies are invented; phone numbers come from ranges
// reserved for fiction, so no list entry can reach a real person.

pub(crate) const FIRST_NAMES: &[&str] = &[
    "Aaron", "Adaeze", "Alina", "Amara", "Anders", "Anneke", "Arturo", "Beatriz", "Bram", "Camille",
    "Carlos", "Chidi", "Clara", "Daniel", "Delphine", "Dmitri", "Eleanor", "Elif", "Emil", "Esther",
    "Farah", "Felix", "Fiona", "Gareth", "Giulia", "Grace", "Hamid", "Hana", "Helen", "Hugo",
    "Imani", "Ines", "Isaac", "Jasmine", "Jerome", "Joanna", "Jonas", "Julia", "Kenji", "Kirsten",
    "Laila", "Laurent", "Leo", "Linnea", "Magnus", "Maren", "Mateo", "Mei", "Nadia", "Nathan",
    "Noor", "Olivia", "Oscar", "Paula", "Pedro", "Rachel", "Rafael", "Rosa", "Ruth", "Samir",
    "Sanne", "Selma", "Simon", "Sofia", "Stefan", "Tamsin", "Theo", "Valentina", "Victor", "Wen",
    "Yara", "Yusuf",
];

pub(crate) const LAST_NAMES: &[&str] = &[
    "Abara", "Adler", "Almeida", "Anand", "Barlow", "Beaumont", "Becker", "Bergstrom", "Bianchi",
    "Brennan", "Calloway", "Castellano", "Chaudhry", "Cho", "Clarke", "Cooper", "Dalgaard", "Demir",
    "Dubois", "Eriksen", "Fairbanks", "Farouk", "Fischer", "Fontaine", "Gallagher", "Garcia",
    "Gupta", "Haddad", "Hansen", "Hartley", "Hoffman", "Ibrahim", "Ivanova", "Jansen", "Jensen",
    "Kaplan", "Kaur", "Keller", "Kimura", "Kowalski", "Larsen", "Leclerc", "Lindqvist", "Lopez",
    "Marchetti", "Mbeki", "Mendoza", "Meyer", "Moreau", "Murphy", "Nakamura", "Navarro", "Novak",
    "Nwosu", "Okafor", "Okoye", "Olsen", "Ortega", "Park", "Pereira", "Petrov", "Quinn", "Reyes",
    "Rossi", "Sandoval", "Sato", "Schneider", "Sinclair", "Sorensen", "Takahashi", "Tanaka",
    "Thornton", "Torres", "Vance", "Vandermeer", "Vasquez", "Walsh", "Weber", "Whitaker", "Yilmaz",
    "Zhou", "Zimmer",
];

/// Company and the domain of its e-mail addresses.
pub(crate) const COMPANIES: &[(&str, &str)] = &[
    ("Alderbrook Foods", "alderbrook.example"),
    ("Anvil & Reed", "anvilreed.example"),
    ("Arcadia Freight", "arcadiafreight.example"),
    ("Bellweather Insurance", "bellweather.example"),
    ("Blue Tern Logistics", "bluetern.example"),
    ("Brightwater Utilities", "brightwater.example"),
    ("Calder Robotics", "calder.example"),
    ("Cinder Peak Energy", "cinderpeak.example"),
    ("Cobalt Harbor Bank", "cobaltharbor.example"),
    ("Copperleaf Hotels", "copperleaf.example"),
    ("Dovetail Interiors", "dovetail.example"),
    ("Driftwood Media", "driftwood.example"),
    ("Eastgate Pharmacy Group", "eastgate.example"),
    ("Ember Lane Studios", "emberlane.example"),
    ("Fallowfield Dairy", "fallowfield.example"),
    ("Fennimore Legal", "fennimore.example"),
    ("Foxglove Botanics", "foxglove.example"),
    ("Glasswing Analytics", "glasswing.example"),
    ("Granite Bay Builders", "granitebay.example"),
    ("Greyfriars Consulting", "greyfriars.example"),
    ("Hollin Textiles", "hollin.example"),
    ("Ironquay Shipping", "ironquay.example"),
    ("Juniper Street Clinics", "juniperstreet.example"),
    ("Kestrel Avionics", "kestrel.example"),
    ("Kingsmere Schools Trust", "kingsmere.example"),
    ("Lanternfish Games", "lanternfish.example"),
    ("Larkspur Travel", "larkspur.example"),
    ("Longacre Property", "longacre.example"),
    ("Maple & Stone", "maplestone.example"),
    ("Meridian Orthopedics", "meridianortho.example"),
    ("Millrace Brewing", "millrace.example"),
    ("Northfold Packaging", "northfold.example"),
    ("Oakhurst Capital", "oakhurst.example"),
    ("Orchard Row Software", "orchardrow.example"),
    ("Palisade Security", "palisade.example"),
    ("Pinecrest Outdoor", "pinecrest.example"),
    ("Redwing Motors", "redwing.example"),
    ("Saltmarsh Fisheries", "saltmarsh.example"),
    ("Silverbirch Paper", "silverbirch.example"),
    ("Skylark Telecom", "skylark.example"),
    ("Summit Row Architects", "summitrow.example"),
    ("Thistledown Textiles", "thistledown.example"),
    ("Tidewater Marine", "tidewater.example"),
    ("Umber & Vale", "umbervale.example"),
    ("Vantage Rail", "vantagerail.example"),
    ("Verdant Acres", "verdantacres.example"),
    ("Westhaven Clinics", "westhaven.example"),
    ("Wrenfield Press", "wrenfield.example"),
];

/// City and a phone number in which each `#` becomes a digit.
pub(crate) const CITIES: &[(&str, &str)] = &[
    ("Seattle", "+1 206 555 01##"),
    ("Portland", "+1 503 555 01##"),
    ("San Francisco", "+1 415 555 01##"),
    ("Denver", "+1 303 555 01##"),
    ("Austin", "+1 512 555 01##"),
    ("Chicago", "+1 312 555 01##"),
    ("Atlanta", "+1 404 555 01##"),
    ("Boston", "+1 617 555 01##"),
    ("New York", "+1 212 555 01##"),
    ("Toronto", "+1 416 555 01##"),
    ("Vancouver", "+1 604 555 01##"),
    ("Montreal", "+1 514 555 01##"),
    ("London", "+44 20 7946 0###"),
    ("Manchester", "+44 161 496 0###"),
    ("Leeds", "+44 113 496 0###"),
    ("Edinburgh", "+44 131 496 0###"),
    ("Cardiff", "+44 29 2018 0###"),
    ("Dublin", "+353 20 910 ####"),
    ("Berlin", "+49 30 23125 ###"),
    ("Hamburg", "+49 40 66969 ###"),
    ("Munich", "+49 89 99998 ###"),
    ("Paris", "+33 1 99 00 ## ##"),
    ("Lyon", "+33 4 65 71 ## ##"),
    ("Sydney", "+61 2 5550 ####"),
    ("Melbourne", "+61 3 5550 ####"),
    ("Brisbane", "+61 7 5550 ####"),
];

pub(crate) const NOTES: &[&str] = &[
    "Prefers e-mail over phone. Usually answers within a day.",
    "Evaluating two vendors; decision expected after the budget round.",
    "Asked for a volume discount starting at 200 seats.",
    "Met at the Harbor Trade Fair. Interested in the reporting module.",
    "Contract renews in spring. Wants a quarterly review call.",
    "Budget approved; legal is checking the data processing terms.",
    "Switched teams internally, still the right person for invoices.",
    "Needs onboarding material in two languages.",
    "Left after the price change. Open to a new offer next year.",
    "Call after 14:00 only.",
];

pub(crate) const CALL_TEXTS: &[&str] = &[
    "Called about the open quote",
    "Left a voicemail",
    "Short call on renewal terms",
    "Call: asked for a second demo",
];

pub(crate) const EMAIL_TEXTS: &[&str] = &[
    "Sent the price list",
    "Sent meeting notes",
    "Replied with contract questions",
    "Sent the onboarding guide",
];

pub(crate) const MEETING_TEXTS: &[&str] = &[
    "Product demo with the team",
    "Quarterly review",
    "Kick-off meeting",
    "Coffee at their office",
];
