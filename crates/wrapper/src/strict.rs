//! The strict grammar of ADR 0001: `timeout DURATION CMD…`.

use innercmd_bash_units::{Part, Word};

use crate::WrapperCode;
use crate::recognize::open;
use crate::shape::{Shape, program_name};

/// The name of the only wrapper that the strict grammar licenses.
const NAME: &str = "timeout";

/// How many words stand before the inner command.
pub(crate) const OUTER_WORDS: usize = 2;

/// Why the words of a `timeout` do not follow the strict grammar, or none where they do.
///
/// The words do not show what stands between them: [`inner_offset`] reads that.
pub(crate) fn refusal(words: &[Word]) -> Option<WrapperCode> {
    let mut rest = words.iter();
    if rest.next().is_none_or(|name| plain(name) != Some(NAME)) {
        return Some(WrapperCode::NameNotPlain);
    }
    let Some(duration) = rest.next() else { return Some(WrapperCode::MissingCommand) };
    if Shape::of(duration).lead.starts_with('-') {
        return Some(WrapperCode::UnsupportedOption);
    }
    if !plain(duration).is_some_and(is_duration) {
        return Some(WrapperCode::UnsupportedDuration);
    }
    let Some(program) = rest.next() else { return Some(WrapperCode::MissingCommand) };
    inner_refusal(program, words.get(OUTER_WORDS..).unwrap_or_default())
}

/// The offset of the inner command in the text of a unit that has the form
/// `^timeout[ \t]+([1-9][0-9]*(?:\.[0-9]+)?[smhd]?)[ \t]+(.+)$` on one line (ADR 0001).
///
/// # Errors
/// The code of what it does not have.
pub(crate) fn inner_offset(text: &str) -> Result<usize, WrapperCode> {
    // The line terminators that `.` does not match where the reference link runs.
    if text.contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
        return Err(WrapperCode::SeveralLines);
    }
    let behind_name = text.strip_prefix(NAME).ok_or(WrapperCode::NameNotPlain)?;
    let from_duration = skip_blanks(behind_name)?;
    let end = from_duration.find([' ', '\t']).ok_or(WrapperCode::UnsupportedSeparator)?;
    let (duration, behind_duration) = from_duration.split_at_checked(end).ok_or(WrapperCode::UnsupportedSeparator)?;
    if !is_duration(duration) {
        return Err(WrapperCode::UnsupportedDuration);
    }
    let inner = skip_blanks(behind_duration)?;
    if inner.is_empty() { Err(WrapperCode::MissingCommand) } else { Ok(text.len() - inner.len()) }
}

fn skip_blanks(text: &str) -> Result<&str, WrapperCode> {
    let rest = text.trim_start_matches([' ', '\t']);
    if rest.len() == text.len() { Err(WrapperCode::UnsupportedSeparator) } else { Ok(rest) }
}

/// The text of a word that was written exactly so: without quotes, continuations or expansions of any kind.
fn plain(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [Part::Literal { text, quoted: false }] if text.len() == word.span.len() => Some(text),
        _ => None,
    }
}

/// Whether the text is a positive number without leading zeros, with decimals perhaps, and a unit perhaps (GNU coreutils
/// manual, 23.5, without zero, leading zeros, exponents and `infinity`).
fn is_duration(text: &str) -> bool {
    let number = text.strip_suffix(['s', 'm', 'h', 'd']).unwrap_or(text);
    let (whole, decimals) = match number.split_once('.') {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (number, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && !whole.starts_with('0') && decimals.is_none_or(digits)
}

fn inner_refusal(program: &Word, inner: &[Word]) -> Option<WrapperCode> {
    let shape = Shape::of(program);
    if is_assignment(&shape.lead) {
        return Some(WrapperCode::InnerAssignment);
    }
    if shape.lead.starts_with('-') {
        return Some(WrapperCode::InnerOption);
    }
    let Some(name) = program_name(program) else { return Some(WrapperCode::InnerComputed) };
    if open(inner).is_some() {
        return Some(WrapperCode::NestedWrapper);
    }
    changes_meaning(&name).then_some(WrapperCode::InnerBuiltin)
}

/// Whether a word that begins so would be an assignment at the place of a command (bash manual 3.4), perhaps without its quotes.
fn is_assignment(lead: &str) -> bool {
    let Some((target, _)) = lead.split_once('=') else { return false };
    let target = target.strip_suffix('+').unwrap_or(target);
    let name = target.split('[').next().unwrap_or(target);
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether the shell does something else for this name than start a program of this name.
///
/// These are the builtins (bash manual 4) and reserved words (3.2.1). A wrapper starts a program; unwrapped, `cd` would move the
/// shell, and what follows would be judged in another place. `echo` and its like are left out: as builtins they do what the programs
/// of their name do.
fn changes_meaning(name: &str) -> bool {
    const BUILTINS: &[&str] = &[
        ".", ":", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete",
        "compopt", "continue", "declare", "dirs", "disown", "enable", "eval", "exec", "exit", "export", "fc", "fg",
        "getopts", "hash", "help", "history", "jobs", "let", "local", "logout", "mapfile", "popd", "pushd", "read",
        "readarray", "readonly", "return", "set", "shift", "shopt", "source", "suspend", "times", "trap", "type",
        "typeset", "ulimit", "umask", "unalias", "unset", "wait",
    ];
    const RESERVED: &[&str] = &[
        "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
        "select", "then", "time", "until", "while", "{", "}",
    ];
    // `%1` names a job (bash manual 7.1).
    BUILTINS.binary_search(&name).is_ok() || RESERVED.binary_search(&name).is_ok() || name.starts_with('%')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;
    use rstest::rstest;

    use super::*;
    use crate::recognize;
    use crate::testing::words;

    /// The grammar as ADR 0001 writes it.
    const ADR_0001: &str = r"^timeout[ \t]+([1-9][0-9]*(?:\.[0-9]+)?[smhd]?)[ \t]+(.+)$";

    #[track_caller]
    fn check(line: &str, code: Option<WrapperCode>) {
        let words = words(line);
        assert_eq!(recognize(&words).unwrap_or_else(|| panic!("no wrapper: {line}")).refusal, code, "of {line}");
    }

    #[rstest]
    #[case("timeout 60 echo hi")]
    #[case("timeout 1.5 echo hi")]
    #[case("timeout 60s echo hi")]
    #[case("timeout 2m pnpm test --run")]
    #[case("timeout 1.25h echo hi")]
    #[case("timeout 1d echo")]
    #[case("timeout  60\techo  hi")]
    #[case("timeout 5 'echo' hi")]
    #[case("timeout 5 \"rm\" -rf x")]
    #[case("timeout 5 /bin/rm -rf x")]
    #[case("timeout 5 ./run --x=1 A=1")]
    #[case("timeout 5 ~/bin/x hi")]
    #[case("timeout 5 a.b=c")]
    #[case("timeout 5 [ -f x ]")]
    #[case("timeout 5 find . -name x")]
    #[case("timeout 5 bash build.sh")]
    #[case("timeout 5 env")]
    #[case("timeout 5 echo $x *.rs")]
    #[case("timeout 5 echo > out <in")]
    fn the_strict_form_is_licensed(#[case] line: &str) {
        check(line, None);
    }

    #[rstest]
    #[case("/usr/bin/timeout 60 echo hi", WrapperCode::NameNotPlain)]
    #[case("./timeout 60 echo hi", WrapperCode::NameNotPlain)]
    #[case("gtimeout 60 echo hi", WrapperCode::NameNotPlain)]
    #[case("\\timeout 60 echo hi", WrapperCode::NameNotPlain)]
    #[case("'timeout' 60 echo hi", WrapperCode::NameNotPlain)]
    #[case("time'o'ut 60 echo hi", WrapperCode::NameNotPlain)]
    #[case("TIMEOUT 60 echo hi", WrapperCode::NameNotPlain)]
    #[case("{timeout,60,echo} hi", WrapperCode::NameNotPlain)]
    #[case("time\\\nout 60 echo hi", WrapperCode::NameNotPlain)]
    #[case("timeout -k 5 60 echo hi", WrapperCode::UnsupportedOption)]
    #[case("timeout --preserve-status 60 echo hi", WrapperCode::UnsupportedOption)]
    #[case("timeout --frob 60 echo hi", WrapperCode::UnsupportedOption)]
    #[case("timeout -- 5 echo hi", WrapperCode::UnsupportedOption)]
    #[case("timeout '-k' 5 6 echo hi", WrapperCode::UnsupportedOption)]
    #[case("timeout -$x 5 echo hi", WrapperCode::UnsupportedOption)]
    #[case("timeout 0 echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout 0.5 echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout 05 echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout 500ms echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout 1e2 echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout .5 echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout 5. echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout s echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout infinity echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout $T echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout 5$T echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout '60' echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout 6\\0 echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout {5,6} echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout ５ echo hi", WrapperCode::UnsupportedDuration)]
    #[case("timeout 60", WrapperCode::MissingCommand)]
    #[case("timeout", WrapperCode::MissingCommand)]
    #[case("timeout 60 > out", WrapperCode::MissingCommand)]
    #[case("timeout 60 # echo hi", WrapperCode::MissingCommand)]
    #[case("timeout 5 FOO=1 echo hi", WrapperCode::InnerAssignment)]
    #[case("timeout 5 FOO=$x echo hi", WrapperCode::InnerAssignment)]
    #[case("timeout 5 FOO+=1 echo hi", WrapperCode::InnerAssignment)]
    #[case("timeout 5 'FOO=1' echo hi", WrapperCode::InnerAssignment)]
    #[case("timeout 5 a[0]=1 echo hi", WrapperCode::InnerComputed)]
    #[case("timeout 5 -- echo hi", WrapperCode::InnerOption)]
    #[case("timeout 5 -k 3 echo hi", WrapperCode::InnerOption)]
    #[case("timeout 5 '-k' 3 echo hi", WrapperCode::InnerOption)]
    #[case("timeout 5 -$x echo hi", WrapperCode::InnerOption)]
    #[case("timeout 5 $CMD hi", WrapperCode::InnerComputed)]
    #[case("timeout 5 \"$CMD\" hi", WrapperCode::InnerComputed)]
    #[case("timeout 5 ~$x/bin/x hi", WrapperCode::InnerComputed)]
    #[case("timeout 5 ~/bin/env -i hi", WrapperCode::NestedWrapper)]
    #[case("timeout 5 ./* hi", WrapperCode::InnerComputed)]
    #[case("timeout 5 $(echo rm) hi", WrapperCode::InnerComputed)]
    #[case("timeout 5 cd /tmp", WrapperCode::InnerBuiltin)]
    #[case("timeout 5 'cd' /tmp", WrapperCode::InnerBuiltin)]
    #[case("timeout 5 export A=1", WrapperCode::InnerBuiltin)]
    #[case("timeout 5 . ./x", WrapperCode::InnerBuiltin)]
    #[case("timeout 5 if true", WrapperCode::InnerBuiltin)]
    #[case("timeout 5 ! ls", WrapperCode::InnerBuiltin)]
    #[case("timeout 5 time", WrapperCode::InnerBuiltin)]
    #[case("timeout 5 %1", WrapperCode::InnerBuiltin)]
    #[case("timeout 5 command -v ls", WrapperCode::InnerBuiltin)]
    #[case("timeout 5 timeout 6 echo hi", WrapperCode::NestedWrapper)]
    #[case("timeout 5 timeout", WrapperCode::NestedWrapper)]
    #[case("timeout 5 env FOO=1 echo hi", WrapperCode::NestedWrapper)]
    #[case("timeout 5 sudo echo hi", WrapperCode::NestedWrapper)]
    #[case("timeout 5 /usr/bin/sudo echo hi", WrapperCode::NestedWrapper)]
    #[case("timeout 5 'sudo' echo hi", WrapperCode::NestedWrapper)]
    #[case("timeout 5 bash -c 'echo hi'", WrapperCode::NestedWrapper)]
    #[case("timeout 5 bash", WrapperCode::NestedWrapper)]
    #[case("timeout 5 time ls", WrapperCode::NestedWrapper)]
    #[case("timeout 5 find . -exec rm {} +", WrapperCode::NestedWrapper)]
    #[case("timeout 5 xargs", WrapperCode::NestedWrapper)]
    fn everything_else_that_names_timeout_is_refused(#[case] line: &str, #[case] code: WrapperCode) {
        check(line, Some(code));
    }

    #[rstest]
    #[case("env FOO=1 echo hi", WrapperCode::NonTransparent)]
    #[case("xargs echo", WrapperCode::NonTransparent)]
    #[case("sudo timeout 5 echo hi", WrapperCode::NonTransparent)]
    #[case("find . -exec rm {} +", WrapperCode::NonTransparent)]
    #[case("nice -n 10 timeout 5 echo hi", WrapperCode::ExtendedOnly)]
    #[case("nohup timeout 5 echo hi", WrapperCode::ExtendedOnly)]
    #[case("command timeout 5 echo hi", WrapperCode::ExtendedOnly)]
    #[case("stdbuf -oL timeout 5 echo hi", WrapperCode::ExtendedOnly)]
    #[case("bash -c 'echo hi'", WrapperCode::ShellText)]
    #[case("eval 'timeout 5 echo hi'", WrapperCode::ShellText)]
    #[case("bash", WrapperCode::UnseenProgram)]
    #[case("sudo -i", WrapperCode::UnseenProgram)]
    #[case("find $x", WrapperCode::UnseenProgram)]
    #[case("sudo --frob rm x", WrapperCode::UnsureOptions)]
    #[case("nice $N rm x", WrapperCode::UnsureOptions)]
    fn every_other_wrapper_is_refused_with_its_reason(#[case] line: &str, #[case] code: WrapperCode) {
        check(line, Some(code));
    }

    #[rstest]
    #[case("timeout 5 echo", Ok(10))]
    #[case("timeout \t5\t echo", Ok(12))]
    #[case("timeout\u{a0}5 echo", Err(WrapperCode::UnsupportedSeparator))]
    #[case("timeout 5\u{a0}echo", Err(WrapperCode::UnsupportedSeparator))]
    #[case("timeout 5\u{a0} echo", Err(WrapperCode::UnsupportedDuration))]
    #[case("timeout 5 ", Err(WrapperCode::MissingCommand))]
    #[case("timeout 5 \\\n echo", Err(WrapperCode::SeveralLines))]
    #[case("timeout 5 echo 'a\nb'", Err(WrapperCode::SeveralLines))]
    #[case("timeout 5 echo 'a\rb'", Err(WrapperCode::SeveralLines))]
    #[case("timeout 5 echo \u{2028}x", Err(WrapperCode::SeveralLines))]
    #[case("'timeout' 5 echo", Err(WrapperCode::NameNotPlain))]
    #[case("timeouts 5 echo", Err(WrapperCode::UnsupportedSeparator))]
    fn the_bytes_are_read_like_the_words(#[case] text: &str, #[case] offset: Result<usize, WrapperCode>) {
        assert_eq!(inner_offset(text), offset);
    }

    proptest! {
        #[test]
        fn the_bytes_are_read_as_adr_0001_says(text in r"(timeout)?[ \t\n]{0,2}[0-9]{0,3}\.?[0-9]{0,2}[smhdx]?[ \t]{0,2}[a-z \t\r-]{0,4}") {
            let regex = Regex::new(ADR_0001).unwrap();
            // The regex may give blanks to the command; the command begins at its first other byte, and there has to be one.
            let expected = regex.captures(&text).map(|found| found.get(2).unwrap()).filter(|_| !text.contains('\r'));
            let offset = expected.and_then(|inner| {
                let trimmed = inner.as_str().trim_start_matches([' ', '\t']);
                (!trimmed.is_empty()).then_some(inner.end() - trimmed.len())
            });
            prop_assert_eq!(inner_offset(&text).ok(), offset);
        }
    }
}
