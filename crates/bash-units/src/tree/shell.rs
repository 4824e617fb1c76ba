//! What bash knows of the command it is reading, at one level of substitution.

use std::collections::VecDeque;

use super::chars;
use crate::Span;

/// Where between two separators the reading stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// A command may begin: reserved words are recognized.
    #[default]
    Fresh,
    /// In a simple command, of which at least an assignment, a redirection or a word was read.
    Command,
    /// Behind the end of a compound command, where only redirections and separators may stand.
    Compound,
    /// In the words of `for`, `case` or a function definition.
    Header,
}

/// The reading of one list of commands.
#[derive(Debug, Default)]
pub(super) struct Shell {
    pub(super) state: State,
    /// Whether `&&`, `||` or `|` waits for the command behind it.
    pub(super) incomplete: bool,
    /// Whether it is `|` that waits: `time` and `!` are no reserved words there.
    pub(super) piped: bool,
    /// Whether the simple command stands where `time` is no reserved word.
    pub(super) timeless: bool,
    /// The words of the simple command so far, assignments among them.
    pub(super) words: Vec<Span>,
    /// Subscripts of assignments among them, brackets included.
    pub(super) subscripts: Vec<Span>,
    /// Where the last piece of any word ended.
    pub(super) piece_end: Option<usize>,
    /// Where the last target of a redirection ended.
    pub(super) target_end: Option<usize>,
    /// Where the last operator ended.
    pub(super) operator_end: Option<usize>,
    /// Here-documents whose body starts behind this line, by their index.
    pub(super) heredocs: VecDeque<usize>,
    /// Where a body has to start, right behind a newline.
    pub(super) body_start: Option<usize>,
}

/// A simple command, taken apart.
#[derive(Debug, Default)]
pub(super) struct Finished {
    pub(super) assignments: Vec<Span>,
    /// The program and its arguments; none where there are only assignments and redirections.
    pub(super) words: Vec<Span>,
    /// A word that bash would take for a reserved word, or whose kind the bytes leave open.
    pub(super) doubtful: Option<Span>,
}

impl Shell {
    /// Begins a simple command.
    pub(super) fn begin(&mut self) {
        self.timeless = self.piped;
        (self.state, self.incomplete) = (State::Command, false);
    }

    /// Takes the last word for the descriptor of the redirection that touches it, where it is a number; tells whether it was.
    pub(super) fn take_descriptor(&mut self, source: &str) -> bool {
        let number = |word: &Span| word.len() <= 9 && word.of(source).bytes().all(|byte| byte.is_ascii_digit());
        let found = self.words.last().is_some_and(|word| self.piece_end == Some(word.end) && number(word));
        if found {
            self.words.pop();
        }
        found
    }

    /// Ends the simple command that is being read.
    pub(super) fn finish(&mut self, source: &str) -> Finished {
        let mut words = std::mem::take(&mut self.words);
        let subscripts = std::mem::take(&mut self.subscripts);
        let mut doubtful = None;
        let mut leading = 0;
        for &word in &words {
            match assignment(word, source, &subscripts) {
                Some(true) => leading += 1,
                Some(false) => break,
                None => {
                    doubtful = Some(word);
                    break;
                }
            }
        }
        let program = words.split_off(leading);
        let reserved = program
            .first()
            .map(|word| (word, word.of(source)))
            .filter(|&(_, text)| chars::is_reserved(text) && !(self.timeless && text == "time"));
        Finished { assignments: words, doubtful: doubtful.or(reserved.map(|(word, _)| *word)), words: program }
    }
}

/// Whether a leading word is an assignment (bash manual 3.4); none where a subscript leaves that open.
fn assignment(word: Span, source: &str, subscripts: &[Span]) -> Option<bool> {
    let text = word.of(source).as_bytes();
    let name = chars::name_length(text);
    let mut behind = text.get(name..).unwrap_or_default();
    if name == 0 {
        return Some(false);
    }
    if behind.first() == Some(&b'[') {
        let found = subscripts.binary_search_by_key(&(word.start + name), |subscript| subscript.start).ok();
        match found.and_then(|index| subscripts.get(index)) {
            Some(subscript) => behind = behind.get(subscript.len()..).unwrap_or_default(),
            None => {
                let open = !behind.contains(&b']') || behind.windows(2).any(|pair| pair == b"]=" || pair == b"]+");
                return if open { None } else { Some(false) };
            }
        }
    }
    Some(behind.starts_with(b"=") || behind.starts_with(b"+="))
}
