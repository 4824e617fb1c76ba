//! How much work paths may cost for one command.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use super::{PathFacts, PathFactsError, ResolvedPath};

/// How many bytes of paths are looked at for one command, before the rest count as unknown.
const MOST_BYTES: usize = 4 << 20;

/// How many components of paths the file system is asked about for one command.
const MOST_COMPONENTS: usize = 100_000;

/// What looking at a path costs beside its bytes.
const COST_OF_A_PATH: usize = 32;

/// What is left of the work that paths may cost, and what the file system has said.
#[derive(Debug)]
pub(super) struct Work {
    bytes_left: Cell<usize>,
    components_left: Cell<usize>,
    exhausted: Cell<bool>,
    resolved: RefCell<HashMap<String, Result<ResolvedPath, PathFactsError>>>,
}

impl Work {
    pub(super) fn new() -> Self {
        Self {
            bytes_left: Cell::new(MOST_BYTES),
            components_left: Cell::new(MOST_COMPONENTS),
            exhausted: Cell::new(false),
            resolved: RefCell::default(),
        }
    }

    /// Whether there was more to do than is done.
    pub(super) fn is_exhausted(&self) -> bool {
        self.exhausted.get()
    }

    /// Takes what a path of so many bytes costs; none where that is too much.
    pub(super) fn spend(&self, bytes: usize) -> Option<()> {
        self.take(&self.bytes_left, bytes.saturating_add(COST_OF_A_PATH))
    }

    /// Where `path` leads, asked once.
    pub(super) fn resolve(&self, path: &str, facts: &dyn PathFacts) -> Result<ResolvedPath, PathFactsError> {
        let known = self.resolved.try_borrow().ok().and_then(|resolved| resolved.get(path).cloned());
        if let Some(known) = known {
            return known;
        }
        let components = path.bytes().filter(|byte| *byte == b'/').count().saturating_add(1);
        if self.take(&self.components_left, components).is_none() {
            return Err(PathFactsError::Other);
        }
        let answer = facts.resolve(path);
        if let Ok(mut resolved) = self.resolved.try_borrow_mut() {
            resolved.insert(path.to_owned(), answer.clone());
        }
        answer
    }

    fn take(&self, left: &Cell<usize>, cost: usize) -> Option<()> {
        match left.get().checked_sub(cost) {
            Some(rest) => {
                left.set(rest);
                Some(())
            }
            None => {
                self.exhausted.set(true);
                None
            }
        }
    }
}
