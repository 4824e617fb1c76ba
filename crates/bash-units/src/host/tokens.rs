//! The words that pi-permission-system asks its path gates about, and the directory it sees them from.

use std::sync::Arc;

use tree_sitter::Node;

use super::{HostBase, HostToken, base_name, children, programs, programs::PatternFirst, source::Source};

/// How many bytes of directories are kept for one text: each `cd` makes a path of its own.
const MOST_DIRECTORIES: usize = 1 << 20;

/// What is to be done next.
enum Step<'t> {
    /// Follow a node that runs in the current shell.
    Walk(Node<'t>),
    /// The same for one that runs in a shell of its own.
    WalkApart(Node<'t>),
    /// Follow the children of a node, one after the other.
    Sequence(Node<'t>),
    /// The first part of a pipeline, which the grammar may have given more than belongs to it.
    FirstStage(Node<'t>),
    /// Take all tokens of a node, in the directory as it is.
    Collect(Node<'t>),
    /// Take the targets of a redirection.
    Redirect(Node<'t>),
    /// Return to a directory.
    Return(HostBase),
}

/// The tokens of the tree under `root`; nothing where it costs too much.
pub(super) fn tokens(root: Node<'_>, source: &Source<'_>) -> Option<Vec<HostToken>> {
    let mut walk = Walk {
        source,
        base: HostBase::Known(Arc::from("")),
        directories_left: MOST_DIRECTORIES,
        steps: vec![Step::Walk(root)],
        found: vec![],
    };
    while let Some(step) = walk.steps.pop() {
        walk.step(step)?;
    }
    Some(walk.found)
}

struct Walk<'t, 's> {
    source: &'s Source<'s>,
    base: HostBase,
    directories_left: usize,
    steps: Vec<Step<'t>>,
    found: Vec<HostToken>,
}

impl<'t> Walk<'t, '_> {
    fn step(&mut self, step: Step<'t>) -> Option<()> {
        match step {
            Step::Walk(node) => self.walk(node)?,
            Step::WalkApart(node) => {
                self.steps.push(Step::Return(self.base.clone()));
                self.steps.push(Step::Walk(node));
            }
            Step::Sequence(node) => self.sequence(node),
            Step::FirstStage(node) => self.first_stage(node),
            Step::Collect(node) => self.collect(node),
            Step::Redirect(node) => self.redirect(node),
            Step::Return(base) => self.base = base,
        }
        Some(())
    }

    fn walk(&mut self, node: Node<'t>) -> Option<()> {
        match node.kind() {
            "program" | "list" | "redirected_statement" | "compound_statement" => self.sequence(node),
            "subshell" => {
                self.steps.push(Step::Return(self.base.clone()));
                self.steps.push(Step::Sequence(node));
            }
            "command" => {
                // The tokens of substitutions in it see the same directory.
                let behind = self.behind_cd(node)?;
                self.steps.push(Step::Return(behind));
                self.command(node);
            }
            "pipeline" => {
                let stages = self.statements(node);
                let steps = stages.iter().enumerate().rev().map(|(place, stage)| match place {
                    0 => Step::FirstStage(*stage),
                    _ => Step::Collect(*stage),
                });
                self.steps.extend(steps);
            }
            _ => self.collect(node),
        }
        Some(())
    }

    fn sequence(&mut self, node: Node<'t>) {
        let all = children(node, &mut node.walk());
        let behind = all.iter().skip(1).map(Some).chain([None]);
        let steps: Vec<Step<'t>> = all
            .iter()
            .zip(behind)
            .filter(|(child, _)| is_statement(**child))
            .map(|(child, behind)| match behind {
                Some(next) if !next.is_named() && next.kind() == "&" => Step::WalkApart(*child),
                Some(_) | None => Step::Walk(*child),
            })
            .collect();
        self.steps.extend(steps.into_iter().rev());
    }

    fn first_stage(&mut self, node: Node<'t>) {
        let steps: Vec<Step<'t>> = match node.kind() {
            "list" => {
                let statements = self.statements(node);
                let last = statements.len().saturating_sub(1);
                let step = |(place, child): (usize, Node<'t>)| {
                    if place < last { Step::Walk(child) } else { Step::Collect(child) }
                };
                statements.into_iter().enumerate().map(step).collect()
            }
            "redirected_statement" => self
                .statements(node)
                .into_iter()
                .map(|child| match child.kind() {
                    "file_redirect" => Step::Redirect(child),
                    _ => Step::FirstStage(child),
                })
                .collect(),
            _ => vec![Step::Collect(node)],
        };
        self.steps.extend(steps.into_iter().rev());
    }

    fn collect(&mut self, node: Node<'t>) {
        match node.kind() {
            kind if is_skipped(kind) => {}
            "command" => self.command(node),
            "file_redirect" => self.redirect(node),
            _ => self.steps.extend(children(node, &mut node.walk()).into_iter().rev().map(Step::Collect)),
        }
    }

    fn redirect(&mut self, node: Node<'t>) {
        for child in children(node, &mut node.walk()) {
            if is_argument(child.kind()) {
                self.token(child);
            }
        }
    }

    fn command(&mut self, node: Node<'t>) {
        let program = command_name(node, self.source).and_then(programs::pattern_first);
        let inner = match program {
            Some(program) => self.pattern_first(node, program),
            None => self.arguments(node),
        };
        self.steps.extend(inner.into_iter().rev().map(Step::Collect));
    }

    /// Takes the arguments of a command, and returns what else it holds.
    fn arguments(&mut self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut named = false;
        let mut inner = vec![];
        for child in children(node, &mut node.walk()) {
            match child.kind() {
                "command_name" => named = true,
                "variable_assignment" => {}
                kind if is_argument(kind) && !named => named = true,
                kind if is_argument(kind) => self.token(child),
                _ => inner.push(child),
            }
        }
        inner
    }

    /// The same for a program whose first arguments are patterns.
    fn pattern_first(&mut self, node: Node<'t>, program: PatternFirst) -> Vec<Node<'t>> {
        let mut patterns_left = program.patterns;
        let mut value: Option<bool> = None;
        let mut options = true;
        let mut inner = vec![];
        for child in children(node, &mut node.walk()) {
            match child.kind() {
                "command_name" | "variable_assignment" => continue,
                kind if !is_argument(kind) => {
                    inner.push(child);
                    continue;
                }
                _ => {}
            }
            if let Some(is_file) = value.take() {
                if is_file {
                    self.token(child);
                }
                continue;
            }
            let option = self.source.text(child);
            if options && child.kind() == "word" && option.starts_with('-') && option.len() > 1 {
                options = option != "--";
                let no_file = program.with_value.contains(&option);
                if no_file || program.with_file.contains(&option) {
                    value = Some(!no_file);
                    // A pattern that an option gives leaves the arguments to files.
                    if !no_file || matches!(option, "-e" | "-f") {
                        patterns_left = 0;
                    }
                }
            } else if patterns_left > 0 {
                patterns_left -= 1;
            } else {
                self.token(child);
            }
        }
        inner
    }

    fn token(&mut self, node: Node<'t>) {
        let text = unquoted(node, self.source);
        self.found.push(HostToken { span: self.source.span(node), text, base: self.base.clone() });
    }

    /// The children of `node` that are statements.
    fn statements(&self, node: Node<'t>) -> Vec<Node<'t>> {
        children(node, &mut node.walk()).into_iter().filter(|child| is_statement(*child)).collect()
    }

    /// The directory after `command`.
    fn behind_cd(&mut self, command: Node<'t>) -> Option<HostBase> {
        if command_name(command, self.source) != Some("cd") {
            return Some(self.base.clone());
        }
        let Some(target) = cd_target(command, self.source) else { return Some(HostBase::Unknown) };
        let base: Arc<str> = match &self.base {
            _ if target.starts_with('/') => target.into(),
            HostBase::Unknown => return Some(HostBase::Unknown),
            HostBase::Known(base) if base.is_empty() => target.into(),
            HostBase::Known(base) => format!("{base}/{target}").into(),
        };
        self.directories_left = self.directories_left.checked_sub(base.len())?;
        Some(HostBase::Known(base))
    }
}

fn is_skipped(kind: &str) -> bool {
    matches!(kind, "heredoc_body" | "heredoc_end" | "comment")
}

fn is_statement(node: Node<'_>) -> bool {
    node.is_named() && !is_skipped(node.kind())
}

fn is_argument(kind: &str) -> bool {
    matches!(kind, "word" | "concatenation" | "string" | "raw_string")
}

/// The base name of the program, where the tree names one.
fn command_name<'s>(command: Node<'_>, source: &Source<'s>) -> Option<&'s str> {
    let mut cursor = command.walk();
    let name = command.children(&mut cursor).find(|child| child.kind() == "command_name")?;
    Some(source.text(name)).filter(|name| !name.is_empty()).map(base_name)
}

/// The text of an argument after quote removal, as pi-permission-system does it: backslashes stay.
fn unquoted(node: Node<'_>, source: &Source<'_>) -> String {
    let mut plain = String::new();
    let mut cursor = node.walk();
    let mut pieces = vec![node];
    while let Some(piece) = pieces.pop() {
        match piece.kind() {
            "concatenation" => pieces.extend(children(piece, &mut cursor).into_iter().rev()),
            "string" => {
                let inner = children(piece, &mut cursor).into_iter().filter(|child| child.kind() != "\"");
                pieces.extend(inner.collect::<Vec<_>>().into_iter().rev());
            }
            "raw_string" => plain.push_str(within_quotes(source.text(piece))),
            _ => plain.push_str(source.text(piece)),
        }
    }
    plain
}

fn within_quotes(text: &str) -> &str {
    text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or(text)
}

/// The directory that `cd` changes to, where it is all known.
fn cd_target(command: Node<'_>, source: &Source<'_>) -> Option<String> {
    let mut cursor = command.walk();
    let target = command.children(&mut cursor).find(|child| {
        let name = matches!(child.kind(), "command_name" | "variable_assignment");
        child.is_named() && !name && !(child.kind() == "word" && source.text(*child) == "--")
    })?;
    if !is_argument(target.kind()) {
        return None;
    }
    let mut known = String::new();
    let mut cursor = target.walk();
    let mut pieces = vec![(target, false)];
    while let Some((piece, in_string)) = pieces.pop() {
        match piece.kind() {
            "string_content" if in_string => known.push_str(source.text(piece)),
            "\"" if in_string => {}
            _ if in_string => return None,
            "word" => {
                let word = source.text(piece);
                if word == "-" || word.starts_with('~') {
                    return None;
                }
                known.push_str(word);
            }
            "raw_string" => known.push_str(within_quotes(source.text(piece))),
            "string" => pieces.extend(children(piece, &mut cursor).into_iter().rev().map(|child| (child, true))),
            "concatenation" => {
                pieces.extend(children(piece, &mut cursor).into_iter().rev().map(|child| (child, false)));
            }
            _ => return None,
        }
    }
    Some(known)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::{BashProgram, HostBase, Limits};

    #[track_caller]
    fn check(command: &str, expected: &[&str]) {
        let reading = BashProgram::parse(command, &Limits::default()).host_reading().unwrap();
        let shown = reading.tokens.iter().map(|token| match &token.base {
            HostBase::Known(base) if base.is_empty() => token.text.clone(),
            HostBase::Known(base) => format!("{base}: {}", token.text),
            HostBase::Unknown => format!("?: {}", token.text),
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "`{command}`");
    }

    #[rstest]
    #[case::arguments("echo 'a b' \"c $d\" e'f'", &["a b", "c $d", "ef"])]
    #[case::assignments_are_none("A=/x echo /y", &["/y"])]
    #[case::redirections("ls >a 2>>'b' <c", &["a", "b", "c"])]
    #[case::patterns("grep /x f; sed s/a/b/ g; awk -F / '{}' h", &["f", "g", "h"])]
    #[case::patterns_of_options("grep -e /x f; rg -f p f", &["f", "p", "f"])]
    #[case::here_documents_are_skipped("cat <<E\n/x\nE", &[])]
    #[case::substitutions("echo $(cat /x)", &["/x"])]
    #[case::quoted_substitutions_are_text("echo \"$(cat /x)\"", &["$(cat /x)"])]
    fn the_tokens_are_those_of_the_host(#[case] command: &str, #[case] expected: &[&str]) {
        check(command, expected);
    }

    #[rstest]
    #[case::followed("cd a && cat b; cd /c; cat d", &["a", "a: b", "a: /c", "/c: d"])]
    #[case::computed("cd $a && cat b", &["?: b"])]
    #[case::home("cd ~ && cat b", &["~", "?: b"])]
    #[case::recovered("cd - && cd /a && cat b", &["-", "?: /a", "/a: b"])]
    #[case::subshell("(cd a; cat b); cat c", &["a", "a: b", "c"])]
    #[case::group("{ cd a; cat b; }; cat c", &["a", "a: b", "a: c"])]
    #[case::background("cd a & cat b", &["a", "b"])]
    #[case::pipeline("cd a | cat b; cat c", &["a", "b", "c"])]
    #[case::list_before_a_pipe("cd a && cat b 2>&1 | tail c; cat d", &["a", "a: b", "a: c", "a: d"])]
    #[case::loops("for x in 1; do cd a; done; cat b", &["a", "b"])]
    fn the_directory_is_the_one_the_host_follows(#[case] command: &str, #[case] expected: &[&str]) {
        check(command, expected);
    }

    #[test]
    fn many_directories_cost_too_much() {
        let program = BashProgram::parse(&"cd aaaaaaaa;".repeat(2000), &Limits::default());
        assert_eq!(program.host_reading(), None);
    }
}
