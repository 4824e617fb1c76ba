//! `[[ … ]]` (bash manual 3.2.5.2 and 6.4): its words; what runs in it are the expansions of its words.

use super::machine::{Frame, Machine, Returned};
use super::simple::one_word;
use super::word::WordMode;
use crate::Word;
use crate::semantics::Concern;

/// Operators whose operands are evaluated as arithmetic.
const ARITHMETIC: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// A conditional command that is being read.
pub(super) struct Conditional {
    start: usize,
    /// The words since the last operator of the list, at most an operand and its operator.
    words: Vec<Word>,
}

impl Conditional {
    pub(super) fn new(start: usize) -> Self {
        Self { start, words: Vec::new() }
    }

    /// How the next word is read.
    fn mode(&self) -> WordMode {
        match self.words.last().and_then(Word::literal).as_deref() {
            Some("=~") if self.words.len() > 1 => WordMode::Regex,
            Some("==" | "=" | "!=") if self.words.len() > 1 => WordMode::Pattern,
            _ => WordMode::Conditional,
        }
    }
}

impl Machine<'_> {
    pub(super) fn conditional(&mut self, mut conditional: Box<Conditional>) {
        if let Some(Returned::Words(words)) = self.returned.take() {
            self.conditional_word(&mut conditional, one_word(words, self.pos));
        }
        loop {
            self.skip_blanks();
            let Some(byte) = self.byte(self.pos) else { return self.syntax_error() };
            match byte {
                b'\n' => {
                    if !self.pending.is_empty() {
                        self.unsure(conditional.start, self.pos);
                    }
                    self.pos += 1;
                    self.lines += 1;
                }
                b'(' | b')' if conditional.mode() != WordMode::Regex => {
                    conditional.words.clear();
                    self.pos += 1;
                }
                b'<' | b'>' if self.operator(self.pos + 1, b"(").is_none() => {
                    // A comparison of strings here, no redirection.
                    self.pos += 1;
                }
                b'&' | b'|' => {
                    let Some(next) = self.operator(self.pos, b"&&").or_else(|| self.operator(self.pos, b"||")) else {
                        return self.syntax_error();
                    };
                    conditional.words.clear();
                    self.pos = next;
                }
                b';' => return self.syntax_error(),
                _ => {
                    if let Some((token, next)) = self.token(self.pos, 2)
                        && token.as_bytes() == b"]]"
                    {
                        self.pos = next;
                        self.returned = Some(Returned::Command);
                        return;
                    }
                    let mode = conditional.mode();
                    self.stack.push(Frame::Conditional(conditional));
                    return self.open_word(mode);
                }
            }
        }
    }

    /// Notes what the operators around `word` make bash do with its value.
    fn conditional_word(&mut self, conditional: &mut Conditional, word: Word) {
        let operator = conditional.words.last().and_then(Word::literal).map(std::borrow::Cow::into_owned);
        if matches!(operator.as_deref(), Some("-v" | "-R")) {
            self.out.concerns.push(Concern::TestedVariable(word.clone()));
        }
        if operator.as_deref().is_some_and(|operator| ARITHMETIC.contains(&operator)) {
            let left = conditional.words.iter().rev().nth(1).cloned();
            self.out.concerns.extend([left, Some(word.clone())].into_iter().flatten().map(Concern::ArithmeticOperand));
        }
        conditional.words.push(word);
    }
}
