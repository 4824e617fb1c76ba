use tree_sitter::Tree;

use crate::footprint::{self, Footprint};
use crate::semantics::Concern;
use crate::{Assignment, BashCommand, Gap, GapCode, Redirect, Scope, Span, UnitId};
use crate::{paths, plain, reader, semantics, tree};

/// How much work a parse may cost before it ends in a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest text that is read, in bytes.
    pub bytes: usize,
    /// How deep constructs may nest.
    pub depth: usize,
    /// How many units are listed.
    pub units: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 1 << 20, depth: 10_000, units: 100_000 }
    }
}

/// A command text, read once.
#[derive(Clone, Debug)]
pub struct BashProgram {
    source: String,
    commands: Vec<BashCommand>,
    loose_assignments: Vec<Assignment>,
    loose_redirects: Vec<Redirect>,
    scopes: Vec<Scope>,
    gaps: Vec<Gap>,
    concerns: Vec<Concern>,
    /// Whether the text is plain, so that no tree was asked.
    plain: bool,
    /// The tree of the text, where one was made of all of it as it is.
    tree: Option<Tree>,
}

/// The proof that the units of a program are everything bash would execute for it.
///
/// INVARIANT: made by [`BashProgram::complete`] alone, from a program without gaps.
#[derive(Clone, Copy, Debug)]
pub struct CompleteUnits<'p> {
    program: &'p BashProgram,
}

impl BashProgram {
    /// Reads `command` within `limits`; what defeats the reading is a gap of the result.
    ///
    /// ```
    /// use innercmd_bash_units::{BashProgram, Limits};
    ///
    /// let program = BashProgram::parse("timeout 60s pnpm test && git push", &Limits::default());
    /// let texts: Vec<&str> = program.commands().iter().map(|unit| unit.text.as_str()).collect();
    /// assert_eq!(texts, ["timeout 60s pnpm test", "git push"]);
    /// assert!(program.complete().is_ok());
    /// ```
    #[must_use]
    pub fn parse(command: &str, limits: &Limits) -> Self {
        let mut reading =
            if command.len() > limits.bytes { reader::scan(command) } else { reader::read(command, limits) };
        let plain = reading.gaps.is_empty() && plain::attests(command, &reading);
        let mut tree = None;
        if reading.gaps.is_empty() && !plain {
            let attestation = tree::attest(command, &reading.embedded, limits);
            if attestation.gaps.is_empty() {
                for span in footprint::disagreements(&Footprint::of(command, &reading), &attestation.footprint) {
                    reading.gap(GapCode::ReadingsDisagree, span);
                }
            }
            reading.gaps.extend(attestation.gaps);
            tree = attestation.tree;
        }
        let semantic = semantics::gaps(command, &reading);
        reading.gaps.extend(semantic);
        reading.gaps.sort_by_key(|gap| (gap.span, gap.code, gap.unit));
        reading.gaps.dedup();
        let mut program = Self {
            source: command.to_owned(),
            commands: reading.commands,
            loose_assignments: reading.loose_assignments,
            loose_redirects: reading.loose_redirects,
            scopes: reading.scopes,
            gaps: reading.gaps,
            concerns: reading.concerns,
            plain,
            tree,
        };
        program.drop_known_tests();
        program
    }

    /// Takes back the gaps of tests whose words turn out to be known.
    fn drop_known_tests(&mut self) {
        let in_doubt = self.gaps.iter().filter(|gap| gap.code == GapCode::ValueExecuted).filter_map(|gap| gap.unit);
        let in_doubt: Vec<UnitId> = in_doubt.collect();
        if in_doubt.is_empty() {
            return;
        }
        let known = paths::known_tests(self, in_doubt);
        self.gaps
            .retain(|gap| gap.code != GapCode::ValueExecuted || !gap.unit.is_some_and(|unit| known.contains(&unit)));
    }

    /// Whether the text is plain (ADR 0008): it means what anyone would read in it.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    /// The tree of the text, where it is at hand.
    pub(crate) fn tree(&self) -> Option<&Tree> {
        self.tree.as_ref()
    }

    /// The text that was read.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The units, in source order of their first word.
    #[must_use]
    pub fn commands(&self) -> &[BashCommand] {
        &self.commands
    }

    /// The units with their ids, in source order of their first word.
    pub fn units(&self) -> impl Iterator<Item = (UnitId, &BashCommand)> {
        self.commands.iter().enumerate().map(|(index, unit)| (UnitId(index), unit))
    }

    /// Every assignment: those of units, and those that stand alone.
    pub fn assignments(&self) -> impl Iterator<Item = &Assignment> {
        self.commands.iter().flat_map(|unit| &unit.assignments).chain(&self.loose_assignments)
    }

    /// Every redirection: those of units, and those of compound commands or of no command.
    pub fn redirects(&self) -> impl Iterator<Item = &Redirect> {
        self.commands.iter().flat_map(|unit| &unit.redirects).chain(&self.loose_redirects)
    }

    /// The scopes; the first is the program itself.
    #[must_use]
    pub fn scopes(&self) -> &[Scope] {
        &self.scopes
    }

    /// The names of the functions that are defined.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &str> {
        self.concerns.iter().filter_map(|concern| match concern {
            Concern::Function(name, _) => Some(name.as_str()),
            Concern::Arithmetic(_)
            | Concern::ArithmeticOperand(_)
            | Concern::Subscript { .. }
            | Concern::TestedVariable(_)
            | Concern::Indirection(_)
            | Concern::PromptExpansion(_) => None,
        })
    }

    /// Where bash evaluates an expression, which may assign (bash manual 6.5).
    pub(crate) fn expressions(&self) -> impl Iterator<Item = Span> {
        self.concerns.iter().filter_map(|concern| match concern {
            Concern::Arithmetic(span) | Concern::Subscript { text: span, .. } => Some(*span),
            Concern::ArithmeticOperand(word) => Some(word.span),
            Concern::Function(..)
            | Concern::TestedVariable(_)
            | Concern::Indirection(_)
            | Concern::PromptExpansion(_) => None,
        })
    }

    /// What defeated the analysis, in source order.
    #[must_use]
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// The units as a complete list.
    ///
    /// # Errors
    /// The gaps, where there are any.
    pub fn complete(&self) -> Result<CompleteUnits<'_>, &[Gap]> {
        if self.gaps.is_empty() { Ok(CompleteUnits { program: self }) } else { Err(&self.gaps) }
    }
}

impl<'p> CompleteUnits<'p> {
    /// The program whose units these are.
    #[must_use]
    pub fn program(self) -> &'p BashProgram {
        self.program
    }
}
