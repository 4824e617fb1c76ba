use innercmd_bash_units::{BashCommand, BashProgram, CompleteUnits, Limits, Span, UnitId};

use crate::recognize::recognize;
use crate::shift::Shift;
use crate::{WrapperCode, WrapperRefusal, strict};

/// A program from which one transparent wrapper was removed.
///
/// INVARIANT: made by [`strip`] alone. The program is complete, was made from a complete program by deleting the wrapper's bytes, and
/// lists the same units but for the one whose wrapper is gone.
#[derive(Clone, Debug)]
pub struct Stripped {
    program: BashProgram,
    unit: UnitId,
    inner: String,
    wrapper: &'static str,
}

impl Stripped {
    /// The program without the wrapper.
    #[must_use]
    pub fn program(&self) -> &BashProgram {
        &self.program
    }

    /// The unit that lost its wrapper, in the program without it and in the one with it alike.
    #[must_use]
    pub fn unit(&self) -> UnitId {
        self.unit
    }

    /// The text of that unit without the wrapper.
    #[must_use]
    pub fn inner(&self) -> &str {
        &self.inner
    }

    /// The name of the wrapper that was removed.
    #[must_use]
    pub fn wrapper(&self) -> &'static str {
        self.wrapper
    }
}

/// Removes the wrapper of the unit that `triggering_unit` is the text of, by the strict grammar (ADR 0001).
///
/// The text must stand once in the program's source, begin where a unit begins and cover all its words; what else it covers must be
/// redirections of that unit. The result is read anew, within `limits`, and must list exactly the old units, words, assignments and
/// redirections, with that one unit replaced by its inner command.
///
/// ```
/// use innercmd_bash_units::{BashProgram, Limits};
/// use innercmd_wrapper::strip;
///
/// let limits = Limits::default();
/// let program = BashProgram::parse("cd app && timeout 60s pnpm test 2>&1 | tail -5", &limits);
/// let stripped = strip(&program, "timeout 60s pnpm test", &limits).unwrap();
/// assert_eq!(stripped.program().source(), "cd app && pnpm test 2>&1 | tail -5");
/// assert_eq!(stripped.inner(), "pnpm test");
///
/// let refusal = strip(&program, "timeout 60s pnpm", &limits).unwrap_err();
/// assert_eq!(refusal.code.code(), "wrapper:unit-misaligned");
/// ```
///
/// # Errors
/// A refusal with its reason, where any of this does not hold.
pub fn strip(program: &BashProgram, triggering_unit: &str, limits: &Limits) -> Result<Stripped, WrapperRefusal> {
    let complete = program.complete().map_err(|gaps| WrapperRefusal {
        span: gaps.first().map(|gap| gap.span),
        ..WrapperCode::IncompleteProgram.into()
    })?;
    let place = place(program.source(), triggering_unit)?;
    let (id, unit) = coinciding(complete, place)?;
    let (wrapper, cut) = license(program.source(), unit, place)?;
    let refuse = |code| WrapperRefusal { code, span: Some(place), wrapper: Some(wrapper) };

    let shift = Shift { cut };
    let source = shift.text(program.source()).ok_or_else(|| refuse(WrapperCode::ResultDiffers))?;
    let stripped = BashProgram::parse(&source, limits);
    let inner = compare(complete, &stripped, (id, place), shift).map_err(refuse)?;
    Ok(Stripped { program: stripped, unit: id, inner, wrapper })
}

/// The only place of `text` in `source`; places that overlap count as several.
fn place(source: &str, text: &str) -> Result<Span, WrapperRefusal> {
    let first = source.find(text).filter(|_| !text.is_empty()).ok_or(WrapperCode::UnitNotFound)?;
    let place = Span::new(first, first + text.len());
    let next = first + text.chars().next().map_or(1, char::len_utf8);
    match source.get(next..).and_then(|rest| rest.find(text)) {
        Some(_) => Err(WrapperRefusal { span: Some(place), ..WrapperCode::UnitAmbiguous.into() }),
        None => Ok(place),
    }
}

/// The unit that begins at the place and whose words it covers, where it covers nothing else but redirections of the unit.
fn coinciding(complete: CompleteUnits<'_>, place: Span) -> Result<(UnitId, &BashCommand), WrapperRefusal> {
    let source = complete.program().source();
    let mut candidates = complete.program().units().filter(|(_, unit)| {
        unit.span.start == place.start && place.contains(unit.span) && covers_only(source, unit, place)
    });
    match (candidates.next(), candidates.next()) {
        (Some(found), None) => Ok(found),
        (Some(_) | None, _) => Err(WrapperRefusal { span: Some(place), ..WrapperCode::UnitMisaligned.into() }),
    }
}

/// Whether every byte of the place lies in a word of the unit, in a redirection of it, or is a blank between two of them.
fn covers_only(source: &str, unit: &BashCommand, place: Span) -> bool {
    let words = unit.words.iter().map(|word| word.span);
    let redirects = unit.redirects.iter().map(|redirect| redirect.span).filter(|span| span.start < place.end);
    let mut parts: Vec<Span> = words.chain(redirects).filter(|span| span.start >= place.start).collect();
    parts.sort_unstable();
    let mut at = place.start;
    for part in parts {
        let blank =
            Span::new(at, part.start).of(source).bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\\'));
        if !blank || !place.contains(part) {
            return false;
        }
        at = at.max(part.end);
    }
    at == place.end
}

/// The wrapper's name, and its bytes: all before the inner command.
fn license(source: &str, unit: &BashCommand, place: Span) -> Result<(&'static str, Span), WrapperRefusal> {
    let wrapped =
        recognize(&unit.words).ok_or(WrapperRefusal { span: Some(unit.span), ..WrapperCode::NotAWrapper.into() })?;
    let refuse = |code| WrapperRefusal { code, span: Some(unit.span), wrapper: Some(wrapped.name) };
    if let Some(code) = wrapped.refusal {
        return Err(refuse(code));
    }
    if !unit.assignments.is_empty() {
        return Err(refuse(WrapperCode::LeadingAssignment));
    }
    // The text is read a second time, by its bytes: both readings have to find the inner command in the same place.
    let offset = strict::inner_offset(place.of(source)).map_err(refuse)?;
    let inner = unit.words.get(strict::OUTER_WORDS).map(|word| word.span.start);
    if inner != Some(place.start + offset) {
        return Err(refuse(WrapperCode::UnsupportedSeparator));
    }
    Ok((wrapped.name, Span::new(place.start, place.start + offset)))
}

/// The text of the unit without its wrapper, where `stripped` is complete and differs from the program in nothing else.
fn compare(
    complete: CompleteUnits<'_>,
    stripped: &BashProgram,
    (id, place): (UnitId, Span),
    shift: Shift,
) -> Result<String, WrapperCode> {
    if stripped.complete().is_err() {
        return Err(WrapperCode::IncompleteResult);
    }
    let program = complete.program();
    let outer = place.of(program.source());
    let inner = outer.get(shift.cut.len()..).unwrap_or_default();
    let units = program.units().map(|(other, unit)| {
        let mut expected = shift.unit(unit);
        if other == id {
            expected.words.drain(..strict::OUTER_WORDS.min(expected.words.len()));
            expected.text = unit.text.get(shift.cut.len()..).unwrap_or_default().to_owned();
        } else {
            // A unit around it, such as `echo $(timeout …)`, holds its text.
            expected.text = unit.text.replacen(outer, inner, 1);
        }
        expected
    });
    let same = units.eq(stripped.commands().iter().cloned())
        && program.scopes() == stripped.scopes()
        && program.assignments().map(|assignment| shift.assignment(assignment)).eq(stripped.assignments().cloned())
        && program.redirects().map(|redirect| shift.redirect(redirect)).eq(stripped.redirects().cloned());
    match stripped.commands().get(id.0) {
        Some(unit) if same => Ok(unit.text.clone()),
        Some(_) | None => Err(WrapperCode::ResultDiffers),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// Compares `outer`, whose text begins with `timeout 5 ` in place of the mark, with a text that claims to be it without that.
    #[track_caller]
    fn check(marked: &str, claimed: &str, result: Result<&str, WrapperCode>) {
        let limits = Limits::default();
        let start = marked.find('@').unwrap();
        let program = BashProgram::parse(&marked.replace('@', "timeout 5 "), &limits);
        let cut = Span::new(start, start + "timeout 5 ".len());
        let (id, unit) = program.units().find(|(_, unit)| unit.span.start == start).unwrap();
        let shift = Shift { cut };
        let compared =
            compare(program.complete().unwrap(), &BashProgram::parse(claimed, &limits), (id, unit.span), shift);
        assert_eq!(compared, result.map(str::to_owned), "of {marked} and {claimed}");
    }

    #[rstest]
    #[case::alone("@ls -l", "ls -l", Ok("ls -l"))]
    #[case::other_word("@ls -l", "ls -a", Err(WrapperCode::ResultDiffers))]
    #[case::other_quoting("@ls a", "ls 'a", Err(WrapperCode::IncompleteResult))]
    #[case::one_more("@ls; a", "ls; a;b", Err(WrapperCode::ResultDiffers))]
    #[case::one_less("@ls; a;b", "ls; a", Err(WrapperCode::ResultDiffers))]
    #[case::joined("@ls && a", "ls && a", Ok("ls"))]
    #[case::joined_otherwise("@ls && a", "ls || a", Err(WrapperCode::ResultDiffers))]
    #[case::other_scope("(@ls)", " ls  ", Err(WrapperCode::ResultDiffers))]
    #[case::other_redirect("@ls >a", "ls <a", Err(WrapperCode::ResultDiffers))]
    #[case::other_assignment("A=1; @ls", "A=2; ls", Err(WrapperCode::ResultDiffers))]
    #[case::other_hole("@ls $a", "ls $b", Err(WrapperCode::ResultDiffers))]
    #[case::other_place("@ls  a", "ls a ", Err(WrapperCode::ResultDiffers))]
    #[case::around("echo $(@ls)", "echo $(ls)", Ok("ls"))]
    #[case::around_otherwise("echo $(@ls)x", "echo $(ls)y", Err(WrapperCode::ResultDiffers))]
    #[case::gap("@ls a", "$x a", Err(WrapperCode::IncompleteResult))]
    fn a_result_that_differs_is_refused(
        #[case] marked: &str,
        #[case] claimed: &str,
        #[case] result: Result<&str, WrapperCode>,
    ) {
        check(marked, claimed, result);
    }
}
