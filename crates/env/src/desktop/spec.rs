//! `--desktop SPEC` as a type: an existing display, or one of our own.

use surehand_types::ViewSize;

/// Smaller than this nothing can be read; larger than this one frame is more than a hundred megabytes.
const SIDES: std::ops::RangeInclusive<u32> = 64..=8192;

/// Which display to drive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DesktopSpec {
    /// One that is there already, by its name, like `:1`.
    Existing(String),
    /// A virtual one, started and ended with the environment.
    Virtual(ViewSize),
}

impl DesktopSpec {
    /// The error is one sentence with a hint.
    pub fn parse(text: &str) -> Result<DesktopSpec, String> {
        let wrong = |why: &str| {
            format!("{text:?} is no desktop: {why}\nhint: --desktop :1, --desktop xvfb or --desktop xvfb:1280x720")
        };
        let Some(rest) = text.strip_prefix("xvfb") else {
            let (_, number) = text.rsplit_once(':').ok_or_else(|| wrong("a display is named like :1"))?;
            let number = number.split_once('.').map_or(number, |(number, _)| number);
            let known = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            return if known {
                Ok(DesktopSpec::Existing(text.to_string()))
            } else {
                Err(wrong("a display is named like :1"))
            };
        };
        if rest.is_empty() {
            return Ok(DesktopSpec::Virtual(ViewSize { width: 1280, height: 720 }));
        }
        let size = rest.strip_prefix(':').and_then(|size| size.split_once(['x', 'X']));
        let side = |text: &str| text.parse::<u32>().ok().filter(|side| SIDES.contains(side));
        match size.map(|(width, height)| (side(width), side(height))) {
            Some((Some(width), Some(height))) => Ok(DesktopSpec::Virtual(ViewSize { width, height })),
            _ => Err(wrong("its size is written WxH, each side from 64 to 8192 pixels")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_and_sizes_are_read() {
        let own = |width, height| Ok(DesktopSpec::Virtual(ViewSize { width, height }));
        for (text, expected) in
            [("xvfb", own(1280, 720)), ("xvfb:800x600", own(800, 600)), ("xvfb:64X8192", own(64, 8192))]
        {
            assert_eq!(DesktopSpec::parse(text), expected);
        }
        for text in [":0", ":12", ":1.0", "localhost:10.0"] {
            assert_eq!(DesktopSpec::parse(text), Ok(DesktopSpec::Existing(text.into())));
        }
        for wrong in
            ["", ":", "1", "xvfb:", "xvfb:800", "xvfb:0x0", "xvfb:1x2", "xvfb:99999x100", "xvfbs", ":a", "wayland-0"]
        {
            let sentence = DesktopSpec::parse(wrong).unwrap_err();
            assert!(sentence.contains("hint:") && sentence.contains(&format!("{wrong:?}")), "{sentence}");
        }
    }
}
