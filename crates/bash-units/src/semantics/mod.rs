//! Semantic gaps: places where data becomes code, so that no list of commands can be complete.
//!
//! `arithmetic` judges what bash evaluates as an expression, `builtins` what builtins and shells do with their arguments.

mod arithmetic;
mod builtins;

use arithmetic::Variables;

use crate::reader::Reading;
use crate::{Assignment, Gap, GapCode, Span, UnitId, Word};

/// A place whose safety depends on a value.
#[derive(Clone, Debug)]
pub(crate) enum Concern {
    /// A text that bash evaluates as arithmetic (bash manual 6.5).
    Arithmetic(Span),
    /// An operand of `-eq` and its kin in `[[ … ]]`.
    ArithmeticOperand(Word),
    /// A subscript, in an assignment or an expansion, and the name before it.
    Subscript {
        /// The name of the array.
        name: String,
        /// What stands between the brackets.
        text: Span,
    },
    /// The operand of `-v` or `-R` in `[[ … ]]`.
    TestedVariable(Word),
    /// `${!NAME}`.
    Indirection(Span),
    /// `${NAME@P}`.
    PromptExpansion(Span),
    /// The definition of the function named, at the span of its name.
    Function(String, Span),
}

/// Variables whose value bash itself executes, or takes programs from (bash manual 5.2).
const EXECUTED_VARIABLES: [&str; 4] = ["PS4", "PROMPT_COMMAND", "PS0", "PS1"];
/// Variables that decide which program a name runs.
const NAMING_VARIABLES: [&str; 4] = ["PATH", "BASH_ALIASES", "BASH_CMDS", "EXECIGNORE"];
/// Variables that switch how bash reads what follows (bash manual 6.11 and 5.2).
const PARSING_VARIABLES: [&str; 2] = ["POSIXLY_CORRECT", "BASH_COMPAT"];

/// Variables with the integer attribute: bash evaluates what is assigned to them (bash manual 5.2).
pub(super) const INTEGER_VARIABLES: [&str; 8] =
    ["RANDOM", "SRANDOM", "SECONDS", "OPTIND", "HISTCMD", "BASHPID", "LINENO", "EPOCHSECONDS"];

/// The semantic gaps of what was read of `source`, in no order.
pub(crate) fn gaps(source: &str, reading: &Reading) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let assignments = reading.loose_assignments.iter().map(|assignment| (None, assignment));
    let prefixes = reading
        .commands
        .iter()
        .enumerate()
        .flat_map(|(index, unit)| unit.assignments.iter().map(move |assignment| (Some(UnitId(index)), assignment)));
    for (unit, assignment) in assignments.chain(prefixes) {
        gaps.extend(assignment_gap(assignment).map(|code| Gap { code, span: assignment.span, unit }));
    }
    let redirects = reading.commands.iter().flat_map(|unit| &unit.redirects).chain(&reading.loose_redirects);
    for descriptor in redirects.filter_map(|redirect| redirect.descriptor) {
        // `{NAME}>…` assigns the number of the descriptor.
        let name = descriptor.of(source).trim_matches(['{', '}']);
        gaps.extend(name_gap(name).map(|code| Gap { code, span: descriptor, unit: None }));
    }
    for (index, unit) in reading.commands.iter().enumerate() {
        gaps.extend(builtins::gap(unit).map(|code| Gap { code, span: unit.span, unit: Some(UnitId(index)) }));
    }
    if !reading.concerns.is_empty() || reading.commands.iter().any(builtins::tests_variables) {
        concerns(source, reading, &mut gaps);
    }
    gaps
}

/// Why assigning anything to the variable is a gap.
fn name_gap(name: &str) -> Option<GapCode> {
    if EXECUTED_VARIABLES.contains(&name) {
        return Some(GapCode::ValueExecuted);
    }
    if PARSING_VARIABLES.contains(&name) {
        return Some(GapCode::ParsingChanged);
    }
    NAMING_VARIABLES.contains(&name).then_some(GapCode::CommandRedefined)
}

fn assignment_gap(assignment: &Assignment) -> Option<GapCode> {
    let name = assignment.name.as_str();
    if INTEGER_VARIABLES.contains(&name) && !arithmetic::is_integer_value(assignment) {
        return Some(GapCode::DynamicArithmetic);
    }
    name_gap(name)
}

fn concerns(source: &str, reading: &Reading, gaps: &mut Vec<Gap>) {
    let variables = Variables::of(source, reading);
    let mut gap = |code, span| gaps.push(Gap { code, span, unit: None });
    for concern in &reading.concerns {
        match concern {
            Concern::Arithmetic(span) => {
                if !variables.decide(source, *span) {
                    gap(GapCode::DynamicArithmetic, *span);
                }
                if let Some(code) = Variables::assigned(span.of(source)).find_map(name_gap) {
                    gap(code, *span);
                }
            }
            Concern::ArithmeticOperand(word) => {
                if !variables.decide(source, word.span) {
                    gap(GapCode::DynamicArithmetic, word.span);
                }
            }
            Concern::Subscript { name, text } => {
                let whole = matches!(text.of(source), "@" | "*");
                if !whole && !variables.is_associative(name, text.start) && !variables.decide(source, *text) {
                    gap(GapCode::DynamicArithmetic, *text);
                }
            }
            Concern::TestedVariable(word) => {
                if word.literal().is_none_or(|text| text.contains('[')) {
                    gap(GapCode::ValueExecuted, word.span);
                }
            }
            Concern::Indirection(span) | Concern::PromptExpansion(span) => gap(GapCode::ValueExecuted, *span),
            Concern::Function(name, span) => {
                if builtins::matters(name) {
                    gap(GapCode::CommandRedefined, *span);
                }
            }
        }
    }
    for (index, unit) in reading.commands.iter().enumerate() {
        if builtins::tests_variables(unit) && !builtins::test_is_plain(source, unit, &variables) {
            gaps.push(Gap { code: GapCode::ValueExecuted, span: unit.span, unit: Some(UnitId(index)) });
        }
    }
}
