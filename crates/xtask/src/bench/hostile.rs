//! What the worst texts cost, and what is answered.

use std::process::ExitCode;
use std::time::Instant;

use innercmd_bash_units::{BashProgram, LexicalPaths, Limits};
use innercmd_policy::{Decision, Policy, Surroundings};

/// How deep constructs are nested.
const DEPTH: usize = 10_000;

/// A policy of Bash rules alone, and one that looks at paths as well.
const POLICIES: [&str; 2] = [
    r#"{"*": "allow", "bash": {"*": "allow", "rm *": "deny"}}"#,
    r#"{"*": "ask", "bash": {"*": "allow", "rm *": "deny", "git push*--force*": "deny", "*secret*": "ask"},
        "path": {"*": "allow", "*.env": "deny", "~/.ssh/*": "deny"}, "external_directory": {"*": "ask"}}"#,
];

/// Openers without their closers: what is called, and what is repeated.
const OPENERS: [(&str, &str); 16] = [
    ("`(`", "("),
    ("`{`", "{ "),
    ("`$(`", "a $("),
    ("backquotes", "a `"),
    ("`((`", "(("),
    ("`$((`", "a $(("),
    ("`if`", "if "),
    ("`case`", "case x in a) "),
    ("`while`", "while "),
    ("`for`", "for x in a; do "),
    ("`${`", "a ${x:-"),
    ("`\"$(`", "a \"$("),
    ("`<(`", "a <("),
    ("functions", "f() { "),
    ("arrays", "x=("),
    ("here-documents in substitutions", "a <<E\n$("),
];

/// The same with their closers.
const NESTED: [(&str, &str, &str); 6] = [
    ("`( )`", "( ", ")"),
    ("`{ }`", "{ ", ";}"),
    ("`$( )`", "a $(", ")"),
    ("`\"$( )\"`", "a \"$(", ")\""),
    ("`if … fi`", "if a; then ", "; fi"),
    ("`${ }`", "a ${x:-", "}"),
];

/// What fills a text up to its limit.
const FILLERS: [(&str, &str); 19] = [
    ("backquotes alone", "`"),
    ("one word", "a"),
    ("one path", "a/"),
    ("pipes", "a|"),
    ("semicolons", "a;"),
    ("plain commands", "git status;"),
    ("plain lines", "echo a b c\n"),
    ("lists", "git status && "),
    ("quotes", "echo \"a b\";"),
    ("redirections", "a >b;"),
    ("assignments", "x=1;"),
    ("computed programs", "$x;"),
    ("computed arguments", "rm $x;"),
    ("wrappers", "timeout 5 ls;"),
    ("shells", "bash -c 'ls';"),
    ("arithmetic", "((a));"),
    ("subshells", "(a);"),
    ("comments", "#a\n"),
    ("escapes", "\\a "),
];

/// Prints a table of times, memory and answers.
pub(super) fn run() -> ExitCode {
    let loaded = POLICIES.map(|text| Policy::from_permission(text).map(|loaded| loaded.policy));
    let [Ok(bash), Ok(paths)] = loaded else { return ExitCode::FAILURE };
    println!(
        "milliseconds of one decision: reading, judging by Bash rules alone, and judging by rules for paths as well;"
    );
    println!("the highest memory of the process in MiB; and the answer of the second policy\n");
    println!("| text | bytes | read | judge | with paths | memory | answer |");
    println!("|---|---|---|---|---|---|---|");
    for (name, text) in shapes(1 << 20) {
        forget_peak();
        let (program, read) = timed(|| BashProgram::parse(&text, &Limits::default()));
        let (_, without) = timed(|| decide(&bash, &program));
        let (decision, with) = timed(|| decide(&paths, &program));
        let answer = format!("{} {}", decision.effect(), decision.code());
        let memory = peak().map_or_else(|| "?".to_owned(), |peak| peak.to_string());
        println!("| {name} | {} | {read:.0} | {without:.0} | {with:.0} | {memory} | {answer} |", text.len());
    }
    ExitCode::SUCCESS
}

/// The texts, of at most `bytes` but for one that is too long.
fn shapes(bytes: usize) -> Vec<(String, String)> {
    let depth = DEPTH.min(bytes / 16);
    let repeated = |piece: &str, room: usize| piece.repeat(room / piece.len());
    let mut shapes = vec![];
    for (name, opener) in OPENERS {
        shapes.push((format!("{depth} {name}, open"), opener.repeat(depth)));
    }
    for (name, open, close) in NESTED {
        shapes.push((format!("{depth} {name}"), format!("{}a{}", open.repeat(depth), close.repeat(depth))));
    }
    for (name, piece) in FILLERS {
        shapes.push((name.to_owned(), repeated(piece, bytes)));
    }
    shapes.push(("`ls a a …`".to_owned(), format!("ls {}", repeated("a ", bytes * 6 / 7))));
    shapes.push(("`ls $x $x …`".to_owned(), format!("ls {}", repeated("$x ", bytes * 6 / 7))));
    shapes.push(("here-documents".to_owned(), repeated("cat <<E\nE\n", bytes)));
    let documents = bytes / 11;
    let on_one_line = format!("cat {}\n{}", "<<E ".repeat(documents), "E\n".repeat(documents));
    shapes.push(("here-documents on one line".to_owned(), on_one_line));
    shapes.push(("random bytes".to_owned(), random(bytes)));
    shapes.push(("too long".to_owned(), repeated("git status;", bytes + bytes / 4)));
    shapes
}

/// Bytes that look like chance, as text.
fn random(bytes: usize) -> String {
    let byte =
        |at: usize| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56).to_le_bytes().first().copied().unwrap_or(b'a');
    let mut text = String::from_utf8_lossy(&(0..bytes).map(byte).collect::<Vec<u8>>()).into_owned();
    while text.len() > bytes {
        text.pop();
    }
    text
}

fn decide(policy: &Policy, program: &BashProgram) -> Decision {
    let around = Surroundings { cwd: "/work/project", home: Some("/home/user"), facts: &LexicalPaths };
    policy.judge(program, &around).decision()
}

/// What `call` returns, and how many milliseconds it takes.
fn timed<T>(call: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let value = call();
    (value, start.elapsed().as_secs_f64() * 1e3)
}

/// Makes the highest memory that of now, where the system can (proc(5): `clear_refs`).
fn forget_peak() {
    // Where it cannot, the column shows the highest so far.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The highest memory of this process in MiB, where the system tells.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<usize>().ok().map(|kib| kib / 1024)
}

#[cfg(test)]
mod tests {
    use innercmd_policy::Effect;

    use super::*;

    #[test]
    fn a_denied_program_is_denied_before_and_behind_each_hostile_text() {
        let policy = Policy::from_permission(POLICIES[0]).unwrap().policy;
        for (name, text) in shapes(1 << 15) {
            let before = format!("rm -rf x\n{text}");
            let behind = format!("{text}\nrm -rf x\n");
            for text in [before, behind] {
                let decision = decide(&policy, &BashProgram::parse(&text, &Limits::default()));
                assert_eq!(decision.effect(), Effect::Deny, "{name}, {} bytes", text.len());
            }
        }
    }

    #[test]
    fn nothing_hostile_that_is_long_is_allowed_where_paths_count() {
        let policy = Policy::from_permission(POLICIES[1]).unwrap().policy;
        for (name, text) in shapes((1 << 17) + (1 << 12)) {
            let decision = decide(&policy, &BashProgram::parse(&text, &Limits::default()));
            assert!(text.len() < 1 << 17 || decision.effect() > Effect::Allow, "{name}");
        }
    }
}
