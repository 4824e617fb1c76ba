//! dev
use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::*;
use std::time::Instant;
fn main() {
    for rules in [5usize, 65, 1000, 10000] {
        let mut map = String::from("{\"*\":\"ask\",\"path\":{\"*\":\"allow\"");
        for i in 0..rules / 4 {
            map += &format!(",\"*.secret{i}\":\"deny\"");
        }
        map += "},\"external_directory\":\"allow\",\"bash\":{\"*\":\"ask\",\"echo *\":\"allow\",\"git *\":\"allow\"";
        for i in 0..rules {
            map += &match i % 3 {
                0 => format!(",\"tool{i} *\":\"allow\""),
                1 => format!(",\"git sub{i}*--x{i}*\":\"deny\""),
                _ => format!(",\"*danger{i}*\":\"deny\""),
            };
        }
        map += "}}";
        let t = Instant::now();
        let policy = Policy::from_permission(&map).unwrap().policy;
        let load = t.elapsed();
        let around = Surroundings { home: Some("/home/user"), ..Surroundings::new("/work/project") };
        for (name, command) in [
            ("1", "git status".to_owned()),
            ("11", vec!["git log -n 3 src/x"; 11].join(" && ")),
            ("111", vec!["git log -n 3 src/x"; 111].join(" && ")),
            ("1108", vec!["git log -n 3 src/x"; 1108].join(" && ")),
            ("11dyn", vec!["git log $A src/$x"; 11].join(" && ")),
        ] {
            let program = BashProgram::parse(&command, &Limits::default());
            let t = Instant::now();
            let first = policy.judge(&program, &around);
            let cold = t.elapsed();
            let n = 20;
            let t = Instant::now();
            for _ in 0..n {
                std::hint::black_box(policy.judge(&program, &around));
            }
            println!(
                "rules {rules} units {name}: load {load:?} cold {cold:?} judge {:?} {}",
                t.elapsed() / n,
                first.decision().code()
            );
        }
    }
}
