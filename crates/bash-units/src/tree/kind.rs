//! The node kinds of the grammar, as far as the walk tells them apart.

use std::sync::LazyLock;

use tree_sitter::{Language, Node};

/// What a node of the tree is to the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// A construct made of commands and the tokens between them.
    Statements,
    /// A simple command.
    Command,
    /// `[ … ]` or `[[ … ]]`.
    Test,
    /// `for` and `select`, `case`, or a function definition: words, then commands.
    Header(Header),
    /// A clause of `case`: patterns, then commands.
    Clause,
    /// `NAME=…`.
    Assignment,
    /// A redirection.
    Redirect,
    /// A piece of a word, of a quotation or of an expression that nothing can hide in but its own bytes.
    Text,
    /// A construct that has an opener and a closer of its own and stands in a word, a quotation or an expression.
    Enclosed(Enclosed),
    /// `NAME[…]`.
    Subscript,
    /// A comment.
    Comment,
    /// An operator, a reserved word, or a part of a text.
    Token,
    /// What the grammar is known to misread where it occurs at all, or what this version of the walk does not know.
    Unknown,
}

/// A construct that begins with words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// `for` and `select`.
    Loop,
    /// `case WORD in`.
    Case,
    /// `NAME ()` or `function NAME`.
    Function,
}

/// A construct with an opener and a closer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Enclosed {
    /// `$( … )` or backquotes.
    Command,
    /// `<( … )` or `>( … )`.
    Process,
    /// `${ … }`.
    Parameter,
    /// `$(( … ))`.
    Arithmetic,
    /// `"…"`.
    DoubleQuotes,
    /// `'…'`.
    SingleQuotes,
    /// `$'…'`.
    AnsiQuotes,
    /// `( … )` behind `=`.
    Array,
}

static KINDS: LazyLock<Vec<NodeKind>> = LazyLock::new(|| {
    let language: Language = tree_sitter_bash::LANGUAGE.into();
    let count = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
    (0..count)
        .map(|id| match (language.node_kind_is_named(id), language.node_kind_for_id(id)) {
            (true, Some(name)) => named(name),
            (false, _) => NodeKind::Token,
            (true, None) => NodeKind::Unknown,
        })
        .collect()
});

/// What `node` is to the walk.
pub(super) fn kind_of(node: &Node<'_>) -> NodeKind {
    KINDS.get(usize::from(node.kind_id())).copied().unwrap_or(NodeKind::Unknown)
}

fn named(name: &str) -> NodeKind {
    match name {
        "program"
        | "redirected_statement"
        | "while_statement"
        | "do_group"
        | "if_statement"
        | "elif_clause"
        | "else_clause"
        | "compound_statement"
        | "subshell"
        | "pipeline"
        | "list"
        | "negated_command"
        | "variable_assignments" => NodeKind::Statements,
        "command" | "declaration_command" | "unset_command" => NodeKind::Command,
        "test_command" => NodeKind::Test,
        "for_statement" | "c_style_for_statement" => NodeKind::Header(Header::Loop),
        "case_statement" => NodeKind::Header(Header::Case),
        "function_definition" => NodeKind::Header(Header::Function),
        "case_item" => NodeKind::Clause,
        "variable_assignment" => NodeKind::Assignment,
        "file_redirect" | "herestring_redirect" => NodeKind::Redirect,
        "command_substitution" => NodeKind::Enclosed(Enclosed::Command),
        "process_substitution" => NodeKind::Enclosed(Enclosed::Process),
        "expansion" => NodeKind::Enclosed(Enclosed::Parameter),
        "arithmetic_expansion" => NodeKind::Enclosed(Enclosed::Arithmetic),
        "string" => NodeKind::Enclosed(Enclosed::DoubleQuotes),
        "raw_string" => NodeKind::Enclosed(Enclosed::SingleQuotes),
        "ansi_c_string" => NodeKind::Enclosed(Enclosed::AnsiQuotes),
        "array" => NodeKind::Enclosed(Enclosed::Array),
        "subscript" => NodeKind::Subscript,
        "comment" => NodeKind::Comment,
        "word"
        | "number"
        | "concatenation"
        | "command_name"
        | "simple_expansion"
        | "variable_name"
        | "special_variable_name"
        | "file_descriptor"
        | "brace_expression"
        | "regex"
        | "extglob_pattern"
        | "test_operator"
        | "string_content"
        | "translated_string"
        | "binary_expression"
        | "parenthesized_expression"
        | "postfix_expression"
        | "ternary_expression"
        | "unary_expression" => NodeKind::Text,
        _ => NodeKind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_heredocs_and_supertypes_are_unknown_to_the_walk() {
        let language: Language = tree_sitter_bash::LANGUAGE.into();
        let unknown: std::collections::BTreeSet<&str> = (0..u16::try_from(language.node_kind_count()).unwrap())
            .filter(|&id| language.node_kind_is_visible(id) && KINDS[usize::from(id)] == NodeKind::Unknown)
            .filter_map(|id| language.node_kind_for_id(id))
            .collect();
        let expected = ["heredoc_body", "heredoc_content", "heredoc_end", "heredoc_redirect", "heredoc_start"];
        assert_eq!(unknown.into_iter().collect::<Vec<_>>(), expected);
    }
}
