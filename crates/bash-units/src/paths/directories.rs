//! The directories that may be the current one.

use std::rc::Rc;

use super::facts::{join, normalize};

/// How many combinations of directories are followed before the directory counts as unknown.
const MOST_WORLDS: usize = 8;

/// How many directories `pushd` may keep before they count as unknown.
const DEEPEST_STACK: usize = 8;

/// The longest directory that is followed, in bytes: no system takes longer ones (`PATH_MAX`).
const LONGEST_PATH: usize = 4096;

/// A set of directories that may be the current one, with what the builtins that change it remember.
///
/// Cheap to clone: a program may have many commands in one long directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Directories {
    worlds: Rc<[World]>,
}

/// A directory that is known, or none where it may be any.
type Directory = Option<Rc<str>>;

/// One way in which a program may have come to a point.
#[derive(Clone, Debug, PartialEq, Eq)]
struct World {
    path: Directory,
    /// The directory before the last change (`OLDPWD`).
    previous: Directory,
    /// What `pushd` keeps, the top at the end; none where that is not known.
    stack: Option<Vec<Directory>>,
    /// Whether it is so only where a `cd` fails that as a rule does not.
    unlikely: bool,
}

impl Directories {
    pub(super) fn none() -> Self {
        Self::of(vec![])
    }

    pub(super) fn unknown() -> Self {
        Self::of(vec![World { path: None, previous: None, stack: None, unlikely: false }])
    }

    /// The directory that a shell starts in.
    pub(super) fn start(path: &str) -> Self {
        let path = Some(Rc::from(normalize(path)));
        Self::of(vec![World { path, previous: None, stack: Some(vec![]), unlikely: false }])
    }

    /// One directory, reached in a way that is not known.
    pub(super) fn one(path: &str) -> Self {
        Self::of(vec![World { path: Some(Rc::from(normalize(path))), previous: None, stack: None, unlikely: false }])
    }

    fn of(worlds: Vec<World>) -> Self {
        Self { worlds: worlds.into() }
    }

    /// The directories that are known, each once.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        let is_new = |index, path| !self.worlds.iter().take(index).any(|world| world.path.as_deref() == Some(path));
        let paths = self.worlds.iter().enumerate().filter_map(|(index, world)| Some((index, world.path.as_deref()?)));
        paths.filter_map(move |(index, path)| is_new(index, path).then_some(path))
    }

    /// Whether it may be any other directory than those known.
    pub(super) fn is_unknown(&self) -> bool {
        self.worlds.iter().any(|world| world.path.is_none())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.worlds.is_empty()
    }

    /// Takes in what `other` holds as well.
    pub(super) fn join(&mut self, other: &Self) {
        if other.is_empty() || Rc::ptr_eq(&self.worlds, &other.worlds) {
            return;
        }
        if self.is_empty() {
            return self.clone_from(other);
        }
        let mut worlds = self.worlds.to_vec();
        other.worlds.iter().for_each(|world| add(&mut worlds, world.clone()));
        if worlds.len() > MOST_WORLDS {
            // What is remembered is worth less than where the program is.
            let mut fewer = vec![];
            let forget = |world: World| World { previous: None, stack: None, ..world };
            worlds.into_iter().map(forget).for_each(|world| add(&mut fewer, world));
            worlds = fewer;
        }
        *self = if worlds.len() > MOST_WORLDS { Self::unknown() } else { Self::of(worlds) };
    }

    pub(super) fn joined(&self, other: &Self) -> Self {
        let mut all = self.clone();
        all.join(other);
        all
    }

    pub(super) fn unlikely(&self) -> Self {
        self.each(|world| World { unlikely: true, ..world.clone() })
    }

    pub(super) fn as_likely(&self) -> Self {
        self.each(|world| World { unlikely: false, ..world.clone() })
    }

    /// The same without what is unlikely, where anything else is left.
    pub(super) fn likely(&self) -> Self {
        let unlikely = self.worlds.iter().filter(|world| world.unlikely).count();
        if unlikely == 0 || unlikely == self.worlds.len() {
            return self.clone();
        }
        Self::of(self.worlds.iter().filter(|world| !world.unlikely).cloned().collect())
    }

    /// The directories that `target` leads to from here.
    pub(super) fn folded(&self, target: &str) -> Self {
        self.each(|world| world.moved(world.folded(target)))
    }

    /// Any directory, with the current one remembered.
    pub(super) fn anywhere(&self) -> Self {
        self.each(|world| world.moved(None))
    }

    /// The directory before the last change, as `cd -` does.
    pub(super) fn back(&self) -> Self {
        self.each(|world| world.moved(world.previous.clone()))
    }

    /// The same, with the current directory kept, as `pushd` does before it changes.
    pub(super) fn pushed(&self) -> Self {
        self.each(|world| {
            let mut stack = world.stack.clone().filter(|stack| stack.len() < DEEPEST_STACK);
            if let Some(stack) = &mut stack {
                stack.push(world.path.clone());
            }
            World { stack, ..world.clone() }
        })
    }

    /// The directory kept last, as `popd` does.
    pub(super) fn popped(&self) -> Self {
        self.each(|world| {
            let mut stack = world.stack.clone();
            match stack.as_mut().map(Vec::pop) {
                Some(Some(top)) => World { stack, ..world.moved(top) },
                Some(None) => world.clone(),
                None => world.moved(None),
            }
        })
    }

    /// The directory kept last, with the current one kept for it, as `pushd` alone does.
    pub(super) fn swapped(&self) -> Self {
        self.each(|world| {
            let mut stack = world.stack.clone();
            match stack.as_mut().map(|stack| stack.last_mut()) {
                Some(Some(top)) => {
                    let top = std::mem::replace(top, world.path.clone());
                    World { stack, ..world.moved(top) }
                }
                Some(None) => world.clone(),
                None => world.moved(None),
            }
        })
    }

    /// The same, with nothing known of what is kept.
    pub(super) fn without_stack(&self) -> Self {
        self.each(|world| World { stack: None, ..world.clone() })
    }

    fn each(&self, change: impl Fn(&World) -> World) -> Self {
        let mut worlds = vec![];
        self.worlds.iter().for_each(|world| add(&mut worlds, change(world)));
        Self::of(worlds)
    }
}

impl World {
    fn moved(&self, path: Directory) -> Self {
        Self { path, previous: self.path.clone(), ..self.clone() }
    }

    fn folded(&self, target: &str) -> Directory {
        let whole = if target.starts_with('/') { target.to_owned() } else { join(self.path.as_deref()?, target) };
        Some(normalize(&whole)).filter(|path| path.len() <= LONGEST_PATH).map(Rc::from)
    }
}

fn add(worlds: &mut Vec<World>, world: World) {
    let same = |known: &&mut World| {
        (&known.path, &known.previous, &known.stack) == (&world.path, &world.previous, &world.stack)
    };
    match worlds.iter_mut().find(same) {
        Some(known) => known.unlikely &= world.unlikely,
        None => worlds.push(world),
    }
}
