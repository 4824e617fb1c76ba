//! Here-documents (bash manual 3.6.6).

use crate::Generator;
use crate::expansion::Quoting;

/// A here-document whose body is still to be written.
#[derive(Clone)]
pub(crate) struct Pending {
    delimiter: String,
    quoted: bool,
    tabs: bool,
}

/// Lines in which nothing is expanded where the delimiter is quoted.
const VERBATIM: [&str; 8] =
    ["text", "$(evil)", "`evil`", "it's \"open", "# ; evil", "${x:-$(evil)}", "a \\\\ b", "\t) } done"];
/// Text in which nothing is expanded, also where the delimiter is not quoted.
const TEXT: [&str; 10] =
    ["text", "it's", "\"quoted\"", "# ; evil", "<(evil)", "\\$(evil)", "\\`evil\\`", "$ ", "$'x'", "'a b'"];

impl Generator<'_> {
    /// Writes the operator and delimiter; the body follows with the next newline.
    pub(crate) fn heredoc(&mut self) {
        let tabs = self.rarely(3);
        let operator = if tabs { "<<-" } else { "<<" };
        self.token(operator);
        if self.below(4) == 3 {
            self.gap();
        }
        self.delimiters += 1;
        let number = self.delimiters;
        let shape = self.below(8);
        let stem = if shape == 5 { "END OF" } else { "E" };
        let delimiter = format!("{stem}{number}");
        let written = match shape {
            0..3 => delimiter.clone(),
            3 => format!("'{delimiter}'"),
            4 => format!("\"{delimiter}\""),
            5 => format!("'END OF'{number}"),
            6 => format!("\\{delimiter}"),
            _ => format!("E\\\n{number}"),
        };
        let quoted = (3..7).contains(&shape);
        self.push(&written);
        self.record.redirect(operator, Some(delimiter.clone()));
        self.pending.push(Pending { delimiter, quoted, tabs });
    }

    /// Writes the bodies that wait, behind a newline.
    pub(crate) fn bodies(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            while self.below(3) != 0 {
                if pending.tabs && self.rarely(2) {
                    self.push("\t");
                }
                if pending.quoted {
                    let line = self.pick(&VERBATIM);
                    self.push(line);
                } else {
                    self.body_line();
                }
                self.push("\n");
            }
            if pending.tabs && self.rarely(2) {
                self.push("\t\t");
            }
            self.push(&pending.delimiter);
            self.push("\n");
        }
    }

    fn body_line(&mut self) {
        self.bodies += 1;
        loop {
            match self.below(4) {
                0..2 => {
                    let text = self.pick(&TEXT);
                    self.push(text);
                }
                2 => self.expansion(Quoting::Body),
                _ => {
                    self.push("a");
                    self.continuation();
                    self.push("b");
                }
            }
            if !self.rarely(3) {
                break;
            }
            self.push(" ");
        }
        self.bodies -= 1;
    }
}
