//! The package itself: its types against Pi's, its own tests, and what `pi install` makes of the tarballs.

use std::process::Command;

use serde_json::json;

use super::{Group, expect, expect_asked, expect_ran, policy};
use crate::dist;
use crate::e2e::{
    Failure,
    home::write_json,
    lab::Lab,
    registry::Registry,
    session::{Launch, Session, pi_command},
};

pub(super) const ALL: Group = &[
    ("package: the extension type-checks against this Pi, strictly", types),
    ("package: the extension's own tests pass", unit_tests),
    ("package: `pi install` takes the tarballs, and `pi remove` undoes it", install),
];

fn types(lab: &Lab<'_>) -> Result<String, Failure> {
    let typescript = lab.tools.typescript()?;
    let extension = lab.root.join("crates/host-pi/extension");
    let project = tempfile::tempdir()?;
    let file = project.path().join("tsconfig.json");
    let types = lab.pi.modules.join("@earendil-works/pi-coding-agent/dist/index.d.ts");
    let options =
        json!({ "typeRoots": [typescript.join("@types")], "paths": { "@earendil-works/pi-coding-agent": [types] } });
    let include = [extension.join("src"), extension.join("test"), lab.root.join("crates/xtask/src/e2e/pi")];
    write_json(
        &file,
        &json!({ "extends": extension.join("tsconfig.json"), "compilerOptions": options, "include": include }),
    )?;
    let compiler = typescript.join("typescript/bin/tsc");
    let output = Command::new(lab.tools.node()).arg(compiler).arg("-p").arg(&file).output()?;
    expect(output.status.success(), "no error of types", String::from_utf8_lossy(&output.stdout))?;
    Ok("no errors".to_owned())
}

fn unit_tests(lab: &Lab<'_>) -> Result<String, Failure> {
    let extension = lab.root.join("crates/host-pi/extension");
    let output = Command::new(lab.tools.node())
        .args(["--test", "--test-reporter=tap", "test/*.test.ts"])
        .env("INNERCMD_TEST_SIDECAR", lab.sidecar)
        .current_dir(extension)
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    expect(output.status.success(), "the tests to pass", &said)?;
    let count = said.lines().find_map(|line| line.strip_prefix("# pass ")).unwrap_or_default().to_owned();
    expect(count.parse::<u32>().is_ok_and(|count| count > 0), "tests that ran", &said)?;
    Ok(format!("{count} tests"))
}

fn install(lab: &Lab<'_>) -> Result<String, Failure> {
    let out = tempfile::tempdir()?;
    let packages =
        dist::pack(lab.root, lab.sidecar, out.path()).map_err(|failure| Failure::new(failure.to_string()))?;
    let registry = Registry::start(&packages)?;
    let place = lab.place(Some(&policy()))?;
    let environment = vec![
        ("npm_config_registry", registry.url()),
        ("npm_config_cache", place.home.user().join("npm").display().to_string()),
    ];
    let launch = |extensions| Launch {
        node: lab.tools.node(),
        pi: lab.pi,
        home: &place.home,
        extensions,
        environment: environment.clone(),
    };
    let pi = |arguments: &[&str]| -> Result<(), Failure> {
        let output = pi_command(&launch(Vec::new()), arguments).output()?;
        expect(output.status.success(), "pi to succeed", String::from_utf8_lossy(&output.stderr))
    };
    pi(&["install", "npm:innercmd-pi"])?;
    // What `-e` names is loaded before the packages, and the blocker must come last.
    pi(&["install", &lab.part("blocker.ts").display().to_string()])?;
    let mut session = Session::start(&launch(Vec::new()))?;
    expect_ran(&session.bash("timeout 60s pnpm test")?)?;
    expect_asked(&session.bash("git push")?)?;
    let said = session.command("/innercmd")?.concat();
    expect(said.contains("from innercmd-pi-linux-x64"), "the engine of the platform's package", &said)?;
    session.quit()?;
    pi(&["remove", "npm:innercmd-pi"])?;
    let mut session = Session::start(&launch(Vec::new()))?;
    expect_ran(&session.bash("git push")?)?;
    Ok("installed, gates by its own engine, removed".to_owned())
}
