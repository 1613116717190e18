//! Grey pictures as the pages of one TIFF file, the only format in which Tesseract takes several pictures at once from a
//! pipe. Starting it costs 60 ms and a line of text 3 ms, so all lines go into one run.

/// A grey picture, 255 is white.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) grey: Vec<u8>,
}

const SHORT: u16 = 3;
const LONG: u16 = 4;
/// Entries of a page's directory, as written below.
const ENTRIES: u16 = 9;
const DIRECTORY: usize = 2 + ENTRIES as usize * 12 + 4;
const HEADER: usize = 8;

/// Little-endian, uncompressed, one strip for each page. Pages whose bytes are not width times height are left out
/// by the caller; here they would only be cut off.
pub(crate) fn encode(pages: &[Page]) -> Vec<u8> {
    let mut file = b"II\x2a\0".to_vec();
    file.extend(u32::try_from(HEADER).unwrap_or(0).to_le_bytes());
    for (index, page) in pages.iter().enumerate() {
        let data = file.len() + DIRECTORY;
        // Directories begin at even places.
        let padding = page.grey.len() % 2;
        let next = if index + 1 < pages.len() { data + page.grey.len() + padding } else { 0 };
        file.extend(ENTRIES.to_le_bytes());
        let mut entry = |tag: u16, kind: u16, value: usize| {
            file.extend(tag.to_le_bytes());
            file.extend(kind.to_le_bytes());
            file.extend(1_u32.to_le_bytes());
            file.extend(u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
        };
        entry(256, LONG, page.width as usize);
        entry(257, LONG, page.height as usize);
        entry(258, SHORT, 8); // bits for each pixel
        entry(259, SHORT, 1); // not compressed
        entry(262, SHORT, 1); // zero is black
        entry(273, LONG, data);
        entry(277, SHORT, 1); // one sample for each pixel
        entry(278, LONG, page.height as usize);
        entry(279, LONG, page.grey.len());
        file.extend(u32::try_from(next).unwrap_or(0).to_le_bytes());
        file.extend(&page.grey);
        file.extend(std::iter::repeat_n(0, padding));
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_follow_each_other() {
        let page = |width: u32, height: u32| Page { width, height, grey: vec![7; (width * height) as usize] };
        let file = encode(&[page(3, 3), page(2, 5)]);
        let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        let first = number(4);
        let second = number(first + DIRECTORY - 4);
        assert_eq!((first, second % 2), (HEADER, 0));
        assert_eq!(number(second + DIRECTORY - 4), 0, "the second page is the last");
        for (directory, width, height) in [(first, 3, 3), (second, 2, 5)] {
            let value = |entry: usize| number(directory + 2 + entry * 12 + 8);
            assert_eq!((value(0), value(1), value(8)), (width, height, width * height));
            assert_eq!(file[value(5)..value(5) + width * height], vec![7; width * height]);
        }
        assert_eq!(encode(&[]).len(), HEADER);
    }
}
