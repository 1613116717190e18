//! Which of the elements on the page a pointer hit belongs to, and what tells it from others of the same name. Written
//! down with the step, because the page of that moment is gone when somebody wants to do the same again.

use surehand_types::call::{TargetQuery, apart, folded};
use surehand_types::result::AimedElement;
use surehand_types::{GridBox, Hit, Interactable};

/// Boxes are rounded to whole grid units, each on its own.
const ROUNDING: u16 = 2;

/// `None` where nothing was hit that has a role or a name of its own, as on a canvas.
pub(crate) fn aimed_at(hit: &Hit, interactables: &[Interactable]) -> Option<AimedElement> {
    let element = owner(hit, interactables)?;
    let same = |item: &&Interactable| item.role == element.role && folded(&item.name) == folded(&element.name);
    let alike: Vec<&Interactable> = interactables.iter().filter(same).collect();
    let index = alike.iter().position(|item| std::ptr::eq(*item, element))?;
    Some(AimedElement {
        role: element.role.clone(),
        name: element.name.clone(),
        bounds: element.bounds,
        index,
        of: alike.len(),
        beside: (alike.len() > 1).then(|| neighbour(element, interactables)).flatten(),
    })
}

/// The element itself, or the smallest one that the hit lies in: what is hit is often an icon or a word of a button.
fn owner<'a>(hit: &Hit, interactables: &'a [Interactable]) -> Option<&'a Interactable> {
    let place = hit.r#box?;
    let itself = |item: &&Interactable| {
        Some(item.role.as_str()) == hit.role.as_deref().or(Some(hit.tag.as_str()))
            && item.name == hit.name.as_deref().unwrap_or_default()
            && holds(item.bounds, place)
            && holds(place, item.bounds)
    };
    let around = || interactables.iter().filter(|item| holds(item.bounds, place)).min_by_key(|item| area(item.bounds));
    interactables.iter().find(itself).or_else(around)
}

/// A name that is there once, near the element, and nearer to it than to the others that are called the same.
fn neighbour(element: &Interactable, interactables: &[Interactable]) -> Option<String> {
    let named =
        |item: &&Interactable| item.name.trim().chars().count() > 1 && folded(&item.name) != folded(&element.name);
    let mut others: Vec<&Interactable> = interactables.iter().filter(named).collect();
    others.sort_by_key(|item| apart(item.bounds.centre(), element.bounds.centre()));
    const TRIED: usize = 12;
    others.into_iter().take(TRIED).map(|item| item.name.clone()).find(|name| {
        let query = TargetQuery {
            role: Some(element.role.clone()),
            text: Some(element.name.clone()),
            exact: true,
            beside: Some(name.clone()),
            ..TargetQuery::default()
        };
        query.find(interactables).is_ok_and(|found| std::ptr::eq(found, element))
    })
}

fn holds(outer: GridBox, inner: GridBox) -> bool {
    outer.x0 <= inner.x0 + ROUNDING
        && outer.y0 <= inner.y0 + ROUNDING
        && outer.x1 + ROUNDING >= inner.x1
        && outer.y1 + ROUNDING >= inner.y1
}

fn area(bounds: GridBox) -> u32 {
    u32::from(bounds.x1.saturating_sub(bounds.x0)) * u32::from(bounds.y1.saturating_sub(bounds.y0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(role: &str, name: &str, bounds: [u16; 4]) -> Interactable {
        Interactable::new(role, name, bounds.into())
    }

    fn hit(tag: &str, role: Option<&str>, name: Option<&str>, bounds: [u16; 4]) -> Hit {
        Hit {
            descriptor: String::new(),
            tag: tag.into(),
            role: role.map(str::to_string),
            name: name.map(str::to_string),
            id: None,
            classes: Vec::new(),
            r#box: Some(bounds.into()),
            frame: None,
            covers: None,
        }
    }

    #[test]
    fn an_icon_belongs_to_its_button_and_a_row_is_known_by_its_name() {
        let page = [
            item("link", "Ada", [100, 190, 200, 210]),
            item("button", "Delete", [700, 190, 800, 210]),
            item("link", "Priya", [100, 290, 200, 310]),
            item("button", "Delete", [700, 290, 800, 310]),
        ];
        let aimed = aimed_at(&hit("svg", None, None, [740, 295, 760, 305]), &page).unwrap();
        assert_eq!((aimed.role.as_str(), aimed.index, aimed.of), ("button", 1, 2));
        assert_eq!(aimed.beside.as_deref(), Some("Priya"));
        let link = aimed_at(&hit("a", Some("link"), Some("Ada"), [100, 190, 200, 210]), &page).unwrap();
        assert_eq!((link.name.as_str(), link.of, link.beside), ("Ada", 1, None));
        assert_eq!(aimed_at(&hit("canvas", Some("canvas"), None, [0, 0, 1000, 900]), &page), None);
    }
}
