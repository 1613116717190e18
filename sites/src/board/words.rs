// Word lists of the generated cards. Product, people and tasks are invented.

/// More than a board needs, so that seeds differ in which of them they use. No title is the
/// beginning of another.
pub(crate) const TITLES: &[&str] = &[
    "Trim the onboarding to three screens",
    "Show delivery times in local time",
    "Audit colour contrast on all forms",
    "Remove the old export job",
    "Compress hero images",
    "Sketch the empty inbox",
    "Ask five users about the map view",
    "Speed up the nightly report",
    "Rename the settings tabs",
    "Collect consent for beta testers",
    "Plan the autumn newsletter",
    "Warn before leaving an unsaved draft",
    "Move avatars to object storage",
    "Explain roles in the handbook",
    "Group notifications by project",
    "Measure time to first search",
    "Retire the legacy webhook",
    "Translate invoices into Danish",
    "Let admins pause a workspace",
    "Test the backup restore",
    "Draft the accessibility statement",
    "Count failed sign-ins per day",
    "Polish the print layout",
    "Add a shortcut for archiving",
    "Prepare the partner webinar",
    "Check the cookie lifetimes",
    "Design a badge for early access",
    "Cache the country list",
    "Make tables sortable by keyboard",
    "Interview two former customers",
    "Split the billing service",
    "Tidy up feature flags",
    "Record a two-minute tour",
    "Verify the sitemap",
    "Offer a dark theme",
    "Rewrite the password mail",
];

pub(crate) const DESCRIPTIONS: &[&str] = &[
    "Came up twice in support last week. A small step is enough for now.",
    "Agree on the wording first, then change the pages one by one.",
    "Numbers are in the shared sheet, tab “October”.",
    "Keep the old behaviour behind the flag until the launch is over.",
    "Ask Sofie for the latest file before starting.",
    "Done means: reviewed, released, and mentioned in the changelog.",
];

pub(crate) const ITEMS: &[&str] = &[
    "Write down the current behaviour",
    "Talk to support",
    "Make a first draft",
    "Get a second opinion",
    "Update the tests",
    "Check on a small screen",
    "Tell the team",
];

/// The list beside the board; every seed has all of them in another order.
pub(crate) const STEPS: &[&str] = &[
    "Freeze the main branch",
    "Run the load test",
    "Sign off the texts",
    "Publish the status page",
    "Brief the support desk",
    "Switch the domain",
    "Send the press note",
    "Watch the error rate",
];
