//! What a part of a program would be if some bytes of its source were not there.

use innercmd_bash_units::{AssignedValue, Assignment, BashCommand, Heredoc, Part, Redirect, Span, Word};

/// The deletion of some bytes.
///
/// Each method copies the whole and changes its spans, so that a field that is added to the model is compared as it is, and a span
/// in it that is not moved here ends in a refusal and not in a blind spot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    /// The bytes that are deleted.
    pub(crate) cut: Span,
}

impl Shift {
    /// The text without the bytes; none where they do not lie on its character boundaries.
    pub(crate) fn text(self, source: &str) -> Option<String> {
        Some([source.get(..self.cut.start)?, source.get(self.cut.end..)?].concat())
    }

    pub(crate) fn unit(self, unit: &BashCommand) -> BashCommand {
        let mut unit = unit.clone();
        unit.span = self.span(unit.span);
        unit.words = self.words(&unit.words);
        unit.assignments = unit.assignments.iter().map(|assignment| self.assignment(assignment)).collect();
        unit.redirects = unit.redirects.iter().map(|redirect| self.redirect(redirect)).collect();
        unit
    }

    pub(crate) fn assignment(self, assignment: &Assignment) -> Assignment {
        let mut assignment = assignment.clone();
        assignment.span = self.span(assignment.span);
        assignment.subscript = assignment.subscript.map(|span| self.span(span));
        assignment.value = match &assignment.value {
            AssignedValue::Scalar(word) => AssignedValue::Scalar(self.word(word)),
            AssignedValue::Array(words) => AssignedValue::Array(self.words(words)),
            AssignedValue::Each(words) => AssignedValue::Each(self.words(words)),
            AssignedValue::Default(word) => AssignedValue::Default(self.word(word)),
        };
        assignment
    }

    pub(crate) fn redirect(self, redirect: &Redirect) -> Redirect {
        let mut redirect = redirect.clone();
        redirect.span = self.span(redirect.span);
        redirect.descriptor = redirect.descriptor.map(|span| self.span(span));
        redirect.target = self.word(&redirect.target);
        redirect.heredoc = redirect.heredoc.map(|heredoc| Heredoc { body: self.span(heredoc.body), ..heredoc });
        redirect
    }

    fn words(self, words: &[Word]) -> Vec<Word> {
        words.iter().map(|word| self.word(word)).collect()
    }

    fn word(self, word: &Word) -> Word {
        let parts = word.parts.iter().map(|part| match part {
            Part::Literal { .. } => part.clone(),
            Part::Hole { kind, span, quoted } => {
                Part::Hole { kind: kind.clone(), span: self.span(*span), quoted: *quoted }
            }
        });
        Word { span: self.span(word.span), parts: parts.collect() }
    }

    fn span(self, span: Span) -> Span {
        Span::new(self.offset(span.start), self.offset(span.end))
    }

    /// Where an offset is afterwards; one inside the bytes is where they began.
    fn offset(self, offset: usize) -> usize {
        if offset >= self.cut.end { offset - self.cut.len() } else { offset.min(self.cut.start) }
    }
}
