//! Programs that run something else when their arguments say so, or write files that no operand names.
//!
//! A rule that allows such a program was hardly meant to allow whatever it can be told to run. Interpreters are another matter:
//! running what they are given is all they do, and who allows `python3 *` means it.

mod awk;
mod entries;
mod git;
mod sed;

use std::borrow::Cow;

use innercmd_bash_units::{Part, Word};

use entries::{Arguments, ENTRIES, Entry};

/// Other options whose names begin the same way, and hand nothing over.
const HARMLESS: &[&str] = &["--checkpoint", "--pretty", "--pre-glob", "--exclude"];

/// The manual by which a command of these words hands something over to be run, or to be written unseen; none where it does not.
pub(crate) fn handover(words: &[Word]) -> Option<&'static str> {
    let (program, arguments) = program(words)?;
    match program.as_str() {
        "git" => return git::hands_over(arguments),
        "sed" | "gsed" => return sed::hands_over(arguments),
        "awk" | "gawk" | "mawk" | "nawk" | "original-awk" => return awk::hands_over(arguments),
        _ => {}
    }
    let fits = |entry: &&Entry| entry.programs.contains(&program.as_str()) && entry.arguments.in_words(arguments);
    ENTRIES.iter().find(fits).map(|entry| entry.manual)
}

/// The base name of the program and its arguments, behind the builtins that only run another command.
fn program(words: &[Word]) -> Option<(String, &[Word])> {
    let mut rest = words;
    loop {
        let (program, arguments) = rest.split_first()?;
        let program = program.literal()?;
        let base = program.rsplit('/').next().unwrap_or_default();
        if !matches!(base, "command" | "builtin" | "exec") {
            return Some((base.to_owned(), arguments));
        }
        rest = arguments;
    }
}

impl Arguments {
    fn in_words(&self, words: &[Word]) -> bool {
        match self {
            Self::Subcommand(first, second) => {
                let mut texts = words.iter().map(known);
                texts.next().is_some_and(|text| text == *first) && texts.next().is_some_and(|text| text == *second)
            }
            Self::Long(..) | Self::Short(_) | Self::Word(_) | Self::Prefix(_) | Self::Holds(_) => {
                words.iter().any(|word| self.fits(&known(word)))
            }
        }
    }

    fn fits(&self, word: &str) -> bool {
        match self {
            Self::Long(option, shortest) => is_long(word, option, *shortest),
            Self::Short(option) => is_short(word, option),
            Self::Word(text) => word == *text,
            Self::Prefix(text) => word.starts_with(text),
            Self::Holds(text) => word.to_ascii_lowercase().contains(text),
            Self::Subcommand(..) => false,
        }
    }
}

/// Whether `word` is the long option, with or without a value, in full or shortened as getopt_long(3) takes it.
fn is_long(word: &str, option: &str, shortest: usize) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    name.len() >= shortest && option.starts_with(name) && (name == option || !HARMLESS.contains(&name))
}

fn is_short(word: &str, option: &str) -> bool {
    // The value of an option of one letter is glued on; that of a longer one stands behind `=`.
    let glued = option.len() == 2 && !word.starts_with("--");
    word.strip_prefix(option).is_some_and(|value| value.is_empty() || value.starts_with('=') || glued)
}

/// What is known of a word: the text up to its first hole.
fn known(word: &Word) -> Cow<'_, str> {
    word.literal().unwrap_or_else(|| {
        let text = |part: &Part| match part {
            Part::Literal { text, .. } => Some(text.clone()),
            Part::Hole { .. } => None,
        };
        Cow::Owned(word.parts.iter().map_while(text).collect())
    })
}

/// The text of a script: holes in it are one character that means nothing; none where nothing of it is known.
fn script(word: &Word) -> Option<String> {
    let text = |part: &Part| match part {
        Part::Literal { text, .. } => text.clone(),
        Part::Hole { .. } => HOLE.to_string(),
    };
    let known = word.parts.iter().any(|part| matches!(part, Part::Literal { .. })) || word.parts.is_empty();
    known.then(|| word.parts.iter().map(text).collect())
}

/// Stands for a hole in a script.
const HOLE: char = '\u{fffc}';

#[cfg(test)]
mod tests {
    use innercmd_bash_units::{BashProgram, Limits};
    use rstest::rstest;

    use super::*;

    #[track_caller]
    fn check(command: &str, expected: bool) {
        let program = BashProgram::parse(command, &Limits::default());
        let found = handover(&program.commands()[0].words);
        assert_eq!(found.is_some(), expected, "{command}: {found:?}");
    }

    #[rstest]
    #[case("sort --compress-program=x f", true)]
    #[case("sort --compress-prog x f", true)]
    #[case("sort --co=x f", true)]
    #[case("sort --check f", false)]
    #[case("/usr/bin/sort --compress-program=x f", true)]
    #[case("command sort --compress-program=x f", true)]
    #[case("sort -k1,1 f", false)]
    #[case("tar cf x --checkpoint=1 --checkpoint-action=exec=y f", true)]
    #[case("tar cf x --checkpoint=1 f", false)]
    #[case("tar -I 'sh -c x' -cf y f", true)]
    #[case("tar -xzf x --to-stdout", false)]
    #[case("tar -xf x --to-command=y", true)]
    #[case("rg --pre x y", true)]
    #[case("rg --pre=x y", true)]
    #[case("rg --pre-glob '*.x' y", false)]
    #[case("rg --pretty y", false)]
    #[case("find . -fprintf x '%p'", true)]
    #[case("find . -printf '%p'", false)]
    #[case("vim -c ':!x'", true)]
    #[case("vim x", false)]
    #[case("ssh -oProxyCommand=x host", true)]
    #[case("ssh host", false)]
    #[case("go test -exec x ./...", true)]
    #[case("go test ./...", false)]
    #[case("gh alias set x '!y'", true)]
    #[case("gh api user", false)]
    #[case("python3 -c 'import os'", false)]
    #[case("node -e 'x'", false)]
    #[case("less +F x", false)]
    fn arguments_hand_over_or_not(#[case] command: &str, #[case] expected: bool) {
        check(command, expected);
    }

    #[rstest]
    #[case("git -c core.pager='touch x' log", true)]
    #[case("git -c core.pager=cat log", false)]
    #[case("git -c user.name=x -c user.email=y commit", false)]
    #[case("git -c alias.x='!y' x", true)]
    #[case("git -c unheard.of=1 status", true)]
    #[case("git -c color.ui=always diff", false)]
    #[case("git -c \"user.name=$X\" commit", false)]
    #[case("git -c $X log", true)]
    #[case("git --config-env=core.pager=X log", true)]
    #[case("git --exec-path=/tmp status", true)]
    #[case("git --exec-path", false)]
    #[case("git config alias.zz '!touch x'", true)]
    #[case("git config --global core.pager x", true)]
    #[case("git config user.name x", false)]
    #[case("git config --get core.pager", false)]
    #[case("git config --list", false)]
    #[case("git config core.pager", false)]
    #[case("git config set core.pager x", true)]
    #[case("git config get core.pager", false)]
    #[case("git config --unset core.pager", false)]
    #[case("git config --edit", false)]
    #[case("git config --add include.path x", true)]
    #[case("git fetch --upload-pack=x origin", true)]
    #[case("git fetch --upload-p x origin", true)]
    #[case("git clone -u x y", true)]
    #[case("git push -u origin main", false)]
    #[case("git clone --config core.fsmonitor=x y", true)]
    #[case("git clone -c core.fsmonitor=x y", true)]
    #[case("git clone --template=x y", true)]
    #[case("git clone 'ext::sh -c x' y", true)]
    #[case("git clone https://example.org/x", false)]
    #[case("git rebase -x 'make' main", true)]
    #[case("git rebase --exec=make main", true)]
    #[case("git rebase -i main", false)]
    #[case("git bisect run x", true)]
    #[case("git bisect good", false)]
    #[case("git submodule foreach 'x'", true)]
    #[case("git submodule update", false)]
    #[case("git grep -Ox foo", true)]
    #[case("git grep --open-files-in-pager=x foo", true)]
    #[case("git grep foo", false)]
    #[case("git difftool -x y", true)]
    #[case("git filter-branch --tree-filter x", true)]
    #[case("git diff --output=x", true)]
    #[case("git log --oneline -3", false)]
    #[case("git commit -m 'exec --upload-pack'", false)]
    #[case("git commit -m --exec", false)]
    fn git_hands_over_or_not(#[case] command: &str, #[case] expected: bool) {
        check(command, expected);
    }

    #[rstest]
    #[case("sed -n '1e touch x' f", true)]
    #[case("sed '1e' f", true)]
    #[case("sed 'e' f", true)]
    #[case("sed s/e/w/ f", false)]
    #[case("sed s/a/b/e f", true)]
    #[case("sed 's/a/b/;s/c/d/ge' f", true)]
    #[case("sed 's/a/b/w out' f", true)]
    #[case("sed 's/a/b/gp' f", false)]
    #[case("sed -n '/e/,/w/p' f", false)]
    #[case("sed -n '/a/w out' f", true)]
    #[case("sed -n '1,5p' f", false)]
    #[case("sed -e p -e 'e x' f", true)]
    #[case("sed -ep f", false)]
    #[case("sed --expression='e x' f", true)]
    #[case("sed --expr 'e x' f", true)]
    #[case("sed -ne 'w x' f", true)]
    #[case("sed -i 's|/a|/b|g' f", false)]
    #[case("sed 's/[/]e/x/' f", false)]
    #[case("sed 's/[]/e]/x/' f", false)]
    #[case("sed 's/[^[:space:]/e]/x/' f", false)]
    #[case("sed 'y/[/x/;e y' f", true)]
    #[case("sed 's/[/x/;e y' f", true)]
    #[case("sed 's/a\\/e/x/' f", false)]
    #[case("sed 'y/abc/wee/' f", false)]
    #[case("sed '/x/{s/a/b/;e y\n}' f", true)]
    #[case("sed '/x/{s/a/b/;p}' f", false)]
    #[case("sed '$!N;P;D' f", false)]
    #[case("sed 'a\\\ne text\n' f", false)]
    #[case("sed '1i w text' f", false)]
    #[case("sed ':e;N;be' f", false)]
    #[case("sed 's,x,e,' f", false)]
    #[case("sed '\\,e,d' f", false)]
    #[case("sed 's/a/b/ e' f", true)]
    #[case("sed \"s/a/$X/\" f", false)]
    #[case("sed -n \"${N}p\" f", false)]
    #[case("sed \"$X\" f", true)]
    #[case("sed \"1$X\" f", true)]
    #[case("sed -n '$p' f", false)]
    #[case("sed --sandbox 'e x' f", false)]
    #[case("sed -f x.sed f", false)]
    fn sed_hands_over_or_not(#[case] command: &str, #[case] expected: bool) {
        check(command, expected);
    }

    #[rstest]
    #[case("awk 'BEGIN {system(\"x\")}'", true)]
    #[case("awk 'BEGIN {system (\"x\")}'", true)]
    #[case("awk '{print $1}' f", false)]
    #[case("awk '{print \"system(x)\"}' f", false)]
    #[case("awk '/system(x)/{print}' f", true)]
    #[case("awk '/a|b/ && $1 ~ /c\\/d/ {print}' f", false)]
    #[case("awk '{print | \"sh\"}' f", true)]
    #[case("awk '{\"date\" | getline d}' f", true)]
    #[case("awk '{print |& \"sh\"}' f", true)]
    #[case("awk '$1 || $2' f", false)]
    #[case("awk '{print > \"out\"}' f", true)]
    #[case("awk '{printf \"%s\", $1 >> \"out\"}' f", true)]
    #[case("awk '$1 > 5 {print}' f", false)]
    #[case("awk '{print ($1 > 5)}' f", false)]
    #[case("awk '{print $1; if ($2 > 3) x=1}' f", false)]
    #[case("awk '{@f(\"x\")}' f", true)]
    #[case("awk -F'|' '{print $1}' f", false)]
    #[case("awk -i inplace '{print}' f", true)]
    #[case("awk -l x 'BEGIN{}'", true)]
    #[case("awk -f x.awk f", false)]
    #[case("awk -v p=$p '/Phase '\"$p\"'/{s=1} s' f", false)]
    #[case("awk \"$P\" f", true)]
    #[case("awk 'a/b; system(\"x\"); c/d' f", true)]
    #[case("awk -e 'BEGIN{system(\"x\")}'", true)]
    fn awk_hands_over_or_not(#[case] command: &str, #[case] expected: bool) {
        check(command, expected);
    }
}
