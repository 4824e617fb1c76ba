//! How pi-permission-system reads a text: by the tree of tree-sitter-bash alone, whatever the grammar makes of it.
//!
//! Its policy files are read here, too, with the promise that nothing it holds back passes. For that promise its reading has to
//! be known, misreadings included. It never counts in favour of a command, and nothing else in this crate rests on it.
//! Behaviour measured on version 20.7.3: `collectCommands` ([`commands`]), and the tokens of its path gates ([`tokens`]).

mod commands;
mod parse;
mod programs;
mod source;
mod tokens;

use std::borrow::Cow;
use std::sync::Arc;

use tree_sitter::{Node, Tree, TreeCursor};

use crate::tree::MOST_BYTES;
use crate::{BashCommand, BashProgram, Span};
use source::Source;

/// What pi-permission-system finds in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostReading {
    /// What it takes for commands, in source order.
    pub commands: Vec<HostCommand>,
    /// What it asks its path gates about, if it looks like a path.
    pub tokens: Vec<HostToken>,
}

/// A text that pi-permission-system matches against the rules of the `bash` surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostCommand {
    /// Where the text stands.
    pub span: Span,
    /// What it takes the text for.
    pub kind: HostCommandKind,
}

/// What pi-permission-system takes a text for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostCommandKind {
    /// A simple command.
    Simple,
    /// A simple command that runs another one, by its name; its allow counts as an ask.
    Wrapper,
    /// Anything else that is matched as one text: a compound command, a test, an assignment, or what the grammar cannot read.
    Whole,
}

/// A text that pi-permission-system looks at as a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostToken {
    /// Where the word stands.
    pub span: Span,
    /// The text, with the quotes removed as far as pi-permission-system removes them.
    pub text: String,
    /// The directory it is seen from.
    pub base: HostBase,
}

/// The directory in which pi-permission-system believes a command to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostBase {
    /// This path, seen from the working directory; not normalized.
    Known(Arc<str>),
    /// It cannot tell.
    Unknown,
}

impl BashProgram {
    /// What pi-permission-system would find in this text, or nothing where finding out costs too much.
    #[must_use]
    pub fn host_reading(&self) -> Option<HostReading> {
        let (tree, source) = self.host_tree()?;
        let commands = commands::commands(tree.root_node(), &source);
        let tokens = tokens::tokens(tree.root_node(), &source)?;
        Some(HostReading { commands, tokens })
    }

    /// The commands of [`BashProgram::host_reading`] alone, which cost less.
    ///
    /// In plain text they are the units, and none of them counts as [`HostCommandKind::Whole`]: a declaration is matched as the
    /// command that it is.
    #[must_use]
    pub fn host_commands(&self) -> Option<Vec<HostCommand>> {
        match self.plain_commands() {
            Some(commands) => Some(commands),
            None => {
                let (tree, source) = self.host_tree()?;
                Some(commands::commands(tree.root_node(), &source))
            }
        }
    }

    /// The commands of a plain text; nothing where the grammar may read it otherwise: it overlooks newlines.
    fn plain_commands(&self) -> Option<Vec<HostCommand>> {
        if !self.is_plain() || self.source().trim_end().contains('\n') {
            return None;
        }
        self.commands().iter().map(|unit| self.plain_command(unit)).collect()
    }

    /// The command that `unit` of a plain text is; nothing where a redirection stands between its words or behind a lone dash,
    /// which the grammar misreads.
    fn plain_command(&self, unit: &BashCommand) -> Option<HostCommand> {
        let behind_dash = unit.words.last().is_some_and(|word| word.span.of(self.source()) == "-");
        let misread = unit.redirects.iter().any(|redirect| behind_dash || redirect.span.start < unit.span.end);
        let mut words = unit.words.iter().map(|word| word.span.of(self.source()));
        let kind = commands::kind(words.next()?, words);
        (!misread).then_some(HostCommand { span: unit.span, kind })
    }

    /// The tree of the text without the blanks around it, and the text that its offsets are of.
    fn host_tree(&self) -> Option<(Cow<'_, Tree>, Source<'_>)> {
        match self.tree() {
            Some(tree) if source::is_trimmed(self.source()) => {
                Some((Cow::Borrowed(tree), Source::as_it_is(self.source())))
            }
            _ if self.source().len() > MOST_BYTES => None,
            Some(_) | None => {
                let source = Source::as_javascript(self.source());
                parse::parse(&source).map(|tree| (Cow::Owned(tree), source))
            }
        }
    }
}

/// The children of `node`, the anonymous ones included.
fn children<'t>(node: Node<'t>, cursor: &mut TreeCursor<'t>) -> Vec<Node<'t>> {
    node.children(cursor).collect()
}

/// The last component of a path, slashes behind it aside.
fn base_name(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use innercmd_bash_gen::plain;
    use proptest::prelude::*;

    use super::*;
    use crate::Limits;

    /// What a command is matched as: its place, and whether it counts as one that runs another.
    fn matched(commands: &[HostCommand]) -> Vec<(Span, bool)> {
        commands.iter().map(|command| (command.span, command.kind == HostCommandKind::Wrapper)).collect()
    }

    #[track_caller]
    fn check(source: &str) {
        let program = BashProgram::parse(source, &Limits::default());
        let source = Source::as_javascript(source);
        let tree = parse::parse(&source).unwrap();
        if !tree.root_node().has_error() {
            let by_tree = commands::commands(tree.root_node(), &source);
            assert_eq!(matched(&program.host_commands().unwrap()), matched(&by_tree), "{:?}", program.source());
        }
    }

    #[test]
    fn the_commands_of_plain_text_are_its_units() {
        check("timeout 5 a 2>&1 | 'timeout' b; sudo -l; bin/ x; export a=b && unset c; bash -lc d; a 2>&1 b");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_commands_of_any_plain_text_are_those_of_its_tree(seed in any::<u64>()) {
            let text = plain(seed, 12).text;
            check(&text);
            check(&text.replace('\n', " "));
        }
    }
}
