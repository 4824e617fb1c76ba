//! Commands of the kind that agents run, put together by chance.

/// SplitMix64: what a seed means is kept here.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, or zero.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % bound).unwrap_or_default()
    }

    pub(super) fn pick<'c>(&mut self, choices: &[&'c str]) -> &'c str {
        let place = self.below(choices.len());
        choices.get(place).copied().unwrap_or_default()
    }
}

const PROGRAMS: [&str; 44] = [
    "ls", "cat", "echo", "git status", "git push", "git log", "git commit -m", "rm -rf", "rm", "evil", "ok", "cd",
    "cd", "grep -n", "grep -e", "sed -n", "sed -i", "awk", "rg", "sd", "find", "find . -name", "tr", "cut",
    "python3 -c", "npm run", "env", "time", "time -p", "timeout 5", "nice", "sudo", "xargs", "bash -c", "eval",
    "nohup", "export", "test", "[[", "printf", "/bin/rm", "'rm'", "\\rm", "./evil",
];
const ARGUMENTS: [&str; 52] = [
    "-n", "--force", "-c", "-exec", "x", "a", "src/a.ts", "./a", "../x", "../../x", "..", "/etc/passwd", "/", "~",
    "~/.ssh/id_rsa", ".env", "src/.env", "id_rsa", "'a/b c'", "\"/usr is big\"", "'..'", "\"$HOME/x\"",
    "$HOME/.ssh/id_rsa", "$(git rev-parse HEAD)", "`evil`", "\"$(cat /etc/x)\"", "<(evil a)", "$X", "\"${X:-/y}\"",
    "/dev/null", "*.ts", "src/*", "{a,b}", "s/a/b/", "'s#/a#/b#'", "'{print $1}'", "/work/project/src",
    "/work/projects", "/tmp/a", "A=/x", "@scope/pkg", "https://a.b/c", "a=b/c", "'.*x'", "\\;", "{}", "'evil x'", "1",
    "--file=/etc/x", "]]", "a\\ b", "$'\\x2fx'",
];
const REDIRECTIONS: [&str; 14] = [
    "> out.txt", ">> /tmp/a", "2>&1", "2>/dev/null", ">/dev/null 2>&1", "< .env", "&> x", ">| ../y", "<<< \"$X\"",
    "<<E\n/x $(evil)\nE\n", "<<'E'\nrm x\nE\n", "2> /etc/x", "> $X", ">& f",
];
const JOINERS: [&str; 12] =
    [" && ", " || ", "; ", " | ", " & ", "\n", " |& ", " && ", "; ", " | ", "\n# a comment\n", " \\\n&& "];
const FRAMES: [(&str, &str); 20] = [
    ("", ""),
    ("", ""),
    ("", ""),
    ("", ""),
    ("(", ")"),
    ("{ ", "; }"),
    ("for f in a b; do ", "; done"),
    ("if ok; then ", "; fi"),
    ("while ", "; do ok; done"),
    ("case x in a) ", ";; esac"),
    ("f() { ", "; }"),
    ("! ", ""),
    ("echo $(", ")"),
    ("echo \"`", "`\""),
    ("A=1 ", ""),
    ("1a=b ", ""),
    ("X=$(", ")"),
    ("time ", ""),
    ("[[ a ]] && ", ""),
    ("((i++)); ", ""),
];

/// A command of a few parts.
pub(super) fn phrase(random: &mut Random) -> String {
    let mut text = String::new();
    for part in 0..=random.below(4) {
        if part > 0 {
            text.push_str(random.pick(&JOINERS));
        }
        let frame = random.below(FRAMES.len());
        let (open, close) = FRAMES.get(frame).copied().unwrap_or_default();
        text.push_str(open);
        simple(&mut text, random);
        if !close.is_empty() && random.below(3) == 0 {
            text.push_str(random.pick(&JOINERS));
            simple(&mut text, random);
        }
        text.push_str(close);
        if random.below(6) == 0 {
            text.push(' ');
            text.push_str(random.pick(&REDIRECTIONS));
        }
    }
    text
}

fn simple(text: &mut String, random: &mut Random) {
    text.push_str(random.pick(&PROGRAMS));
    for _ in 0..random.below(4) {
        text.push(' ');
        let redirects = random.below(9) == 0;
        text.push_str(if redirects { random.pick(&REDIRECTIONS) } else { random.pick(&ARGUMENTS) });
    }
}
