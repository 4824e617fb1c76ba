//! What pi-permission-system takes for commands.

use tree_sitter::Node;

use super::{HostCommand, HostCommandKind, base_name, children, programs, source::Source};

/// What is to be done with a node.
#[derive(Clone, Copy)]
enum Step {
    /// It is a statement, or holds some.
    Statement,
    /// It is part of a command, and may hold substitutions.
    Search,
}

/// The commands of the tree under `root`, in source order.
pub(super) fn commands(root: Node<'_>, source: &Source<'_>) -> Vec<HostCommand> {
    let mut found = vec![];
    let mut cursor = root.walk();
    let mut steps = vec![(root, Step::Statement)];
    while let Some((node, step)) = steps.pop() {
        let below = match step {
            Step::Search => match node.kind() {
                "command_substitution" | "process_substitution" => Some(Step::Statement),
                _ => Some(Step::Search),
            },
            Step::Statement => statement(node, source, &mut found),
        };
        if let Some(step) = below {
            steps.extend(children(node, &mut cursor).into_iter().rev().map(|child| (child, step)));
        }
    }
    found
}

/// Notes what `node` is matched as, and tells what to do with its children.
fn statement(node: Node<'_>, source: &Source<'_>, found: &mut Vec<HostCommand>) -> Option<Step> {
    if !node.is_named() {
        return None;
    }
    match node.kind() {
        "file_redirect" | "heredoc_redirect" | "herestring_redirect" | "comment" | "heredoc_body" | "heredoc_end" => {
            None
        }
        "program" | "list" | "pipeline" | "redirected_statement" => Some(Step::Statement),
        "command" => {
            found.push(simple(node, source));
            Some(Step::Search)
        }
        kind => {
            found.push(HostCommand { span: source.span(node), kind: HostCommandKind::Whole });
            (kind == "subshell").then_some(Step::Statement)
        }
    }
}

/// A simple command, without the assignments before it where anything else is left.
fn simple(node: Node<'_>, source: &Source<'_>) -> HostCommand {
    let mut cursor = node.walk();
    let mut words =
        node.children(&mut cursor).filter(|child| child.is_named() && child.kind() != "variable_assignment");
    let Some(first) = words.next() else {
        return HostCommand { span: source.span(node), kind: HostCommandKind::Whole };
    };
    let kind = kind(source.text(first), words.map(|word| source.text(word)));
    HostCommand { span: source.between(first, node), kind }
}

/// What a simple command of the program `name` with `arguments`, as they are typed, is taken for.
pub(super) fn kind<'a>(name: &str, arguments: impl Iterator<Item = &'a str>) -> HostCommandKind {
    // Not what a path ends in: pi-permission-system takes what is behind the last slash, even if it is nothing.
    let name = if name.ends_with('/') { "" } else { base_name(name) };
    let wrapper = programs::runs_another(name, arguments);
    if wrapper { HostCommandKind::Wrapper } else { HostCommandKind::Simple }
}
