//! Characters that look like plain Latin letters without being any.

/// Forms that no language writes words in: full-width, mathematical, circled and squared letters, small capitals.
/// They are read as the letters that they show.
pub(crate) fn plain_form(c: char) -> char {
    let code = u32::from(c);
    let letter = |index: u32, first: char| char::from_u32(u32::from(first) + index % 26).unwrap_or(c);
    match c {
        '\u{a0}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(code - 0xfee0).unwrap_or(c),
        // Alphabets of 26 capitals and 26 small letters, one after the other.
        '\u{1d400}'..='\u{1d6a3}' => {
            let index = (code - 0x1d400) % 52;
            letter(index, if index < 26 { 'A' } else { 'a' })
        }
        '\u{249c}'..='\u{24b5}' => letter(code - 0x249c, 'a'),
        '\u{24b6}'..='\u{24cf}' => letter(code - 0x24b6, 'A'),
        '\u{24d0}'..='\u{24e9}' => letter(code - 0x24d0, 'a'),
        '\u{1f110}'..='\u{1f129}' => letter(code - 0x1f110, 'A'),
        '\u{1f130}'..='\u{1f149}' => letter(code - 0x1f130, 'A'),
        '\u{1f150}'..='\u{1f169}' => letter(code - 0x1f150, 'A'),
        '\u{1f170}'..='\u{1f189}' => letter(code - 0x1f170, 'A'),
        '\u{1f1e6}'..='\u{1f1ff}' => letter(code - 0x1f1e6, 'A'),
        c => of_pairs(SHAPES, c).unwrap_or(c),
    }
}

/// The Latin letter that a letter of another alphabet looks like.
pub(crate) fn looks_latin(c: char) -> Option<char> {
    of_pairs(STRANGERS, c)
}

/// Each word of the table is a Latin letter and what stands for it.
fn of_pairs(table: &str, c: char) -> Option<char> {
    if c.is_ascii() {
        return None;
    }
    table.split(' ').find(|row| row.chars().skip(1).any(|other| other == c)).and_then(|row| row.chars().next())
}

/// Small capitals, and the script and double-struck letters that lie outside of their alphabets.
const SHAPES: &str = "\
    aᴀ bʙ cᴄ dᴅ eᴇ fꜰ gɢ hʜ iɪ jᴊ kᴋ lʟ mᴍ nɴ oᴏ pᴘ rʀ sꜱ tᴛ uᴜ vᴠ wᴡ yʏ zᴢ Bℬ Cℂℭ Eℰ Fℱ Hℋℌℍ Iℐℑ Lℒ Mℳ Nℕ Pℙ \
    Qℚ Rℛℜℝ Zℤℨ eℯ gℊ hℎ lℓ oℴ";

/// Cyrillic, Greek, Armenian and rare Latin letters. Capitals and small letters are told apart: a Greek capital
/// Nu looks like an N, a small one like a v.
const STRANGERS: &str = "\
    AАΑ aаαɑ BВΒ bЬь CСϹ cсϲ dԁ EЕΕ eе FϜ gɡց GԌ HНΗ hһհ IІΙӀ iіιɩ JЈ jјϳյ KКΚ kкκ lӏ MМΜ mм NΝ nոηп OОΟՕ \
    oоοօσ PРΡ pрρ QԚ qԛզ rг SЅՏ sѕ TТΤ tтτ UՍ uսυμ vνѵ VѴ wԝωш WԜ XХΧ xхχ YУΥҮ yуүγ ZΖ";
