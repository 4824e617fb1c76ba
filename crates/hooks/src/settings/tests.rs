use std::fs;

use rstest::rstest;
use tempfile::TempDir;

use super::*;

const ALL: [Host; 5] = [Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Opencode, Host::Cursor];
const JSON: [Host; 4] = [Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Cursor];

fn command(host: Host, program: &str) -> HookCommand {
    HookCommand::new(program, host, &["--policy".to_owned(), "/a b/it's $HOME.jsonc".to_owned()])
}

/// A settings file with `text`, or none yet.
fn bench(text: Option<&str>) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("there/settings.json");
    if let Some(text) = text {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        write(&file, text);
    }
    (directory, file)
}

#[expect(clippy::disallowed_methods, reason = "tests make the files")]
fn write(file: &Path, text: &str) {
    fs::write(file, text).unwrap();
}

fn text(file: &Path) -> Option<String> {
    file::read(file).unwrap()
}

/// Settings as people have them, with an event under each name that a harness knows.
const SETTINGS: &str = r#"{
  // my settings
  "model": "m", /* keep */
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }],
    "PreToolUse": [ { "matcher": "Write", "hooks": [] } ],
  },
}
"#;

#[test]
fn what_is_installed_is_found_and_installing_again_changes_nothing() {
    for host in ALL {
        let (_directory, file) = bench(None);
        assert_eq!(status(host, &file).unwrap(), Status::Absent);
        let command = command(host, "/opt/my tools/innercmd");
        let change = install(host, &file, &command).unwrap();
        assert!(!change.is_empty() && change.diff().starts_with("--- /dev/null\n"), "{}", change.diff());
        change.apply().unwrap();
        assert_eq!(status(host, &file).unwrap(), Status::Installed(command.clone()));
        assert!(install(host, &file, &command).unwrap().is_empty());
    }
}

#[test]
fn a_change_that_is_not_applied_changes_nothing() {
    for host in JSON {
        let (_directory, file) = bench(Some(SETTINGS));
        let change = install(host, &file, &command(host, "/x/innercmd")).unwrap();
        assert!(change.diff().contains("+ ") && change.diff().contains("innercmd"), "{}", change.diff());
        assert_eq!(text(&file).as_deref(), Some(SETTINGS));
    }
}

#[rstest]
#[case::with_comments(SETTINGS)]
#[case::without_hooks("{\"a\": 1}")]
#[case::empty_object("{}\n")]
#[case::empty_hooks("{ \"hooks\": { \"PreToolUse\": [], \"BeforeTool\": [], \"beforeShellExecution\": [] } }")]
#[case::tabs("{\n\t\"a\": [1,\n\t\t2]\n}")]
#[case::windows_line_ends("{\r\n  \"a\": 1\r\n}\r\n")]
fn uninstalling_restores_the_file_byte_by_byte(#[case] before: &str) {
    for host in JSON {
        let (_directory, file) = bench(Some(before));
        install(host, &file, &command(host, "/x/innercmd")).unwrap().apply().unwrap();
        assert_ne!(text(&file).as_deref(), Some(before));
        assert_eq!(text(&file::backup(&file)).as_deref(), Some(before));
        uninstall(host, &file).unwrap().apply().unwrap();
        assert_eq!(text(&file).as_deref(), Some(before), "{host}");
        assert_eq!(text(&file::backup(&file)), None);
        assert!(uninstall(host, &file).unwrap().is_empty());
    }
}

#[test]
fn a_file_that_was_made_for_the_hook_goes_with_it() {
    for host in ALL {
        let (_directory, file) = bench(None);
        install(host, &file, &command(host, "/x/innercmd")).unwrap().apply().unwrap();
        uninstall(host, &file).unwrap().apply().unwrap();
        assert_eq!(text(&file), None, "{host}");
    }
}

#[test]
fn comments_order_and_the_hooks_of_others_stay() {
    for host in JSON {
        let (_directory, file) = bench(Some(SETTINGS));
        install(host, &file, &command(host, "/x/innercmd")).unwrap().apply().unwrap();
        let installed = text(&file).unwrap();
        for kept in ["// my settings", "\"m\", /* keep */", "say done", "{ \"matcher\": \"Write\", \"hooks\": [] }"] {
            assert!(installed.contains(kept), "{installed}");
        }
    }
}

#[test]
fn what_others_changed_since_stays_when_the_hook_goes() {
    for host in JSON {
        let (_directory, file) = bench(Some(SETTINGS));
        install(host, &file, &command(host, "/x/innercmd")).unwrap().apply().unwrap();
        write(&file, &text(&file).unwrap().replace("\"m\"", "\"other\""));
        uninstall(host, &file).unwrap().apply().unwrap();
        let left = text(&file).unwrap();
        assert!(
            left.contains("\"other\", /* keep */") && left.contains("say done") && !left.contains("innercmd"),
            "{left}"
        );
        assert_eq!(status(host, &file).unwrap(), Status::Absent);
    }
}

#[test]
fn installing_another_command_replaces_the_one_that_is_there() {
    for host in ALL {
        let (_directory, file) = bench(None);
        for program in ["/old/innercmd", "/new/innercmd"] {
            install(host, &file, &command(host, program)).unwrap().apply().unwrap();
        }
        let installed = text(&file).unwrap();
        assert!(installed.contains("/new/innercmd") && !installed.contains("/old/innercmd"), "{installed}");
    }
}

#[test]
fn a_hook_that_somebody_put_beside_ours_stays() {
    let (_directory, file) = bench(Some("{}"));
    let host = Host::ClaudeCode;
    let value = r#"{ "hooks": { "PreToolUse": [ { "matcher": "Bash", "hooks": [ { "command": "mine" }, { "command": LINE } ] } ] } }"#;
    let line = serde_json::json!(command(host, "/x/innercmd").line().unwrap()).to_string();
    write(&file, &value.replace("LINE", &line));
    uninstall(host, &file).unwrap().apply().unwrap();
    let left = text(&file).unwrap();
    assert!(left.contains("mine") && !left.contains("innercmd"), "{left}");
}

#[rstest]
#[case::no_json("{ \"hooks\": ")]
#[case::no_object("[]")]
#[case::hooks_that_are_no_object("{ \"hooks\": [] }")]
#[case::an_event_that_is_no_list("{ \"hooks\": { \"PreToolUse\": {} } }")]
fn settings_that_are_not_understood_stay_as_they_are(#[case] before: &str) {
    let (_directory, file) = bench(Some(before));
    let result = install(Host::ClaudeCode, &file, &command(Host::ClaudeCode, "/x/innercmd"));
    assert!(matches!(result, Err(SettingsError::Unreadable { .. })), "{result:?}");
    assert_eq!(text(&file).as_deref(), Some(before));
}

#[test]
fn a_plugin_of_somebody_else_is_not_replaced() {
    let (_directory, file) = bench(Some("export const Mine = async () => ({})\n"));
    assert!(install(Host::Opencode, &file, &command(Host::Opencode, "/x/innercmd")).is_err());
    assert!(uninstall(Host::Opencode, &file).unwrap().is_empty());
}

#[test]
fn a_file_that_changed_in_the_meantime_is_left_alone() {
    let (_directory, file) = bench(Some("{}"));
    let change = install(Host::Codex, &file, &command(Host::Codex, "/x/innercmd")).unwrap();
    write(&file, "{ \"a\": 1 }");
    assert!(matches!(change.apply(), Err(SettingsError::Raced(_))));
    assert_eq!(text(&file).as_deref(), Some("{ \"a\": 1 }"));
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (directory, real) = bench(Some("{}"));
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    let link = directory.path().join("settings.json");
    symlink(&real, &link).unwrap();
    install(Host::ClaudeCode, &link, &command(Host::ClaudeCode, "/x/innercmd")).unwrap().apply().unwrap();
    assert!(link.is_symlink() && text(&real).unwrap().contains("innercmd"));
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
}

#[rstest]
#[case::user(Host::ClaudeCode, Scope::User, "/home/u/.claude/settings.json")]
#[case::project(Host::ClaudeCode, Scope::Project, "/work/.claude/settings.json")]
#[case::moved(Host::Codex, Scope::User, "/moved/hooks.json")]
#[case::gemini(Host::Gemini, Scope::User, "/home/u/.gemini/settings.json")]
#[case::cursor(Host::Cursor, Scope::Project, "/work/.cursor/hooks.json")]
#[case::opencode(Host::Opencode, Scope::User, "/home/u/.config/opencode/plugin/innercmd.js")]
#[case::opencode_project(Host::Opencode, Scope::Project, "/work/.opencode/plugin/innercmd.js")]
fn settings_lie_where_the_harness_looks(#[case] host: Host, #[case] scope: Scope, #[case] file: &str) {
    let variable = |name: &str| (name == "CODEX_HOME").then(|| "/moved".to_owned());
    let places = Places { home: Path::new("/home/u"), project: Path::new("/work"), variable: &variable };
    assert_eq!(places.file(host, scope), Path::new(file));
}

/// Runs the command that is installed, as a harness does.
#[expect(clippy::disallowed_methods, reason = "what the guard does is seen by running it")]
fn run(program: &str) -> std::process::Output {
    let line = HookCommand::new(program, Host::Codex, &[]).line().unwrap();
    std::process::Command::new("/bin/sh").arg("-c").arg(line).output().unwrap()
}

#[test]
fn a_hook_that_is_not_there_or_dies_ends_in_the_exit_code_that_blocks_with_a_reason() {
    let directory = tempfile::tempdir().unwrap();
    let script = |name: &str, text: &str| {
        use std::os::unix::fs::PermissionsExt;
        let file = directory.path().join(name);
        write(&file, text);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        file.to_str().unwrap().to_owned()
    };
    for program in [
        "/no/such/innercmd".to_owned(),
        script("fails", "#!/bin/sh\nexit 1\n"),
        script("dies", "#!/bin/sh\nkill -SEGV $$\n"),
        script("is killed", "#!/bin/sh\nkill -KILL $$\n"),
    ] {
        let output = run(&program);
        assert_eq!(output.status.code(), Some(2), "{program}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("blocked"), "{program}");
    }
    let answers = run(&script("answers", "#!/bin/sh\necho \"$@\"\n"));
    assert_eq!((answers.status.code(), answers.stdout.as_slice()), (Some(0), b"hook codex\n".as_slice()));
}
