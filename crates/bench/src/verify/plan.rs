//! Which cases are clicked: as many dead as live ones, every kind in turn, each beside another noise in
//! every round. A pair of kind and noise has the same seed in every plan, so results can be compared.

use anyhow::{Result, bail, ensure};
use surehand_sites::fault::{Case, Fate, KINDS, NOISES};

use super::options::VerifyOptions;

const ACTIONS: u64 = 600;
const QUICK: u64 = 120;

pub(super) fn cases(options: &VerifyOptions) -> Result<Vec<Case>> {
    if let Some(list) = &options.only {
        let mut chosen = only(list)?;
        chosen.truncate(usize::try_from(options.actions.unwrap_or(u64::MAX)).unwrap_or(usize::MAX));
        return Ok(chosen);
    }
    let actions = options.actions.unwrap_or(if options.quick { QUICK } else { ACTIONS });
    let half = |fate| rounds(fate).take(usize::try_from(actions / 2).unwrap_or(usize::MAX));
    // In turns, so that both fates see the same machine.
    Ok(half(Fate::Dead).zip(half(Fate::Live)).flat_map(|(dead, live)| [dead, live]).collect())
}

/// All kinds of that fate, again and again, each time beside another noise.
fn rounds(fate: Fate) -> impl Iterator<Item = Case> {
    (0..).flat_map(move |round: usize| {
        let kinds = KINDS.iter().enumerate().filter(move |(_, kind)| kind.fate == fate);
        kinds.map(move |(index, _)| case(index, (index * 5 + round) % NOISES.len(), round / NOISES.len()))
    })
}

fn case(kind: usize, noise: usize, layout: usize) -> Case {
    let seed = 1 + (layout * KINDS.len() + kind) * NOISES.len() + noise;
    Case { kind: KINDS[kind], noise: NOISES[noise], seed: seed as u64 }
}

/// Every pair that the list allows.
fn only(list: &str) -> Result<Vec<Case>> {
    let (mut kinds, mut noises, mut seeds) = (Vec::new(), Vec::new(), Vec::new());
    for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            Some(("kind", name)) => kinds.push(name),
            Some(("noise", name)) => noises.push(name),
            Some(("seed", number)) => match number.parse::<u64>() {
                Ok(seed) => seeds.push(seed),
                Err(_) => bail!("the seed {number:?} in --only is no number"),
            },
            _ => bail!("{part:?} in --only is none of kind=NAME, noise=NAME and seed=NUMBER"),
        }
    }
    for name in &kinds {
        ensure!(KINDS.iter().any(|kind| kind.name == *name), "there is no kind {name:?}; known: {}", kind_names());
    }
    for name in &noises {
        ensure!(NOISES.contains(name), "there is no noise {name:?}; known: {}", NOISES.join(", "));
    }
    let mut chosen = Vec::new();
    for (kind, known) in KINDS.iter().enumerate() {
        for (noise, known_noise) in NOISES.iter().enumerate() {
            let is_wanted = (kinds.is_empty() || kinds.contains(&known.name))
                && (noises.is_empty() || noises.contains(known_noise));
            match (is_wanted, seeds.as_slice()) {
                (false, _) => {}
                (true, []) => chosen.push(case(kind, noise, 0)),
                (true, seeds) => chosen.extend(seeds.iter().map(|seed| Case { seed: *seed, ..case(kind, noise, 0) })),
            }
        }
    }
    Ok(chosen)
}

fn kind_names() -> String {
    KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_balanced_and_repeats_no_case() {
        let chosen = cases(&VerifyOptions::default()).unwrap();
        assert_eq!(chosen.len() as u64, ACTIONS);
        assert_eq!(chosen.iter().filter(|case| case.kind.fate == Fate::Dead).count() * 2, chosen.len());
        for noise in NOISES {
            let count = chosen.iter().filter(|case| case.noise == *noise).count();
            assert!((40..=60).contains(&count), "{noise}: {count}");
        }
        for (index, case) in chosen.iter().enumerate() {
            assert!(!chosen[..index].contains(case), "{case:?}");
        }
        let quick = cases(&VerifyOptions { quick: true, ..VerifyOptions::default() }).unwrap();
        assert!(KINDS.iter().all(|kind| quick.iter().any(|case| case.kind == *kind)));
    }

    #[test]
    fn single_cases_can_be_asked_for() {
        let ask = |list: &str| cases(&VerifyOptions { only: Some(list.into()), ..VerifyOptions::default() });
        assert_eq!(ask("kind=overlay").unwrap().len(), NOISES.len());
        let one = ask("kind=overlay, noise=clock, seed=7").unwrap();
        assert_eq!(one, [Case::named("overlay", "clock", 7).unwrap()]);
        assert!(
            ask("kind=overley").unwrap_err().to_string().starts_with("there is no kind \"overley\"; known: overlay")
        );
        assert!(ask("noise=clocks").is_err() && ask("seed=x").is_err() && ask("overlay").is_err());
    }
}
