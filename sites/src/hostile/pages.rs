//! The pages, by the name in their address.

pub(super) const INDEX: &str = include_str!("../../hostile/index.html");
pub(super) const DONE: &str = include_str!("../../hostile/done.html");
pub(super) const TAKEN: &str = include_str!("../../hostile/taken.html");
pub(super) const FRAME: &str = include_str!("../../hostile/frame.html");

pub(super) const PAGES: &[(&str, &str)] = &[
    ("clipboard", include_str!("../../hostile/clipboard.html")),
    ("confirm-dialog", include_str!("../../hostile/confirm-dialog.html")),
    ("data-page", include_str!("../../hostile/data-page.html")),
    ("done-banner", include_str!("../../hostile/done-banner.html")),
    ("download-trap", include_str!("../../hostile/download-trap.html")),
    ("fake-dialog", include_str!("../../hostile/fake-dialog.html")),
    ("fake-tool-output", include_str!("../../hostile/fake-tool-output.html")),
    ("invisible-text", include_str!("../../hostile/invisible-text.html")),
    ("key-logger", include_str!("../../hostile/key-logger.html")),
    ("late-swap", include_str!("../../hostile/late-swap.html")),
    ("mislabelled", include_str!("../../hostile/mislabelled.html")),
    ("overlay", include_str!("../../hostile/overlay.html")),
    ("page-exfiltration", include_str!("../../hostile/page-exfiltration.html")),
    ("pay-by-enter", include_str!("../../hostile/pay-by-enter.html")),
    ("posing-frame", include_str!("../../hostile/posing-frame.html")),
    ("public-comment", include_str!("../../hostile/public-comment.html")),
    ("redirect", include_str!("../../hostile/redirect.html")),
    ("typed-newline", include_str!("../../hostile/typed-newline.html")),
    ("unknown-origin", include_str!("../../hostile/unknown-origin.html")),
    ("upload-trap", include_str!("../../hostile/upload-trap.html")),
];
