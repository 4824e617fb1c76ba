//! How pi-permission-system reads a text: by the tree of tree-sitter-bash alone, whatever the grammar makes of it.
//!
//! Its policy files are read here, too, with the promise that nothing it holds back passes. For that promise its reading has to
//! be known, misreadings included. It never counts in favour of a command, and nothing else in this crate rests on it.
//! Behaviour measured on version 20.7.3: `collectCommands` ([`commands`]), and the tokens of its path gates ([`tokens`]).

mod commands;
mod parse;
mod programs;
mod tokens;

use std::sync::Arc;

use tree_sitter::{Node, TreeCursor};

use crate::{BashProgram, Span};

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
        let source = self.source();
        let tree = parse::parse(source)?;
        let commands = commands::commands(tree.root_node(), source);
        let tokens = tokens::tokens(tree.root_node(), source)?;
        Some(HostReading { commands, tokens })
    }
}

/// The children of `node`, the anonymous ones included.
fn children<'t>(node: Node<'t>, cursor: &mut TreeCursor<'t>) -> Vec<Node<'t>> {
    node.children(cursor).collect()
}

fn text<'s>(node: Node<'_>, source: &'s str) -> &'s str {
    source.get(node.byte_range()).unwrap_or_default()
}

fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// The last component of a path, slashes behind it aside.
fn base_name(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}
