//! The column in which rows have their names: where words of most rows begin, or end. Words that every
//! row has in the same place (captions of knobs) name nothing.

use surehand_types::ui::Anchor;

use super::Phrase;
use crate::shape::{Rect, median, side};

/// Words below this are icons and knobs, as a rule.
const MIN_WORD: f64 = 0.3;
/// A phrase has a say in where the column is from here on.
const MIN_VOTE: f64 = 0.6;

/// Where the names are, and what the first look read there, by row.
#[derive(Debug)]
pub(crate) struct Column {
    edge: Edge,
    pub(crate) phrases: Vec<Option<Phrase>>,
    /// Where the captions that all rows share begin and end.
    furniture: Vec<(i32, i32)>,
}

#[derive(Debug, Clone, Copy)]
enum Edge {
    Left(i32),
    Right(i32),
}

impl Column {
    /// From where to where the letters reach, seen from the middle of a row, with some room for those
    /// above and below the line that no name had so far.
    pub(crate) fn height(&self, rows: &[Rect]) -> (f64, f64) {
        let placed = || rows.iter().zip(&self.phrases).filter_map(|(row, phrase)| Some((row, phrase.as_ref()?)));
        let mut tops: Vec<f64> = placed().map(|(row, phrase)| f64::from(phrase.bounds.y0) - row.centre().1).collect();
        let mut bottoms: Vec<f64> =
            placed().map(|(row, phrase)| f64::from(phrase.bounds.y1) - row.centre().1).collect();
        let (top, bottom) = (median(&mut tops), median(&mut bottoms));
        let room = ((bottom - top) * 0.4).max(3.0);
        (top - room, bottom + room)
    }

    /// Whether the phrase stands where names do. One that begins later lacks its first word.
    pub(crate) fn begins_there(&self, phrase: &Phrase) -> bool {
        let reach = phrase.bounds.height().max(6);
        match self.edge {
            Edge::Left(x) => (phrase.bounds.x0 - x).abs() <= reach,
            Edge::Right(x) => (phrase.bounds.x1 - x).abs() <= reach,
        }
    }

    /// From where to where names may stand, within the strip.
    pub(crate) fn bounds(&self, strip: Rect, pitch: f64) -> (i32, i32) {
        let margin = (pitch * 0.1).max(3.0) as i32;
        // The longest name that was read may not be the longest there is.
        let longest = self.phrases.iter().flatten().map(|phrase| phrase.bounds.width()).max().unwrap_or(0);
        let room = (longest * 3 / 2).max((pitch * 5.0) as i32);
        match self.edge {
            Edge::Left(x) => {
                let limit = self.furniture.iter().map(|(start, _)| *start).filter(|start| *start > x + longest).min();
                let end = limit.map_or(strip.x1, |start| start - margin);
                (x - margin, end.min(x + room))
            }
            Edge::Right(x) => {
                let limit = self.furniture.iter().map(|(_, end)| *end).filter(|end| *end < x - longest).max();
                let start = limit.map_or(strip.x0, |end| end + margin);
                (start.max(x - room), x + margin)
            }
        }
    }
}

pub(crate) fn find(rows: &[Rect], words: &[Anchor], pitch: f64) -> Option<Column> {
    // With few rows captions are not seen to repeat; a name is in the middle of its row more often.
    let reach = if rows.len() < 3 { 0.18 } else { 0.5 };
    let per_row: Vec<Vec<&Anchor>> = rows.iter().map(|row| words_of(row, words, pitch, reach)).collect();
    let repeated = |word: &Anchor| {
        let same = |other: &Anchor| other.text == word.text && word.bbox[0].abs_diff(other.bbox[0]) <= 6;
        let count = per_row.iter().filter(|row| row.iter().any(|other| same(other))).count();
        count >= 2 && count * 5 >= per_row.len() * 2
    };
    let furniture: Vec<(i32, i32)> = per_row
        .iter()
        .flatten()
        .filter(|word| repeated(word))
        .map(|word| (side(word.bbox[0]), side(word.bbox[2])))
        .collect();
    let own: Vec<Vec<&Anchor>> =
        per_row.iter().map(|row| row.iter().copied().filter(|word| !repeated(word)).collect()).collect();
    let edges = own
        .iter()
        .flatten()
        .filter(|word| is_name(&word.text) && word.conf >= MIN_VOTE)
        .flat_map(|word| [Edge::Left(side(word.bbox[0])), Edge::Right(side(word.bbox[2]))]);
    let best = edges.map(|edge| (weight(&own, edge, pitch), edge)).max_by(|(a, _), (b, _)| {
        let (a_rows, a_letters) = a;
        let (b_rows, b_letters) = b;
        a_rows.cmp(b_rows).then(a_letters.total_cmp(b_letters))
    });
    let ((votes, _), edge) = best?;
    // A few readings among many rows may be anything.
    if votes * 5 < rows.len() * 2 {
        return None;
    }
    let edge = centred(&own, edge, pitch);
    let phrases = own.iter().map(|row| phrase_at(row, edge, pitch)).collect();
    Some(Column { edge, phrases, furniture })
}

fn words_of<'a>(row: &Rect, words: &'a [Anchor], pitch: f64, reach: f64) -> Vec<&'a Anchor> {
    let middle = row.centre().1;
    let mut found: Vec<&Anchor> = words
        .iter()
        .filter(|word| {
            let bounds = Rect::of_box(word.bbox);
            (bounds.centre().1 - middle).abs() < pitch * reach && f64::from(bounds.height()) <= pitch
        })
        .filter(|word| word.conf >= MIN_WORD && word.text.chars().any(char::is_alphanumeric))
        .collect();
    found.sort_by_key(|word| word.bbox[0]);
    found
}

fn is_name(text: &str) -> bool {
    text.chars().filter(|letter| letter.is_alphanumeric()).count() >= 2
}

fn weight(rows: &[Vec<&Anchor>], edge: Edge, pitch: f64) -> (usize, f64) {
    let voting: Vec<Phrase> = rows
        .iter()
        .filter_map(|row| phrase_at(row, edge, pitch))
        .filter(|phrase| is_name(&phrase.text) && phrase.conf >= MIN_VOTE)
        .collect();
    // Names are left-aligned more often than right-aligned: of equals the left edge is taken.
    let favour = match edge {
        Edge::Left(_) => 0.5,
        Edge::Right(_) => 0.0,
    };
    let letters: f64 = voting.iter().map(|phrase| phrase.text.chars().count() as f64 * phrase.conf).sum();
    (voting.len(), letters + favour)
}

/// The words from the edge on, as long as they stand close together.
fn phrase_at(row: &[&Anchor], edge: Edge, pitch: f64) -> Option<Phrase> {
    let reach = (pitch * 0.15).max(3.0) as i32;
    let close = |one: &Anchor, next: &Anchor| {
        let (one, next) = (Rect::of_box(one.bbox), Rect::of_box(next.bbox));
        let height = one.height().max(next.height());
        next.x0 - one.x1 <= height && (next.centre().1 - one.centre().1).abs() <= f64::from(height) * 0.6
    };
    let range = match edge {
        Edge::Left(x) => {
            let start = row.iter().position(|word| (side(word.bbox[0]) - x).abs() <= reach)?;
            let more = row[start..].windows(2).take_while(|pair| close(pair[0], pair[1])).count();
            start..start + more + 1
        }
        Edge::Right(x) => {
            let end = row.iter().rposition(|word| (side(word.bbox[2]) - x).abs() <= reach)?;
            let more = row[..=end].windows(2).rev().take_while(|pair| close(pair[0], pair[1])).count();
            end - more..end + 1
        }
    };
    Phrase::of(&row[range])
}

/// The edge moved to the middle of what it holds.
fn centred(rows: &[Vec<&Anchor>], edge: Edge, pitch: f64) -> Edge {
    let phrases = rows.iter().filter_map(|row| phrase_at(row, edge, pitch));
    match edge {
        Edge::Left(_) => Edge::Left(median(&mut phrases.map(|p| f64::from(p.bounds.x0)).collect::<Vec<_>>()) as i32),
        Edge::Right(_) => Edge::Right(median(&mut phrases.map(|p| f64::from(p.bounds.x1)).collect::<Vec<_>>()) as i32),
    }
}
