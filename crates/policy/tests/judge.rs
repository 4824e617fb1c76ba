//! What a policy says about commands: text in, text out.
#![expect(clippy::unwrap_used, reason = "tests state what they expect by failing")]

use innercmd_bash_units::{BashProgram, Limits};
use innercmd_policy::{Effect, LexicalPaths, PathFacts, PathFactsError, Policy, ResolvedPath, Surroundings};
use rstest::rstest;

/// The rules of the surface `bash`, with everything else open.
fn open(bash: &str) -> String {
    format!(r#"{{ "*": "ask", "path": "allow", "external_directory": "allow", "bash": {bash} }}"#)
}

fn decide(permission: &str, command: &str) -> String {
    let policy = Policy::from_permission(permission).unwrap().policy;
    let program = BashProgram::parse(command, &Limits::default());
    let around = Surroundings { cwd: "/work/project", home: Some("/home/user"), facts: &LexicalPaths };
    let decision = policy.judge(&program, &around).decision();
    match decision.effect() {
        Effect::Allow => "allow".to_owned(),
        effect @ (Effect::Ask | Effect::Deny) => format!("{effect} {}", decision.code()),
    }
}

#[track_caller]
fn check(permission: &str, command: &str, expected: &str) {
    assert_eq!(decide(permission, command), expected, "{command}");
}

const RM: &str = r#"{ "*": "allow", "rm *": "deny" }"#;

#[rstest]
#[case::typed("rm -rf x")]
#[case::quoted("'rm' -rf x")]
#[case::escaped("\\rm -rf x")]
#[case::in_pieces("r''m -rf x")]
#[case::in_hexadecimal("$'\\x72m' -rf x")]
#[case::by_path("/bin/rm -rf x")]
#[case::by_quoted_path("\"/bin/rm\" -rf x")]
#[case::by_computed_directory("$D/rm -rf x")]
#[case::blanks("rm  -rf   x")]
#[case::tab("rm\t-rf x")]
#[case::continued("r\\\nm -rf x")]
#[case::braces("{rm,-rf,x}")]
#[case::behind_a_wrapper("sudo -u x rm -rf y")]
#[case::behind_wrappers("sudo env A=1 nice rm -rf y")]
#[case::in_a_script("bash -c 'cd x && rm -rf y'")]
#[case::in_a_script_in_a_script("bash -c \"sh -c 'rm -rf y'\"")]
#[case::found("find . -exec rm {} \\;")]
#[case::in_a_substitution("echo $(rm x)")]
#[case::in_a_function("f() { rm x; }; f")]
#[case::in_a_trap("trap 'rm x' EXIT")]
#[case::after_a_doubt("$X; rm y")]
fn a_deny_meets_every_spelling(#[case] command: &str) {
    let decision = decide(&open(RM), command);
    assert!(decision.starts_with("deny policy:"), "{command}: {decision}");
}

#[rstest]
#[case::another_program("rmdir x", "allow")]
#[case::data("echo 'rm -rf x'", "allow")]
#[case::part_of_a_path("/opt/rm/tool x", "allow")]
#[case::may_be_it("r${X}m -rf x", "ask policy:dynamic-word")]
#[case::may_be_anything("$X -rf x", "ask policy:dynamic-word")]
fn and_nothing_else(#[case] command: &str, #[case] expected: &str) {
    check(&open(RM), command, expected);
}

const LS: &str = r#"{ "*": "ask", "ls *": "allow" }"#;

#[rstest]
#[case::typed("ls -la", "allow")]
#[case::bare("ls", "allow")]
#[case::computed_words("ls $X \"$Y\" *.ts", "allow")]
#[case::another_ls("./ls -la", "ask policy:bash-rule")]
#[case::an_ls_elsewhere("/tmp/ls -la", "ask policy:bash-rule")]
#[case::a_longer_name("lsof", "ask policy:bash-rule")]
#[case::joined_with_more("ls; who", "ask policy:bash-rule")]
#[case::more_inside("ls $(who)", "ask policy:bash-rule")]
fn an_allow_reaches_what_is_typed(#[case] command: &str, #[case] expected: &str) {
    check(&open(LS), command, expected);
}

#[test]
fn an_explicit_allow_of_a_path_is_not_undone_by_the_catch_all() {
    check(&open(r#"{ "*": "ask", "/usr/bin/git *": "allow" }"#), "/usr/bin/git status", "allow");
    check(&open(r#"{ "*": "deny", "/usr/bin/git *": "allow" }"#), "/usr/bin/git status", "allow");
    let denied = open(r#"{ "*": "ask", "git push *": "deny", "/usr/bin/git *": "allow" }"#);
    check(&denied, "/usr/bin/git push", "deny policy:bash-rule");
}

const PUSH: &str = r#"{ "*": "ask", "git *": "allow", "git push*--force*": "deny", "git config ??": "allow" }"#;

#[rstest]
#[case::known("git push origin", "allow")]
#[case::forced("git push --force", "deny policy:bash-rule")]
#[case::forced_in_quotes("git push '--force'", "deny policy:bash-rule")]
#[case::perhaps("git push $B", "ask policy:dynamic-word")]
#[case::perhaps_in_quotes("git push \"$B\"", "ask policy:dynamic-word")]
#[case::never("git add $B", "allow")]
#[case::perhaps_an_option("git fetch $B", "ask policy:argument-executes")]
#[case::a_pattern_takes_no_value("git config $X", "ask policy:dynamic-word")]
fn a_computed_word_is_every_value(#[case] command: &str, #[case] expected: &str) {
    check(&open(PUSH), command, expected);
}

#[rstest]
#[case::written_in_the_rule(r#"{ "ls $X": "allow" }"#, "ls $X", "allow")]
#[case::another_variable(r#"{ "ls $X": "allow" }"#, "ls $Y", "ask policy:bash-default")]
#[case::a_question_mark(r#"{ "ls ??": "allow" }"#, "ls $X", "ask policy:dynamic-word")]
#[case::vanishing_words(r#"{ "git -C * status": "allow" }"#, "git -C $D status", "ask policy:dynamic-word")]
#[case::quoted_words_stay(r#"{ "git -C * status": "allow" }"#, "git -C \"$D\" status", "allow")]
#[case::home_is_known(r#"{ "ls /home/user": "deny", "ls *": "allow" }"#, "ls ~", "allow")]
#[case::home_is_resolved(r#"{ "ls *": "allow", "ls /home/user": "deny" }"#, "ls ~", "deny policy:bash-rule")]
#[case::and_stays_as_typed(r#"{ "ls *": "allow", "ls ~": "deny" }"#, "'ls' ~", "deny policy:bash-rule")]
fn values_are_looked_at_as_far_as_they_are_known(#[case] bash: &str, #[case] command: &str, #[case] expected: &str) {
    check(&open(bash), command, expected);
}

const ALL: &str = r#"{ "*": "allow" }"#;

#[rstest]
#[case::timeout("timeout 5 ls", "ask policy:wrapper")]
#[case::xargs("echo x | xargs ls", "ask policy:wrapper")]
#[case::no_wrapper("command -v ls", "allow")]
#[case::trap_is_read("trap 'ls' EXIT", "allow")]
#[case::interpreters_are_the_user_s_choice("python3 -c 'import os'", "allow")]
#[case::argument("sort --compress-program=x f", "ask policy:argument-executes")]
#[case::variable("LD_PRELOAD=x ls", "ask policy:code-loading-variable")]
#[case::variable_alone("GIT_SSH=x; ls", "ask policy:code-loading-variable")]
#[case::exported("export GIT_SSH=x; ls", "ask policy:code-loading-variable")]
#[case::declared("declare -x PYTHONPATH=x; ls", "ask policy:code-loading-variable")]
#[case::read_into("read GIT_SSH", "ask policy:code-loading-variable")]
#[case::looped_over("for GIT_SSH in x; do git fetch; done", "ask policy:code-loading-variable")]
#[case::ordinary_variable("CI=1 NODE_ENV=test ls", "allow")]
#[case::exported_ordinary("export CI=1; ls", "allow")]
#[case::separator_of_read("while IFS= read -r line; do echo x; done", "allow")]
#[case::separator("IFS=,; ls", "ask policy:code-loading-variable")]
#[case::network("echo x > /dev/tcp/h/80", "ask policy:network-redirect")]
#[case::network_by_value("D=/dev/udp; echo x > $D/h/80", "ask policy:network-redirect")]
#[case::syntax_error("ls (", "ask gap:syntax-error")]
fn floors_hold_under_an_allow_of_everything(#[case] command: &str, #[case] expected: &str) {
    check(&open(ALL), command, expected);
}

#[rstest]
#[case::prefix("env LD_PRELOAD=x ls", "policy:code-loading-variable")]
#[case::the_wrapper_itself("env A=1 ls", "policy:wrapper")]
fn wrappers_that_set_variables_are_looked_into(#[case] command: &str, #[case] code: &str) {
    let policy = Policy::from_permission(&open(ALL)).unwrap().policy;
    let program = BashProgram::parse(command, &Limits::default());
    let judgement = policy.judge(&program, &Surroundings::new("/work/project"));
    assert!(judgement.findings.iter().any(|finding| finding.cause.code() == code), "{command}");
}

#[rstest]
#[case::nothing("", "allow", "ask policy:bash-default")]
#[case::comment("# x", "allow", "ask policy:bash-default")]
#[case::assignment("X=1", "allow", "ask policy:bash-default")]
#[case::condition("[[ -n x ]]", "allow", "ask policy:bash-default")]
fn a_text_without_commands_is_judged_as_a_text(#[case] command: &str, #[case] allowed: &str, #[case] asked: &str) {
    check(&open(ALL), command, allowed);
    check(&open(LS), command, asked);
}

#[test]
fn a_rule_about_an_assignment_meets_it() {
    check(&open(r#"{ "*": "allow", "SECRET=*": "deny" }"#), "SECRET=x; ls", "deny policy:assignment-rule");
}

const PATHS: &str =
    r#"{ "*": "allow", "path": { "*": "allow", "*.env": "deny", "~/.ssh/*": "deny", "id_rsa": "ask" } }"#;

#[rstest]
#[case::file("cat .env", "deny policy:path-rule")]
#[case::below("cat src/prod.env", "deny policy:path-rule")]
#[case::other("cat .env.example", "allow")]
#[case::written("echo x > prod.env", "deny policy:path-rule")]
#[case::read("cat < .env", "deny policy:path-rule")]
#[case::option("grep --file=.env x", "deny policy:path-rule")]
#[case::home("cat ~/.ssh/id", "deny policy:path-rule")]
#[case::home_variable("cat \"$HOME/.ssh/id\"", "deny policy:path-rule")]
#[case::detour("cat ~/./.ssh/../.ssh/id", "deny policy:path-rule")]
#[case::absolute("cat /home/user/.ssh/id", "deny policy:path-rule")]
#[case::after_cd("cd ~/.ssh && cat id", "deny policy:path-rule")]
#[case::bare("cat id_rsa", "ask policy:path-rule")]
#[case::bare_of_any_program("mytool id_rsa", "ask policy:path-rule")]
#[case::computed("cat $F", "ask policy:dynamic-path")]
#[case::computed_elsewhere("mytool $F", "allow")]
#[case::value_known("F=.env; cat $F", "deny policy:path-rule")]
#[case::pattern("cat .en?", "ask policy:dynamic-path")]
#[case::harmless_pattern("cat src/*.ts", "allow")]
#[case::braces("cat {a,.env}", "deny policy:path-rule")]
#[case::in_a_script("bash -c 'cat .env'", "deny policy:path-rule")]
#[case::behind_a_wrapper("sudo cat .env", "deny policy:path-rule")]
#[case::continued("cat .e\\\nnv", "deny policy:path-rule")]
#[case::a_directory_of_it("cp -r ~/.ssh x", "deny policy:path-rule")]
#[case::a_pattern_in_a_value("F='.e*'; cat $F", "ask policy:dynamic-path")]
#[case::a_message("git commit -m 'a/b .e'", "allow")]
#[case::a_message_that_the_host_denies("git commit -m 'ignore .env'", "deny policy:host-path")]
fn the_path_gate_sees_every_path(#[case] command: &str, #[case] expected: &str) {
    check(PATHS, command, expected);
}

#[rstest]
#[case::allowed_by_its_relative_name("cat src/x", "allow")]
#[case::a_detour_is_no_name("cat src/../x", "ask policy:path-rule")]
#[case::allowed_by_detour("cat lib/../src/x", "allow")]
#[case::elsewhere("cd /tmp && cat src/x", "ask policy:path-rule")]
#[case::computed("cat src/$X", "ask policy:path-rule")]
fn a_path_is_allowed_where_it_leads(#[case] command: &str, #[case] expected: &str) {
    check(r#"{ "*": "allow", "path": { "*": "ask", "src/*": "allow", "/tmp": "allow" } }"#, command, expected);
}

const OUTSIDE: &str =
    r#"{ "*": "ask", "bash": "allow", "external_directory": { "*": "ask", "/tmp/*": "allow", "/etc/*": "deny" } }"#;

#[rstest]
#[case::inside("cat src/x /work/project/y", "allow")]
#[case::outside("cat /var/x", "ask policy:external-directory")]
#[case::opened("cat /tmp/x", "allow")]
#[case::closed("cat /etc/x", "deny policy:external-directory")]
#[case::back_out_of_the_opened("cat /tmp/../var/x", "ask policy:external-directory")]
#[case::perhaps_closed("cat $F", "ask policy:dynamic-directory")]
#[case::devices("cat < /dev/null > /dev/stderr 2> /dev/null", "allow")]
#[case::other_devices("cat /dev/sda", "ask policy:external-directory")]
#[case::unknown_directory("cd $D && cat x", "ask policy:dynamic-directory")]
#[case::the_program("/opt/tool x", "allow")]
fn the_directory_gate_looks_outside(#[case] command: &str, #[case] expected: &str) {
    check(OUTSIDE, command, expected);
}

#[test]
fn the_words_of_a_wrapped_command_are_read_as_its_program_reads_them() {
    let policy = Policy::from_permission(r#"{ "*": "ask", "bash": "allow" }"#).unwrap().policy;
    let held = |command: &str| -> Vec<&'static str> {
        let program = BashProgram::parse(command, &Limits::default());
        let judgement = policy.judge(&program, &Surroundings::new("/work/project"));
        judgement
            .findings
            .iter()
            .filter(|finding| finding.effect > Effect::Allow)
            .map(|finding| finding.cause.code())
            .collect()
    };
    assert_eq!(held("timeout 60 grep -rn /api src"), ["policy:wrapper"]);
    assert_eq!(held("timeout 60 grep -rn api /src"), ["policy:wrapper", "policy:external-directory"]);
    assert_eq!(held("env -C /etc grep -rn /api src"), ["policy:wrapper", "policy:external-directory"]);
}

#[test]
fn wrappers_beyond_the_limit_are_asked_about() {
    let policy = Policy::from_permission(&open(ALL)).unwrap().policy;
    let codes = |command: &str| -> Vec<&'static str> {
        let program = BashProgram::parse(command, &Limits::default());
        let judgement = policy.judge(&program, &Surroundings::new("/work/project"));
        judgement.findings.iter().map(|finding| finding.cause.code()).collect()
    };
    assert!(codes(&format!("{}ls", "nice ".repeat(40))).contains(&"policy:wrappers-too-deep"));
    assert!(!codes(&format!("{}ls", "nice ".repeat(20))).contains(&"policy:wrappers-too-deep"));
    assert!(codes(&"bash -c 'ls'; ".repeat(300)).contains(&"policy:wrappers-too-deep"));
}

/// A file system in which `/work/project/out` leads to `/secret`, and nobody may look into `/work/project/closed`.
struct Links;

impl PathFacts for Links {
    fn resolve(&self, path: &str) -> Result<ResolvedPath, PathFactsError> {
        if path.contains("/closed/") {
            return Err(PathFactsError::Forbidden);
        }
        let lexical = LexicalPaths.resolve(path)?.path;
        let path = match lexical.strip_prefix("/work/project/out") {
            Some(rest) => format!("/secret{rest}"),
            None => lexical,
        };
        Ok(ResolvedPath { path, exists: Some(true) })
    }
}

#[rstest]
#[case::out_of_the_directory(r#"{ "*": "ask", "bash": "allow" }"#, "cat out/x", "ask policy:external-directory")]
#[case::by_a_bare_name(r#"{ "*": "ask", "bash": "allow" }"#, "mytool out", "ask policy:external-directory")]
#[case::to_a_denied_path(r#"{ "*": "allow", "path": { "/secret/*": "deny" } }"#, "cat out/x", "deny policy:path-rule")]
#[case::to_a_path_not_allowed(
    r#"{ "*": "allow", "path": { "*": "ask", "out/*": "allow", "src/*": "allow" } }"#,
    "cat src/x",
    "allow"
)]
#[case::the_rule_opens_where_it_leads(
    r#"{ "*": "ask", "bash": "allow", "external_directory": { "*": "ask", "/work/project/out/*": "allow" } }"#,
    "cat out/x",
    "allow"
)]
#[case::and_nothing_else(
    r#"{ "*": "ask", "bash": "allow", "external_directory": { "*": "ask", "*/x": "allow", "/secret/x": "ask" } }"#,
    "cat out/x",
    "ask policy:external-directory"
)]
#[case::not_to_be_looked_up(r#"{ "*": "ask", "bash": "allow" }"#, "cat closed/x", "ask policy:path-unresolved")]
#[case::nothing_to_hold_it(r#"{ "*": "allow" }"#, "cat closed/x out/x", "allow")]
fn links_are_judged_by_where_they_lead(#[case] permission: &str, #[case] command: &str, #[case] expected: &str) {
    let policy = Policy::from_permission(permission).unwrap().policy;
    let program = BashProgram::parse(command, &Limits::default());
    let around = Surroundings { cwd: "/work/project", home: None, facts: &Links };
    let decision = policy.judge(&program, &around).decision();
    let told = match decision.effect() {
        Effect::Allow => "allow".to_owned(),
        effect @ (Effect::Ask | Effect::Deny) => format!("{effect} {}", decision.code()),
    };
    assert_eq!(told, expected, "{command}");
}

#[test]
fn without_a_rule_the_default_counts_outside() {
    check(r#"{ "bash": { "cat *": "allow" } }"#, "cat /etc/x", "ask policy:external-directory");
    check(r#"{ "*": "allow" }"#, "cat /etc/x", "allow");
    check(r#"{ "*": "deny", "bash": "allow" }"#, "cat /etc/x", "deny policy:external-directory");
    check(r#"{ "*": "deny", "bash": "allow" }"#, "cat $X", "ask policy:dynamic-directory");
    check(r#"{ "*": "deny", "bash": "allow" }"#, "cat x", "allow");
}

#[test]
fn redirections_that_write_have_a_surface_of_their_own() {
    let permission = r#"{ "*": "allow", "bash_redirect": { "*": "deny", "*.log": "allow" } }"#;
    check(permission, "echo x > y", "deny policy:redirect-rule");
    check(permission, "echo x > y.log 2> /dev/null < z", "allow");
    check(r#"{ "*": "allow" }"#, "echo x > y", "allow");
}

#[test]
fn a_denied_command_in_text_too_long_to_read_is_still_denied() {
    let policy = Policy::from_permission(&open(RM)).unwrap().policy;
    let limits = Limits { bytes: 64, ..Limits::default() };
    let judge = |command: &str| {
        let program = BashProgram::parse(command, &limits);
        policy.judge(&program, &Surroundings::new("/work/project")).decision()
    };
    assert_eq!(judge(&format!("{} rm -rf x", "true;".repeat(30))).effect(), Effect::Deny);
    assert_eq!(judge(&"true;".repeat(30)).code(), "gap:input-too-long");
}

#[test]
fn every_finding_is_reported_in_source_order() {
    let policy = Policy::from_permission(&open(RM)).unwrap().policy;
    let program =
        BashProgram::parse("LD_PRELOAD=x ls; timeout 5 ls; rm x; sort --compress-program=y", &Limits::default());
    let judgement = policy.judge(&program, &Surroundings::new("/work/project"));
    let held: Vec<(&str, Effect)> = judgement
        .findings
        .iter()
        .filter(|finding| finding.effect > Effect::Allow)
        .map(|finding| (finding.cause.code(), finding.effect))
        .collect();
    assert_eq!(
        held,
        [
            ("policy:code-loading-variable", Effect::Ask),
            ("policy:wrapper", Effect::Ask),
            ("policy:bash-rule", Effect::Deny),
            ("policy:argument-executes", Effect::Ask),
        ]
    );
}

#[test]
fn a_reason_names_the_rule() {
    let permission = r#"{ "bash": { "npm *": { "action": "deny", "reason": "use pnpm" } } }"#;
    let policy = Policy::from_permission(permission).unwrap().policy;
    let program = BashProgram::parse("npm i", &Limits::default());
    let decision = policy.judge(&program, &Surroundings::new("/work/project")).decision();
    let innercmd_policy::Decision::Deny { reason, .. } = decision else { panic!() };
    assert_eq!(reason, "the global rule `npm *` of surface `bash` says deny: use pnpm");
}

#[rstest]
#[case::by_the_catch_all(r#"{ "*": "ask" }"#, "timeout 5 ls", true)]
#[case::by_an_allow(r#"{ "*": "ask", "timeout *": "allow" }"#, "timeout 5 ls", true)]
#[case::by_the_default(r#"{ "ls *": "allow" }"#, "timeout 5 ls", true)]
#[case::by_a_rule_about_the_wrapper(r#"{ "timeout *": "ask" }"#, "timeout 5 ls", false)]
#[case::by_a_rule_about_the_inner(r#"{ "*": "allow", "ls *": "ask" }"#, "timeout 5 ls", false)]
#[case::by_a_denied_inner(r#"{ "*": "allow", "ls *": "deny" }"#, "timeout 5 ls", false)]
#[case::by_another_doubt(r#"{ "*": "allow" }"#, "timeout 5 sort --compress-program=x", true)]
#[case::by_a_variable(r#"{ "*": "allow" }"#, "LD_PRELOAD=x timeout 5 ls", false)]
#[case::no_wrapper(r#"{ "*": "ask" }"#, "ls", false)]
fn whether_only_the_wrapper_asks_is_told(#[case] bash: &str, #[case] command: &str, #[case] expected: bool) {
    let policy = Policy::from_permission(&open(bash)).unwrap().policy;
    let program = BashProgram::parse(command, &Limits::default());
    let judgement = policy.judge(&program, &Surroundings::new("/work/project"));
    assert_eq!(judgement.units[0].wrapper_only, expected, "{command}");
}

#[test]
fn the_inner_command_is_told() {
    let policy = Policy::from_permission(&open(ALL)).unwrap().policy;
    let inner = |command: &str| {
        let program = BashProgram::parse(command, &Limits::default());
        policy.judge(&program, &Surroundings::new("/work/project")).units[0].inner.clone()
    };
    assert_eq!(inner("timeout 60s pnpm  test").as_deref(), Some("pnpm test"));
    assert_eq!(inner("bash -c 'ls x'").as_deref(), Some("ls x"));
    assert_eq!(inner("ls x"), None);
}

#[test]
fn a_grant_is_for_the_command_that_was_judged() {
    let policy = Policy::from_permission(&open(LS)).unwrap().policy;
    let program = BashProgram::parse("ls && ls -l", &Limits::default());
    let judgement = policy.judge(&program, &Surroundings::new("/work/project"));
    assert_eq!(judgement.grant().map(innercmd_policy::Grant::command), Some("ls && ls -l"));
    let program = BashProgram::parse("ls && who", &Limits::default());
    assert!(policy.judge(&program, &Surroundings::new("/work/project")).grant().is_none());
}
