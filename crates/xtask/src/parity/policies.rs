//! Policies to decide by.

use super::phrases::Random;

/// Policies that people might write, and some that nobody would.
pub(super) const FIXED: [&str; 12] = [
    r#"{"*":"allow"}"#,
    r#"{"*":"deny"}"#,
    r#"{"bash":{"*":"allow","rm *":"deny","evil *":"deny"}}"#,
    r#"{"*":"ask","bash":{"*":"ask","ls *":"allow","cat *":"allow","echo *":"allow","git *":"allow","git push *":"deny","ok *":"allow"},"path":"allow","external_directory":"allow"}"#,
    r#"{"bash":{"*":"allow","evil *":"deny","git push *":"ask"},"path":{"*":"allow","*.env":"deny","*id_rsa*":"deny","~/.ssh/*":"deny"},"external_directory":"allow"}"#,
    r#"{"bash":"allow","path":{"*":"ask","src/*":"allow","/work/project/*":"allow"},"external_directory":{"*":"ask","/tmp/*":"allow"}}"#,
    r#"{"bash":{"*":"deny","ok *":"allow","ls *":"allow","git *":"allow","echo *":"allow","cat *":"allow"},"path":{"*":"deny","src/*":"allow"},"external_directory":"deny"}"#,
    r#"{"bash":{"*":"allow","*evil*":"ask","* | *":"deny","time *":"deny","for *":"ask","(*":"ask","{*":"deny","*&&*":"ask"},"path":"allow","external_directory":"allow"}"#,
    r#"{"*":"allow","path":{"*":"allow","/dev/*":"ask","../*":"deny"},"external_directory":{"*":"allow","/etc/*":"deny","~/*":"ask"}}"#,
    r#"{"bash":{"*":"ask","timeout *":"allow","env *":"allow","sudo *":"allow","bash *":"allow","xargs *":"allow"},"path":"allow","external_directory":"ask"}"#,
    r#"{"bash":{"*":"allow","sudo *":{"action":"deny","reason":"no"},"*--force*":"deny","[[*":"ask","*=*":"ask"},"path":"deny","external_directory":"allow"}"#,
    r#"{"b*":{"*":"allow","evil":"deny"},"p*":{"*.env*":"ask"},"external_*":"allow"}"#,
];

const BASH: [&str; 34] = [
    "*", "git *", "git push *", "git push", "rm *", "rm -rf *", "evil *", "ok *", "* evil*", "*evil*", "echo *",
    "cat *", "ls", "ls ?", "time *", "env *", "env", "sudo *", "bash -c *", "* | *", "*&&*", "(*", "{ *", "for *",
    "if *", "[[ *", "((*", "*=*", "! *", "*..*", "'*", "*/dev/null*", "* \"*", "find *-exec*",
];
const PATHS: [&str; 20] = [
    "*", "*.env", "*.env*", "src/*", "./*", "../*", "/etc/*", "/*", "~/*", "~/.ssh/*", "$HOME/*", "/dev/*", "*.ts",
    "a", "*id_rsa*", "/work/project/*", "/work/*", "*/x", "*$*", "/tmp/*",
];
const EFFECTS: [&str; 3] = ["allow", "ask", "deny"];

/// A policy that chance makes.
pub(super) fn random(random: &mut Random) -> String {
    let mut surfaces = vec![];
    if random.below(2) == 0 {
        surfaces.push(format!(r#""*":"{}""#, random.pick(&EFFECTS)));
    }
    for (surface, patterns) in [("bash", &BASH[..]), ("path", &PATHS[..]), ("external_directory", &PATHS[..])] {
        match random.below(6) {
            0 if surface != "bash" => {}
            1 => surfaces.push(format!(r#""{surface}":"{}""#, random.pick(&EFFECTS))),
            _ => surfaces.push(format!(r#""{surface}":{{{}}}"#, rules(patterns, random))),
        }
    }
    format!("{{{}}}", surfaces.join(","))
}

fn rules(patterns: &[&str], random: &mut Random) -> String {
    let mut seen = vec![];
    let mut rules = vec![];
    for _ in 0..=random.below(7) {
        let pattern = if rules.is_empty() && random.below(3) > 0 { "*" } else { random.pick(patterns) };
        if seen.contains(&pattern) {
            continue;
        }
        seen.push(pattern);
        // An allow by default leaves the most to be decided by the rest.
        let effect = if pattern == "*" && random.below(2) == 0 { "allow" } else { random.pick(&EFFECTS) };
        rules.push(format!("{}:\"{effect}\"", serde_json::Value::from(pattern)));
    }
    rules.join(",")
}
