//! Hides from the tree what its grammar is known to misread, byte for byte, so that offsets stay what they are.
//!
//! The masks are a *guess*, made by a lexer that knows only quotes, nesting and command position. A wrong guess costs a
//! gap and nothing else: [`Walk`](super::walk::Walk) reads the unmasked bytes, and every mask has to come up where bash
//! would read what the mask stands for.

use super::{chars, guess::Guess, heredoc::HereDocument};
use crate::Span;

/// What a mask stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MaskKind {
    /// A backslash and a newline that join nothing; masked by blanks.
    Continuation,
    /// A comment up to the end of its line; masked by blanks.
    Comment,
    /// `time` with its options, or `!`, before a pipeline; masked by blanks.
    PipelinePrefix,
    /// `coproc`, with the name behind it where it has one; masked by blanks.
    Coprocess,
    /// The blank between the end of a compound command, or the name of a loop, and a reserved word; masked by `;`.
    Terminator,
    /// The `&` of `;&` or `;;&`; masked by `;`, or by a blank.
    FallThrough,
    /// `{NAME}` before a redirection operator; masked by blanks.
    Descriptor,
    /// The second `<` of `<<` and what follows it in the operator; masked by blanks, so that the tree sees `<`.
    HereDocumentOperator(usize),
    /// The body and the delimiter line of a here-document; masked by blanks.
    HereDocumentBody(usize),
    /// The rest of `<<<` behind its first byte; masked by blanks.
    HereString,
    /// The `>` of `<>`; masked by a blank.
    ReadWrite,
    /// A byte of a word that the grammar reads something else in, such as `[` as a program; masked by a letter.
    WordByte,
    /// What stands between the quotes of `$'…'`; masked by letters.
    AnsiText,
    /// `"` in the text of a here-document; masked by a letter.
    Quote,
}

/// A range of bytes that the tree does not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mask {
    pub(super) span: Span,
    pub(super) kind: MaskKind,
}

/// A text as the tree gets to see it.
#[derive(Debug)]
pub(super) struct Masked {
    /// As long as the source.
    pub(super) text: Vec<u8>,
    /// In source order, without overlap.
    pub(super) masks: Vec<Mask>,
    /// The here-documents that the masks refer to.
    pub(super) heredocs: Vec<HereDocument>,
    /// What the parser's cost grows with the square of, in pipes.
    pub(super) strain: usize,
}

/// What a text is to the one who masks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// A program.
    Program,
    /// The body of a here-document that is expanded, with one byte before and one behind it, both taken for quotes.
    Body,
}

/// Masks `source`.
pub(super) fn mask(source: &str, text: Text) -> Masked {
    let guess = Guess::new(source, text).run();
    let mut masked =
        Masked { text: source.as_bytes().to_vec(), masks: guess.masks, heredocs: guess.heredocs, strain: guess.strain };
    for mask in &masked.masks {
        let cover: &[u8] = match mask.kind {
            MaskKind::WordByte | MaskKind::AnsiText | MaskKind::Quote => b"x",
            MaskKind::Terminator => b";",
            MaskKind::FallThrough if masked.text.get(..mask.span.start).is_some_and(|text| text.ends_with(b";;")) => {
                b" "
            }
            MaskKind::FallThrough => b";",
            MaskKind::Continuation
            | MaskKind::Comment
            | MaskKind::PipelinePrefix
            | MaskKind::Coprocess
            | MaskKind::Descriptor
            | MaskKind::HereDocumentOperator(_)
            | MaskKind::HereDocumentBody(_)
            | MaskKind::HereString
            | MaskKind::ReadWrite => b" ",
        };
        let covered = masked.text.get_mut(mask.span.start..mask.span.end).unwrap_or_default();
        covered.iter_mut().zip(cover.iter().cycle()).for_each(|(byte, &cover)| *byte = cover);
    }
    if text == Text::Body {
        let last = masked.text.len().saturating_sub(1);
        for edge in [0, last] {
            masked.text.get_mut(edge..=edge).unwrap_or_default().fill(b'"');
        }
    }
    masked
}

/// The length of `time`, `time -p`, `time --`, `time -p --` or `!` at the start of `text`, where a word ends behind it.
pub(super) fn pipeline_prefix(text: &[u8]) -> Option<usize> {
    let ends = |at: usize| text.get(at).is_none_or(|&byte| chars::is_delimiter(byte));
    if text.starts_with(b"!") {
        // Not `!(`, which may be a pattern.
        return text.get(1).is_none_or(|&byte| chars::is_blank(byte) || byte == b'\n').then_some(1);
    }
    if !text.starts_with(b"time") || !ends(4) {
        return None;
    }
    let mut length = 4;
    for option in ["-p", "--"] {
        let rest = text.get(length..).unwrap_or_default();
        let blanks = rest.iter().take_while(|&&byte| chars::is_blank(byte)).count();
        if blanks > 0
            && rest.get(blanks..).unwrap_or_default().starts_with(option.as_bytes())
            && ends(length + blanks + 2)
        {
            length += blanks + 2;
        }
    }
    // An option may be in the next line.
    let rest = text.get(length..).unwrap_or_default().trim_ascii_start();
    (!rest.starts_with(b"\\\n")).then_some(length)
}

/// The length of `coproc` at the start of `text`, and of the name behind it where a compound command follows.
pub(super) fn coprocess_prefix(text: &[u8]) -> Option<usize> {
    let blanks = |text: &[u8]| text.iter().take_while(|&&byte| chars::is_blank(byte)).count();
    let behind = text.strip_prefix(b"coproc")?;
    let before_name = Some(blanks(behind)).filter(|&length| length > 0)?;
    let name = chars::name_length(behind.get(before_name..)?);
    let behind_name = behind.get(before_name + name..)?;
    let rest = behind_name.get(blanks(behind_name)..)?;
    let compound = [&b"{ "[..], b"{\n", b"(", b"[[ ", b"while ", b"until ", b"if ", b"for ", b"case ", b"select "];
    let named = name > 0 && rest.len() < behind_name.len() && compound.iter().any(|word| rest.starts_with(word));
    Some(b"coproc".len() + if named { before_name + name } else { 0 })
}

/// The length of `{NAME}` at the start of `text`, where a redirection operator follows, and no substitution.
pub(super) fn descriptor_variable(text: &[u8]) -> Option<usize> {
    let name = chars::name_length(text.strip_prefix(b"{")?);
    let rest = text.get(1 + name..)?;
    let redirects = matches!(rest, [b'}', b'<' | b'>', behind, ..] if !matches!(behind, b'(' | b'\\'));
    (name > 0 && redirects).then_some(name + 2)
}
