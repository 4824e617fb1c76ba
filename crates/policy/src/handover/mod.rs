//! Programs that run something else when their arguments say so, or write files that no operand names.
//!
//! A rule that allows such a program was hardly meant to allow whatever it can be told to run. Interpreters are another matter:
//! running what they are given is all they do, and who allows `python3 *` means it.
//!
//! An argument that is known only at run time counts as the worst that it may be: an option that hands something over, unless
//! `--` stands before it or what is known of it says otherwise. What the text itself assigns to a variable is known.

mod argument;
mod awk;
mod git;
mod git_config;
mod options;
mod programs;
mod sed;

use innercmd_bash_units::{PathText, Word};

use argument::{Argument, HOLE};

/// How many combinations of the values that variables may have are looked at, times the number of arguments.
const MOST_WORK: usize = 4096;

/// The manual by which a command of these words hands something over to be run, or to be written unseen; none where it does not.
///
/// `spellings` tells what a word may be after expansion.
pub(crate) fn handover(words: &[Word], spellings: impl Fn(&Word) -> Vec<PathText>) -> Option<String> {
    let (name, words) = program(words)?;
    let reader = Reader::of(&name)?;
    let known: Option<Vec<Argument<'_>>> = words.iter().map(Argument::known_of).collect();
    if let Some(arguments) = known {
        return reader.hands_over(&arguments);
    }
    let choices: Vec<Vec<Argument<'_>>> = words.iter().map(|word| choices(word, &spellings)).collect();
    let combinations = choices.iter().map(Vec::len).try_fold(1_usize, |all, each| all.checked_mul(each));
    match combinations.filter(|all| *all == 1 || all.saturating_mul(words.len()) <= MOST_WORK) {
        Some(combinations) => (0..combinations).find_map(|number| reader.hands_over(&combination(&choices, number))),
        None => reader.hands_over(&choices.into_iter().map(only).collect::<Vec<_>>()),
    }
}

/// The arguments that a word may be.
fn choices<'w>(word: &'w Word, spellings: &impl Fn(&Word) -> Vec<PathText>) -> Vec<Argument<'w>> {
    match Argument::known_of(word) {
        Some(argument) => vec![argument],
        None => {
            let mut found: Vec<Argument<'w>> = vec![];
            for spelling in spellings(word) {
                let argument = Argument::of(word, &spelling);
                if !found.contains(&argument) {
                    found.push(argument);
                }
            }
            found
        }
    }
}

/// The only choice, where there is no other.
fn only(mut choices: Vec<Argument<'_>>) -> Argument<'_> {
    match (choices.pop(), choices.is_empty()) {
        (Some(only), true) => only,
        (Some(_) | None, _) => Argument::UNKNOWN,
    }
}

/// The combination of this number: one choice for each word.
fn combination<'w>(choices: &[Vec<Argument<'w>>], number: usize) -> Vec<Argument<'w>> {
    let mut left = number;
    let mut arguments = Vec::with_capacity(choices.len());
    for choices in choices {
        let count = choices.len().max(1);
        arguments.extend(choices.get(left % count).cloned());
        left /= count;
    }
    arguments
}

/// What reads the arguments of a program.
enum Reader {
    Git,
    Sed,
    Awk,
    Table(&'static programs::Program),
}

impl Reader {
    fn of(name: &str) -> Option<Self> {
        match name {
            "git" => Some(Self::Git),
            "sed" | "gsed" => Some(Self::Sed),
            "awk" | "gawk" | "mawk" | "nawk" | "original-awk" => Some(Self::Awk),
            name => programs::program(name).map(Self::Table),
        }
    }

    fn hands_over(&self, arguments: &[Argument<'_>]) -> Option<String> {
        match self {
            Self::Git => git::hands_over(arguments),
            Self::Sed => sed::hands_over(arguments),
            Self::Awk => awk::hands_over(arguments),
            Self::Table(program) => program.hands_over(arguments),
        }
    }
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

/// Whether the first argument that `plain` does not pass over is one that `gives` a script or program, so that no operand does.
///
/// `plain` says how many arguments a harmless option is, with its value.
fn is_given_first(
    arguments: &[Argument<'_>],
    plain: impl Fn(&str) -> Option<usize>,
    gives: impl Fn(&str) -> bool,
) -> bool {
    let mut rest = arguments;
    loop {
        let Some(first) = rest.first().and_then(Argument::known) else { return false };
        match plain(first) {
            Some(length) => rest = rest.get(length.max(1)..).unwrap_or_default(),
            None => return gives(first),
        }
    }
}

/// Whether a file of code is not one of the files that a rule could name: the input, or a descriptor.
fn is_unseen_file(name: &str) -> bool {
    name == "-" || name.contains(HOLE) || name.starts_with("/dev/") || name.starts_with("/proc/")
}

#[cfg(test)]
mod tests {
    use innercmd_bash_units::{BashCommand, BashProgram, LexicalPaths, Limits, Place};
    use rstest::rstest;

    use super::*;

    /// Checks the last command that is not in another one.
    #[track_caller]
    fn check(command: &str, expected: bool) {
        let program = BashProgram::parse(command, &Limits::default());
        let paths = program.paths(&Place::new("/work", Some("/home/user"), &LexicalPaths));
        let units = program.commands();
        let outer = |unit: &&BashCommand| {
            !units.iter().any(|other| other.span.start < unit.span.start && unit.span.end < other.span.end)
        };
        let unit = units.iter().rfind(outer).unwrap();
        let found = handover(&unit.words, |word| paths.spellings(word, unit.scope));
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
    #[case("sed \"s/a/$X/\" f", true)]
    #[case("sed -n \"${N}p\" f", true)]
    #[case("N=5; sed -n \"${N}p\" f", false)]
    #[case("N=e; sed -n \"1${N}\" f", true)]
    #[case("for N in 1 2; do sed -n \"${N}p\" f; done", false)]
    #[case("for N in 1 'e x;'; do sed -n \"${N}p\" f; done", true)]
    #[case("sed -n \"$((N+1))p\" f", false)]
    #[case("sed -n \"1,$(wc -l <f)p\" f", true)]
    #[case("sed ':a e x' f", true)]
    #[case("sed ':a;N;$!ba' f", false)]
    #[case("sed 'bx e x' f", true)]
    #[case("sed 'bx;:x' f", false)]
    #[case("sed 'v 4.2 e x' f", true)]
    #[case("sed 'v 4.2' f", false)]
    #[case("sed 'tx\te x' f", true)]
    #[case("sed -e '1e x' --sandbox f", true)]
    #[case("sed --sandbox -e '1e x' f", false)]
    #[case("sed -n --sandbox '1e x' f", false)]
    #[case("sed '1e x' -- --sandbox", true)]
    #[case("sed -e p -- --sandbox f", false)]
    #[case("sed -e --sandbox -e '1e x' f", true)]
    #[case("sed -- 'e x' -e", true)]
    #[case("sed -- p -e", false)]
    #[case("sed -i '' 's/a/b/w x' f", true)]
    #[case("sed -i '' -e 's/a/b/' f", false)]
    #[case("sed -i.bak -e 's/a/b/' f", false)]
    #[case("sed -f - f", true)]
    #[case("sed -f <(echo e x) f", true)]
    #[case("sed -n p $X", true)]
    #[case("sed -n p \"$X\"", true)]
    #[case("sed -n p -- \"$X\"", false)]
    #[case("sed -n p \"src/$X\"", false)]
    #[case("sed -n p src/$X", true)]
    #[case("X=--expression=e; sed -n p $X", true)]
    #[case("X=a.txt; sed -n p $X", false)]
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
    #[case("awk -v p=$p '/Phase '\"$p\"'/{s=1} s' f", true)]
    #[case("p=2; awk -v p=$p '/Phase '\"$p\"'/{s=1} s' f", false)]
    #[case("awk -v \"p=$p\" '$1 == p' f", false)]
    #[case("awk \"NR==$((n+1))\" f", false)]
    #[case("awk \"NR==$n\" f", true)]
    #[case("awk '{print $1}' $f", false)]
    #[case("awk $o '{print $1}' f", true)]
    #[case("awk -F -f 'BEGIN{system(\"x\")}'", true)]
    #[case("awk -F -f '{print $1}' f", false)]
    #[case("awk -f - f", true)]
    #[case("awk -vx=1 -f x.awk f", false)]
    #[case("gawk -ovars '{print}' f", true)]
    #[case("awk \"$P\" f", true)]
    #[case("awk 'a/b; system(\"x\"); c/d' f", true)]
    #[case("awk -e 'BEGIN{system(\"x\")}'", true)]
    fn awk_hands_over_or_not(#[case] command: &str, #[case] expected: bool) {
        check(command, expected);
    }

    #[rstest]
    #[case("x=--pre=./evil; rg $x y", true)]
    #[case("x=y; rg $x src", false)]
    #[case("rg $x src", true)]
    #[case("rg \"$x\" src", true)]
    #[case("rg -- \"$x\" src", false)]
    #[case("rg -e \"$x\" src", false)]
    #[case("rg -e $x src", true)]
    #[case("rg \"a$x\" src", false)]
    #[case("rg \"--p$x\" y", true)]
    #[case("rg \"--col$x\" y", false)]
    #[case("rg \"--color=$x\" y", false)]
    #[case("rg -g \"$x\" y", false)]
    #[case("rg \"-g$x\" y", false)]
    #[case("rg \"-n$x\" y", true)]
    #[case("rg -- --pre=x", false)]
    #[case("rg --frob -- --pre=x y", true)]
    #[case("rg -e -- --pre=x y", true)]
    #[case("rg y *.rs", true)]
    #[case("rg y src/*.rs", false)]
    #[case("rg y -- *.rs", false)]
    #[case("cat $x", false)]
    #[case("ls *", false)]
    #[case("tar $opts", true)]
    #[case("tar \"$opts\" x", true)]
    #[case("tar xf \"$f\"", false)]
    #[case("tar -xf \"$f\"", false)]
    #[case("tar -xf $f", true)]
    #[case("tar cf x *", true)]
    #[case("tar cf x ./*", false)]
    #[case("tar cf x -- *", false)]
    #[case("git diff --outpu$t=x", true)]
    #[case("git diff \"--stat=$t\"", false)]
    #[case("git diff \"$a\"", true)]
    #[case("git diff HEAD \"HEAD~$n\"", false)]
    #[case("git diff -- $a", false)]
    #[case("git add $a", false)]
    #[case("git commit -m \"$a\"", false)]
    #[case("git checkout -b $a", false)]
    #[case("git -C \"$d\" status", false)]
    #[case("git -C $d status", true)]
    #[case("git $x", true)]
    #[case("find \"$d\" -name x", false)]
    #[case("find . \"$a\" rm {} ';'", true)]
    #[case("find . -name \"$a\"", false)]
    #[case("find . \"$a\" x", true)]
    #[case("find . \"$a/x\" x", false)]
    #[case("make \"$t\"", true)]
    #[case("make \"V=$t\"", false)]
    #[case("go run x.go \"$a\"", false)]
    #[case("go run -exec \"$a\" x.go", true)]
    #[case("x=a y=--pre=e; rg $x $y", true)]
    #[case("sort \"${x[@]}\"", true)]
    #[case("sort < $x", false)]
    fn an_unknown_argument_is_the_worst_it_may_be(#[case] command: &str, #[case] expected: bool) {
        check(command, expected);
    }

    #[test]
    fn many_values_are_bounded_work() {
        let values = (0..30).map(|n| format!("v{n}")).collect::<Vec<_>>().join(" ");
        let many = "$a ".repeat(40);
        check(&format!("for a in {values}; do rg x {many}; done"), true);
        check(&format!("rg {}", "x ".repeat(50_000)), false);
        check(&format!("rg {}", "-e ".repeat(50_000)), false);
    }

    #[rstest]
    #[case("git rebase -qx x", true)]
    #[case("git rebase -qi main", false)]
    #[case("git difftool -yx x", true)]
    #[case("git difftool -yt vimdiff", false)]
    #[case("git grep -nO x", true)]
    #[case("git grep -ne Ox", false)]
    #[case("git clone -qu x y", true)]
    #[case("git clone -qb u y", false)]
    #[case("git clone -qbu y", false)]
    #[case("git shortlog -n --output=x", true)]
    #[case("git shortlog -n", false)]
    #[case("git log -S -- --output=x", true)]
    #[case("git rev-list --output=x HEAD", true)]
    #[case("git stash show --output=x", true)]
    #[case("git diff-tree --outp x", true)]
    #[case("git range-diff --output=x a b", true)]
    #[case("git diff --output-indicator-new=+ a", false)]
    #[case("git frob --output=x", true)]
    #[case("git commit -m --output=x", false)]
    #[case("git merge-index x -a", true)]
    #[case("git merge-base a b", false)]
    #[case("git submodule --quiet foreach x", true)]
    #[case("git submodule -q foreach x", true)]
    #[case("git submodule --quiet update", false)]
    #[case("git for-each-repo --config=x y", true)]
    #[case("git remote-ext x y", true)]
    #[case("git archive --remote='ext::x' HEAD", true)]
    #[case("git remote add x ext::y", true)]
    #[case("git remote add x https://example.org/ext::y", false)]
    #[case("git -p -c core.pager=x log", true)]
    #[case("git --no-pager -c color.ui=false log", false)]
    #[case("git -c core.hooksPath=less commit", true)]
    #[case("git -c core.hooksPath=/dev/null commit", false)]
    #[case("git --config-env core.pager=X log", true)]
    #[case("tar cIf x y z", true)]
    #[case("tar cFf x y z", true)]
    #[case("tar cvf x y", false)]
    #[case("tar cf -- -Ix y", true)]
    #[case("tar xzf I", false)]
    #[case("tar -cvIf x y", true)]
    #[case("tar -cvfI x", false)]
    #[case("tar --use-comp x -cf y z", true)]
    #[case("bsdtar --use-compress-program x -cf y z", true)]
    #[case("tar --checkpoint-action=exec=x -cf y z", true)]
    #[case("rsync -ave 'x' a b", true)]
    #[case("rsync -av a b", false)]
    #[case("rsync -avf e a b", false)]
    #[case("nc -lke x", true)]
    #[case("nc -dle x", true)]
    #[case("nc -lkp 80", false)]
    #[case("nc -zv host 80", false)]
    #[case("go test --exec x ./...", true)]
    #[case("go test -exec=x ./...", true)]
    #[case("go vet -vettool=x", true)]
    #[case("go build -toolexec x", true)]
    #[case("go build -o exec", false)]
    #[case("go build -ldflags '-extld=x'", true)]
    #[case("go build -ldflags '-s -w'", false)]
    #[case("go env -w GOFLAGS=x", true)]
    #[case("go env GOPATH", false)]
    #[case("sqlite3 x.db '.sh x'", true)]
    #[case("sqlite3 x.db .system", true)]
    #[case("sqlite3 x.db -cmd '.sh x'", true)]
    #[case("sqlite3 x.db \"select load_extension('x')\"", true)]
    #[case("sqlite3 x.db '.once |x'", true)]
    #[case("sqlite3 x.db \"select a || b from c\"", false)]
    #[case("sqlite3 \"$db\" .tables", false)]
    #[case("sqlite3 \"$db\" \"$q\"", true)]
    #[case("sqlite3 ./x.db .schema", false)]
    #[case("less +!x f", true)]
    #[case("less '+|x' f", true)]
    #[case("less +G f", false)]
    #[case("less +/x f", false)]
    #[case("ex -sc '!x' f", true)]
    #[case("vim -es f", true)]
    #[case("vim -c x f", true)]
    #[case("vim +x f", true)]
    #[case("vim -u NONE f", false)]
    #[case("vim -R f", false)]
    #[case("ssh -o ProxyCommand=x host", true)]
    #[case("ssh -vo 'proxycommand x' host", true)]
    #[case("ssh -o StrictHostKeyChecking=no host", false)]
    #[case("ssh -S x host", false)]
    #[case("scp -S x a host:b", true)]
    #[case("man -P x ls", true)]
    #[case("man -aP x ls", true)]
    #[case("man -P cat ls", false)]
    #[case("man 3 printf", false)]
    #[case("make SHELL=x", true)]
    #[case("make --eval=x", true)]
    #[case("make -kE x", true)]
    #[case("make -f - all", true)]
    #[case("make CC=./x", true)]
    #[case("make CC=clang V=1", false)]
    #[case("make -C sub -j4 test", false)]
    #[case("npm run x --script-shell=y", true)]
    #[case("npm run x --script-sh y", true)]
    #[case("npm config set script-shell x", true)]
    #[case("npm install -g x", false)]
    #[case("npm run x -- --script-shell=y", false)]
    #[case("zip -rTT x y z", true)]
    #[case("zip -r -TT x y z", true)]
    #[case("zip -rT y z", false)]
    #[case("sort --compress-program x f", true)]
    #[case("split --filter=x f", true)]
    #[case("split -l 5 f", false)]
    #[case("tail --follow=name f", false)]
    #[case("tail -F f", false)]
    #[case("find . -fls x", true)]
    #[case("find . -name -fls -print", false)]
    #[case("wget -qe use_askpass=x u", true)]
    #[case("wget -qO x u", false)]
    #[case("cargo clippy -- -D warnings", false)]
    #[case("cargo rustc -- -C linker=x", true)]
    #[case("cargo rustc -- -C opt-level=3", false)]
    #[case("cargo --config build.rustc-wrapper=x build", true)]
    #[case("cargo test -- --config", false)]
    #[case("rustc -Clinker=x f.rs", true)]
    #[case("rustc -O f.rs", false)]
    #[case("gcc -B. x.c", true)]
    #[case("gcc -fplugin=x y.c", true)]
    #[case("gcc -Wall -O2 -o x y.c", false)]
    #[case("gh extension exec x", true)]
    #[case("gh pr list", false)]
    #[case("psql -c '\\! x'", true)]
    #[case("psql -Atc 'select 1'", false)]
    #[case("psql -Atc \"copy t to program 'x'\"", true)]
    #[case("latexmk -pdflatex=x f", true)]
    #[case("pdflatex -shell-e f", true)]
    #[case("pdflatex f", false)]
    #[case("convert '|x' y", true)]
    #[case("convert x.png y.jpg", false)]
    fn options_hide_in_clusters_and_hold_values(#[case] command: &str, #[case] expected: bool) {
        check(command, expected);
    }
}
