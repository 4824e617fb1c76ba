//! From files to one list of rules.

use std::{collections::HashMap, sync::Arc};

use crate::{
    Effect, Origin,
    config::{Config, Saying, Says, Surface},
    rule::Rule,
};

/// The rules of all scopes.
#[derive(Clone, Debug)]
pub(crate) struct Merged {
    /// In the order in which they count.
    pub(crate) rules: Vec<Rule>,
    /// What counts where no rule does, if a file says so.
    pub(crate) universal: Option<Rule>,
}

/// A surface while scopes are laid over one another.
struct Laid {
    name: String,
    all: bool,
    rules: Vec<Rule>,
}

/// Lays `scopes`, from the weakest to the strongest, over one another as the host does.
///
/// Where both scopes give patterns, a pattern that both have keeps its place and takes the stronger scope's effect, and new
/// ones follow; else the stronger scope replaces the surface. Session rules come last, whatever is written elsewhere.
pub(crate) fn merge(scopes: &[(Origin, &Config)]) -> Merged {
    let mut laid: Vec<Laid> = vec![];
    let mut session = vec![];
    for (origin, config) in scopes {
        for surface in &config.permission.surfaces {
            let rules = rules_of(surface, *origin, &config.file);
            if *origin == Origin::Session {
                session.extend(rules);
                continue;
            }
            let all = matches!(surface.says, Says::All(_));
            match laid.iter_mut().find(|laid| laid.name == surface.name) {
                None => laid.push(Laid { name: surface.name.clone(), all, rules }),
                Some(below) if below.all || all => (below.all, below.rules) = (all, rules),
                Some(below) => lay_over(&mut below.rules, rules),
            }
        }
    }
    let universal = laid.iter().find(|surface| surface.name == "*").and_then(|surface| surface.rules.first().cloned());
    laid.retain(|surface| surface.name != "*");
    laid.sort_by_key(|surface| place_of_key(&surface.name));
    let mut rules = vec![];
    for mut surface in laid {
        surface.rules.sort_by_key(|rule| place_of_key(&rule.pattern));
        rules.append(&mut surface.rules);
    }
    rules.append(&mut session);
    Merged { rules, universal }
}

fn rules_of(surface: &Surface, origin: Origin, file: &Arc<str>) -> Vec<Rule> {
    let rule = |pattern: &str, effect: Effect, reason: Option<&String>, line: usize| Rule {
        surface: surface.name.clone(),
        pattern: pattern.to_owned(),
        effect,
        reason: reason.cloned(),
        origin,
        file: Arc::clone(file),
        line,
    };
    match &surface.says {
        Says::All(effect) => vec![rule("*", *effect, None, surface.line)],
        Says::Rules(sayings) => {
            let rule = |saying: &Saying| rule(&saying.pattern, saying.effect, saying.reason.as_ref(), saying.line);
            sayings.iter().map(rule).collect()
        }
    }
}

fn lay_over(below: &mut Vec<Rule>, over: Vec<Rule>) {
    let places: HashMap<String, usize> =
        below.iter().enumerate().map(|(place, rule)| (rule.pattern.clone(), place)).collect();
    for rule in over {
        match places.get(&rule.pattern).and_then(|place| below.get_mut(*place)) {
            Some(same) => *same = rule,
            None => below.push(rule),
        }
    }
}

/// Where a key stands among its siblings: the host keeps maps in JavaScript objects, and those order keys that are array
/// indexes by number, before all others (ECMA-262, OrdinaryOwnPropertyKeys).
fn place_of_key(key: &str) -> (bool, u32) {
    match key.parse::<u32>() {
        Ok(index) if index < u32::MAX && index.to_string() == key => (false, index),
        _ => (true, 0),
    }
}
