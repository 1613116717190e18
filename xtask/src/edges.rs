//! The allowed dependency edges between the crates of the workspace, and the check of the real
//! ones against them. The list is written by hand on purpose: a new edge is a decision about the
//! architecture, and should show up in a diff of this file.

use anyhow::{Context, Result};
use serde_json::Value;

/// Who may depend on whom. Names are without the `surehand-` prefix.
const ALLOWED: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("checks", &["types"]),
    ("perceive", &["checks", "types"]),
    ("env", &["perceive", "checks", "types"]),
    ("brain", &["checks", "types"]),
    ("referee", &["perceive", "checks", "types"]),
    ("memory", &["checks", "types"]),
    ("plan", &["checks", "types"]),
    ("trace", &["checks", "types"]),
    ("store", &["trace", "memory", "checks", "types"]),
    ("run", &["env", "brain", "referee", "memory", "trace", "checks", "types"]),
    // Does what a plan wants through the loop's own doors; conduct takes it as an agenda and knows no plans.
    ("planrun", &["plan", "run", "env", "brain", "checks", "types"]),
    ("conduct", &["run", "store", "env", "brain", "referee", "memory", "trace", "checks", "types"]),
    (
        "serve",
        &[
            "plan", "planrun", "conduct", "run", "store", "env", "brain", "referee", "memory", "trace", "checks",
            "types",
        ],
    ),
    // What a client of the server needs to know is the vocabulary, and nothing of how a server does its work.
    ("client", &["types"]),
    ("eval", &["conduct", "run", "store", "env", "brain", "referee", "memory", "trace", "sites", "checks", "types"]),
    ("sites", &[]),
    ("cli", LIBRARIES),
    ("bench", LIBRARIES),
    ("vectors", LIBRARIES),
    ("fuzz", LIBRARIES),
    ("xtask", &[]),
];

// For the programs at the top, which may use every library but not each other.
const LIBRARIES: &[&str] = &[
    "types", "checks", "perceive", "env", "brain", "referee", "memory", "plan", "trace", "store", "run", "planrun",
    "conduct", "serve", "client", "eval", "sites",
];

// Tests of any crate may use the practice sites and the shared vocabulary.
const ALLOWED_IN_TESTS: &[&str] = &["sites", "types"];

/// Where to look when an edge is refused.
const THIS_FILE: &str = "xtask/src/edges.rs";

/// The names of the workspace's packages.
pub(crate) fn package_names(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array();
    packages.into_iter().flatten().filter_map(|package| package["name"].as_str().map(str::to_owned)).collect()
}

/// Everything in the metadata that the list does not allow, one sentence each.
pub(crate) fn findings(metadata: &Value) -> Result<Vec<String>> {
    let members = package_names(metadata);
    let packages = metadata["packages"].as_array().context("`cargo metadata` named no packages")?;
    let mut findings = Vec::new();
    for package in packages {
        let name = package["name"].as_str().context("a package has no name")?;
        let from = short(name);
        let Some((_, allowed)) = ALLOWED.iter().find(|(crate_name, _)| *crate_name == from) else {
            findings.push(format!(
                "package {name} is not in the list of allowed edges. \
                 hint: decide what it may depend on and add a line to {THIS_FILE}"
            ));
            continue;
        };
        let manifest = manifest_path(package, metadata);
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let target = dependency["name"].as_str().context("a dependency has no name")?;
            let for_tests = dependency["kind"] == "dev";
            let refused = if members.iter().any(|member| member == target) {
                !edge_allowed(from, allowed, short(target), for_tests)
            } else {
                !library_allowed(from, target, for_tests)
            };
            if refused {
                let kind = if for_tests { "dev-dependency" } else { "dependency" };
                findings.push(format!(
                    "{kind} {name} -> {target} is not allowed. \
                     hint: remove it from {manifest}, or argue for it in {THIS_FILE}"
                ));
            }
        }
    }
    Ok(findings)
}

fn edge_allowed(from: &str, allowed: &[&str], to: &str, for_tests: bool) -> bool {
    // A dev-dependency on oneself switches on features for tests; it is no edge.
    let in_tests = for_tests && from != "xtask" && (ALLOWED_IN_TESTS.contains(&to) || from == to);
    allowed.contains(&to) || in_tests
}

fn library_allowed(from: &str, library: &str, for_tests: bool) -> bool {
    // The vocabulary and the verdicts stay usable where there is no async runtime.
    if is_or_extends(library, "tokio") && !for_tests {
        return !matches!(from, "types" | "checks" | "plan");
    }
    // One crate knows the database, so that it can be changed in one crate.
    if is_or_extends(library, "sqlx") {
        return from == "store";
    }
    true
}

fn is_or_extends(library: &str, family: &str) -> bool {
    library.strip_prefix(family).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

fn short(name: &str) -> &str {
    name.strip_prefix("surehand-").unwrap_or(name)
}

// Relative to the workspace, because that is how people open files.
fn manifest_path(package: &Value, metadata: &Value) -> String {
    let full = package["manifest_path"].as_str().unwrap_or("its Cargo.toml");
    let root = metadata["workspace_root"].as_str().unwrap_or_default();
    full.strip_prefix(root).unwrap_or(full).trim_start_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Value {
        let list: Vec<Value> = dependencies.iter().map(|(name, kind)| json!({ "name": name, "kind": kind })).collect();
        json!({
            "name": name,
            "manifest_path": format!("/somewhere/crates/{}/Cargo.toml", short(name)),
            "dependencies": list,
        })
    }

    fn check(packages: &[Value]) -> Vec<String> {
        let sample = json!({ "workspace_root": "/somewhere", "packages": packages });
        findings(&sample).unwrap()
    }

    #[test]
    fn the_list_names_only_listed_crates_and_has_no_cycle() {
        let mut settled: Vec<&str> = Vec::new();
        while settled.len() < ALLOWED.len() {
            let before = settled.len();
            for (name, targets) in ALLOWED {
                if !settled.contains(name) && targets.iter().all(|to| settled.contains(to)) {
                    settled.push(name);
                }
            }
            assert!(settled.len() > before, "cycle or unknown name beyond {settled:?}");
        }
    }

    #[test]
    fn allowed_edges_pass() {
        let packages = [
            package("surehand-types", &[("serde", None)]),
            package("surehand-sites", &[("tokio", None)]),
            package("surehand-checks", &[("surehand-types", None), ("tokio", Some("dev"))]),
            package("surehand-store", &[("sqlx", None), ("surehand-checks", None)]),
            package("surehand-cli", &[("surehand-store", None), ("surehand-sites", None)]),
            package("xtask", &[("anyhow", None)]),
        ];
        assert_eq!(check(&packages), Vec::<String>::new());
    }

    #[test]
    fn a_refused_edge_names_itself_and_both_files() {
        let packages = [package("surehand-types", &[("surehand-checks", None)]), package("surehand-checks", &[])];
        let found = check(&packages);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("surehand-types -> surehand-checks"), "{found:?}");
        assert!(found[0].contains("crates/types/Cargo.toml"), "{found:?}");
        assert!(!found[0].contains("/somewhere"), "{found:?}");
        assert!(found[0].contains(THIS_FILE), "{found:?}");
    }

    #[test]
    fn tests_may_use_sites_and_types_but_no_more() {
        let base = [package("surehand-sites", &[]), package("surehand-run", &[])];
        let with = |kind| {
            let brain = package("surehand-brain", &[("surehand-sites", kind)]);
            check(&[base[0].clone(), base[1].clone(), brain]).len()
        };
        assert_eq!(with(Some("dev")), 0);
        assert_eq!(with(None), 1);
        assert_eq!(with(Some("build")), 1);
        let upward = package("surehand-brain", &[("surehand-run", Some("dev"))]);
        assert_eq!(check(&[base[1].clone(), upward]).len(), 1);
    }

    #[test]
    fn xtask_uses_none_even_in_tests() {
        let xtask = package("xtask", &[("surehand-types", Some("dev"))]);
        assert_eq!(check(&[package("surehand-types", &[]), xtask]).len(), 1);
    }

    #[test]
    fn tokio_and_sqlx_stay_where_they_belong() {
        assert_eq!(check(&[package("surehand-types", &[("tokio", None)])]).len(), 1);
        assert_eq!(check(&[package("surehand-checks", &[("tokio-util", None)])]).len(), 1);
        assert_eq!(check(&[package("surehand-run", &[("tokio", None)])]).len(), 0);
        assert_eq!(check(&[package("surehand-run", &[("sqlx", Some("dev"))])]).len(), 1);
        assert_eq!(check(&[package("surehand-types", &[("tokiometer", None)])]).len(), 0);
    }

    #[test]
    fn a_new_package_must_be_listed() {
        let found = check(&[package("surehand-surprise", &[])]);
        assert!(found[0].contains("surehand-surprise"), "{found:?}");
    }
}
