//! Whether an assignment or a redirection that bash executed is one of a program's.

use innercmd_bash_units::{Assignment, BashProgram, Redirect, RedirectKind};

use super::matching::{is_printed_anew, squeeze};
use super::reading::Redirected;

/// The operator as written; `>&` before a word stands for either of two kinds.
fn operators(kind: RedirectKind) -> &'static [&'static str] {
    match kind {
        RedirectKind::Input => &["<"],
        RedirectKind::Output => &[">"],
        RedirectKind::Append => &[">>"],
        RedirectKind::Clobber => &[">|"],
        RedirectKind::ReadWrite => &["<>"],
        RedirectKind::OutputAndError => &["&>", ">&"],
        RedirectKind::AppendAndError => &["&>>"],
        RedirectKind::DuplicateInput => &["<&"],
        RedirectKind::DuplicateOutput => &[">&"],
        RedirectKind::HereDocument => &["<<"],
        RedirectKind::HereDocumentTabs => &["<<-"],
        RedirectKind::HereString => &["<<<"],
    }
}

/// Whether `program` lists the redirection.
pub(super) fn lists_redirect(program: &BashProgram, executed: &Redirected) -> bool {
    program.redirects().any(|redirect| {
        operators(redirect.kind).contains(&executed.operator.as_str())
            && match &executed.body {
                Some(body) => is_document(program.source(), redirect, executed, body),
                None => is_target(program.source(), redirect, &executed.target),
            }
    })
}

fn is_target(source: &str, redirect: &Redirect, target: &str) -> bool {
    let written = squeeze(redirect.target.span.of(source));
    is_printed_anew(target)
        || is_decoded(redirect.target.span.of(source))
        || is_same(&written, target)
        // Bash takes the `-` of a descriptor that is moved for a part of the operator.
        || written.strip_suffix('-') == Some(&squeeze(target))
        || redirect.target.literal().is_some_and(|literal| literal == target)
}

/// Whether `written` is what bash keeps as `word`; it doubles a lone backslash at the end of the text.
fn is_same(written: &str, word: &str) -> bool {
    let word = squeeze(word);
    written == word || written.ends_with('\\') && word.strip_suffix('\\') == Some(written)
}

/// Whether bash decodes a part of `written` while it reads it.
fn is_decoded(written: &str) -> bool {
    ["$'", "$\""].iter().any(|opener| written.contains(opener))
}

fn is_document(source: &str, redirect: &Redirect, executed: &Redirected, body: &str) -> bool {
    let Some(heredoc) = redirect.heredoc else { return body.is_empty() };
    let tabs = redirect.kind == RedirectKind::HereDocumentTabs;
    let delimiter = redirect.target.literal().is_none_or(|literal| literal == executed.target);
    delimiter && lines(heredoc.body.of(source), tabs, !heredoc.quoted) == lines(body, tabs, !heredoc.quoted)
}

/// The lines of a body as bash keeps them: without leading tabs where the operator drops them, and joined where a backslash
/// ends a line.
fn lines(body: &str, tabs: bool, joins: bool) -> String {
    let body = if joins { body.replace("\\\n", "") } else { body.to_owned() };
    body.lines().map(|line| if tabs { line.trim_start_matches('\t') } else { line }).collect::<Vec<_>>().join("\n")
}

/// Whether `program` lists the assignment that is written as `word`.
pub(super) fn lists_assignment(program: &BashProgram, word: &str) -> bool {
    program.assignments().any(|assignment| is_written(assignment, program.source(), word))
}

fn is_written(assignment: &Assignment, source: &str, word: &str) -> bool {
    let rest = word.strip_prefix(assignment.name.as_str());
    let starts = if assignment.subscript.is_some() {
        "["
    } else if assignment.append {
        "+="
    } else {
        "="
    };
    let written = assignment.span.of(source);
    // Of a list, bash keeps no comments and newlines.
    let is_changed = is_decoded(written) || is_printed_anew(word) || written.contains("=(");
    rest.is_some_and(|rest| rest.starts_with(starts)) && (is_changed || is_same(&squeeze(written), word))
}

#[cfg(test)]
mod tests {
    use innercmd_bash_units::Limits;
    use rstest::rstest;

    use super::*;

    #[track_caller]
    fn check(text: &str, operator: &str, target: &str, body: Option<&str>, expected: bool) {
        let program = BashProgram::parse(text, &Limits::default());
        let executed = Redirected { operator: operator.into(), target: target.into(), body: body.map(str::to_owned) };
        assert_eq!(lists_redirect(&program, &executed), expected, "{executed:?} in {text:?}");
    }

    #[rstest]
    #[case::same("a >f", ">", "f", true)]
    #[case::other_target("a >f", ">", "g", false)]
    #[case::other_operator("a >f", ">>", "f", false)]
    #[case::quotes("a >'f'", ">", "'f'", true)]
    #[case::both("a >&f", ">&", "f", true)]
    #[case::moved("a >&$x-", ">&", "$x", true)]
    #[case::none("a", ">", "f", false)]
    fn a_redirection_is_listed_with_its_operator_and_target(
        #[case] text: &str,
        #[case] operator: &str,
        #[case] target: &str,
        #[case] expected: bool,
    ) {
        check(text, operator, target, None, expected);
    }

    #[rstest]
    #[case::same("a <<E\nx\nE\n", "<<", "x\n", true)]
    #[case::other_body("a <<E\nx\nE\n", "<<", "y\n", false)]
    #[case::tabs("a <<-E\n\tx\nE\n", "<<-", "x\n", true)]
    #[case::kept_tabs("a <<E\n\tx\nE\n", "<<", "x\n", false)]
    #[case::joined("a <<E\nx\\\ny\nE\n", "<<", "xy\n", true)]
    #[case::not_joined("a <<'E'\nx\\\ny\nE\n", "<<", "xy\n", false)]
    fn a_document_is_listed_with_its_body(
        #[case] text: &str,
        #[case] operator: &str,
        #[case] body: &str,
        #[case] expected: bool,
    ) {
        check(text, operator, "E", Some(body), expected);
    }

    #[rstest]
    #[case::same("A=1 a", "A=1", true)]
    #[case::alone("A=1", "A=1", true)]
    #[case::other_value("A=1 a", "A=2", false)]
    #[case::appended("A+=1", "A=1", false)]
    #[case::longer_name("A=1", "AB=1", false)]
    #[case::element("A[1]=2", "A[1]=2", true)]
    fn an_assignment_is_listed_with_its_name_and_value(#[case] text: &str, #[case] word: &str, #[case] expected: bool) {
        let program = BashProgram::parse(text, &Limits::default());
        assert_eq!(lists_assignment(&program, word), expected);
    }
}
