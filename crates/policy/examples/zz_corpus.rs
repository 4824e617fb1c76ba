//! dev
use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::*;
use std::io::Read;
fn main() {
    let mut args = std::env::args().skip(1);
    let policy = args.next().unwrap();
    let file = args.next().unwrap();
    let mut text = String::new();
    std::fs::File::open(file).unwrap().read_to_string(&mut text).unwrap();
    let policy =
        if policy == "default" { Policy::embedded_default() } else { Policy::from_permission(&policy).unwrap().policy };
    let around = Surroundings { home: Some("/home/user"), ..Surroundings::new("/work/project") };
    let mut counts = std::collections::BTreeMap::new();
    let start = std::time::Instant::now();
    for line in text.lines() {
        let v: serde_json::Value = serde_json::from_str(line).unwrap();
        let c = v["command"].as_str().unwrap();
        let program = BashProgram::parse(c, &Limits::default());
        let j = policy.judge(&program, &around);
        let d = j.decision();
        *counts
            .entry(format!("{} {}", d.effect(), if d.effect() == Effect::Allow { "" } else { d.code() }))
            .or_insert(0) += 1;
        if d.effect() != Effect::Allow {
            let mut shown = std::collections::BTreeSet::new();
            for f in j.findings.iter().filter(|f| f.effect > Effect::Allow) {
                shown.insert(format!(
                    "{}|{}|{}|{}",
                    f.cause.code(),
                    f.span.of(c).chars().take(100).collect::<String>().escape_debug(),
                    f.detail.clone().unwrap_or_default(),
                    f.rule.as_ref().map(|r| r.pattern.clone()).unwrap_or_default()
                ));
            }
            println!(
                "{}\t{}\t{}",
                d.effect(),
                v["id"].as_str().unwrap_or(""),
                shown.into_iter().collect::<Vec<_>>().join("  ##  ")
            );
        }
    }
    eprintln!("{:?} {:#?}", start.elapsed(), counts);
}
