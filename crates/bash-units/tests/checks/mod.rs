//! What holds for any text, and for any text whose meaning is known; shared by the laws and the fuzz targets.

use innercmd_bash_gen::{Argv, Assigned, Generated, Generator, Redirected};
use innercmd_bash_units::{AssignedValue, BashProgram, GapCode, Limits, RedirectKind, Word};

/// The fuzz target `parse`: the bytes, as far as they are UTF-8, are read.
#[allow(dead_code, reason = "each user of this module takes what it needs")]
pub(crate) fn parse(data: &[u8]) {
    hold_for_any(&String::from_utf8_lossy(data));
}

/// The fuzz target `generated`: the bytes are the choices of the generator.
#[allow(dead_code, reason = "each user of this module takes what it needs")]
pub(crate) fn generated(data: &[u8]) {
    let generated = Generator::from_bytes(data).program();
    hold_for_any(&generated.text);
    assert_eq!(difference(&generated), None, "{:?}", generated.text);
}

/// Checks what holds for any text: reading it is a function of its bytes, and units have exact spans in source order.
#[allow(dead_code, reason = "each user of this module takes what it needs")]
#[track_caller]
pub(crate) fn hold_for_any(text: &str) -> BashProgram {
    let program = BashProgram::parse(text, &Limits::default());
    let again = BashProgram::parse(text, &Limits::default());
    assert_eq!(program.commands(), again.commands(), "{text:?}");
    assert_eq!(program.gaps(), again.gaps(), "{text:?}");
    assert_eq!(program.scopes(), again.scopes(), "{text:?}");
    assert!(program.assignments().eq(again.assignments()), "{text:?}");
    assert!(program.redirects().eq(again.redirects()), "{text:?}");
    assert_eq!(program.complete().is_ok(), program.gaps().is_empty(), "{text:?}");
    let starts: Vec<usize> = program.commands().iter().map(|unit| unit.span.start).collect();
    assert!(starts.is_sorted(), "{text:?}");
    for unit in program.commands() {
        let ends = unit.words.first().zip(unit.words.last()).map(|(first, last)| (first.span.start, last.span.end));
        if unit.text.contains('{') {
            // Braces may leave nothing of a word.
            continue;
        }
        assert_eq!(Some((unit.span.start, unit.span.end)), ends, "{unit:?} in {text:?}");
        // What is only scanned leaves out what it does not understand.
        if !program.gaps().iter().any(|gap| is_doubt(gap.code)) {
            assert_eq!(unit.text, typed(text, &unit.words), "{unit:?} in {text:?}");
        }
    }
    program
}

/// The words as typed: what is written for a unit, less redirections.
fn typed(text: &str, words: &[Word]) -> String {
    let mut typed = String::new();
    let mut behind: Option<usize> = None;
    for word in words {
        match behind {
            // Words that braces made share what was written.
            Some(end) if word.span.end == end => continue,
            Some(end) => {
                let between = text.get(end..word.span.start).unwrap_or("not in source order");
                let blank = between.chars().all(|character| matches!(character, ' ' | '\t'));
                typed.push_str(if blank { between } else { " " });
            }
            None => {}
        }
        typed.push_str(text.get(word.span.start..word.span.end).unwrap_or("not on character boundaries"));
        behind = Some(word.span.end);
    }
    typed
}

/// How the reading of a text differs from what the text was made of, unless a gap says that it may.
pub(crate) fn difference(generated: &Generated) -> Option<String> {
    let program = BashProgram::parse(&generated.text, &Limits::default());
    if program.gaps().iter().any(|gap| is_doubt(gap.code)) {
        return None;
    }
    let commands: Vec<Argv> = program.commands().iter().map(|unit| unit.words.iter().map(literal).collect()).collect();
    let mut assignments: Vec<Assigned> = program
        .assignments()
        .filter(|assignment| !matches!(assignment.value, AssignedValue::Default(_)))
        .map(|assignment| Assigned { name: assignment.name.clone(), value: value(&assignment.value) })
        .collect();
    let mut redirects: Vec<Redirected> = program
        .redirects()
        .map(|redirect| Redirected { operator: operator(redirect.kind), target: literal(&redirect.target) })
        .collect();
    let (mut meant_assignments, mut meant_redirects) = (generated.assignments.clone(), generated.redirects.clone());
    assignments.sort();
    redirects.sort();
    meant_assignments.sort();
    meant_redirects.sort();
    if commands != generated.commands {
        return Some(format!("read  {commands:?}\nmeant {:?}", generated.commands));
    }
    if assignments != meant_assignments {
        return Some(format!("read  {assignments:?}\nmeant {meant_assignments:?}"));
    }
    (redirects != meant_redirects).then(|| format!("read  {redirects:?}\nmeant {meant_redirects:?}"))
}

/// Whether the gap is one that the second reading finds.
#[allow(dead_code, reason = "not every test that shares these checks asks")]
pub(crate) fn is_attestation(code: GapCode) -> bool {
    matches!(code, GapCode::TreeError | GapCode::UnaccountedBytes | GapCode::ReadingsDisagree)
}

/// Whether the code says that the commands found may be the wrong ones: not only that one of them may run more, or that the
/// second reading does not bear them out.
pub(crate) fn is_doubt(code: GapCode) -> bool {
    matches!(
        code,
        GapCode::InputTooLong
            | GapCode::NestingTooDeep
            | GapCode::TooManyUnits
            | GapCode::TooMuchWork
            | GapCode::SyntaxError
            | GapCode::UnterminatedHeredoc
            | GapCode::UnsureReading
            | GapCode::ParsingChanged
    )
}

fn literal(word: &Word) -> Option<String> {
    word.literal().map(std::borrow::Cow::into_owned)
}

fn value(value: &AssignedValue) -> Option<String> {
    match value {
        AssignedValue::Scalar(word) => literal(word),
        AssignedValue::Array(_) | AssignedValue::Default(_) => None,
        AssignedValue::Each(words) => match words.as_slice() {
            [only] => literal(only),
            _ => None,
        },
    }
}

fn operator(kind: RedirectKind) -> &'static str {
    match kind {
        RedirectKind::Input => "<",
        RedirectKind::Output => ">",
        RedirectKind::Append => ">>",
        RedirectKind::Clobber => ">|",
        RedirectKind::ReadWrite => "<>",
        RedirectKind::OutputAndError => "&>",
        RedirectKind::AppendAndError => "&>>",
        RedirectKind::DuplicateInput => "<&",
        RedirectKind::DuplicateOutput => ">&",
        RedirectKind::HereDocument => "<<",
        RedirectKind::HereDocumentTabs => "<<-",
        RedirectKind::HereString => "<<<",
    }
}
