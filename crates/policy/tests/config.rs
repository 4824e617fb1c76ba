//! What policy files say, and what is said about them.
#![expect(clippy::unwrap_used, reason = "tests state what they expect by failing")]

use innercmd_policy::{Diagnostic, Effect, LoadError, Loaded, MatchedRule, Origin, Policy, PolicySource};
use rstest::rstest;

fn load(sources: &[(&str, Origin, &str)]) -> Result<Loaded, LoadError> {
    let sources: Vec<PolicySource<'_>> =
        sources.iter().map(|(name, origin, text)| PolicySource { name, text, origin: *origin }).collect();
    Policy::load(&sources)
}

fn global(text: &str) -> Policy {
    load(&[("config.json", Origin::Global, text)]).unwrap().policy
}

fn effect(policy: &Policy, surface: &str, value: &str) -> Effect {
    policy.answer(surface, value, Some("/home/user")).effect
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let error = load(&[("config.json", Origin::Global, text)]).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[rstest]
#[case::unknown_key(
    r#"{ "debugLogs": true }"#,
    r#"config.json:1:3: unknown key `"debugLogs"` (did you mean `debugLog`?)"#
)]
#[case::surface_at_the_top(
    r#"{ "bash": { "*": "ask" } }"#,
    r#"config.json:1:3: unknown key `"bash"` (did you mean `bash` inside `permission`?)"#
)]
#[case::camel_case(
    r#"{ "externalDirectory": "ask" }"#,
    r#"config.json:1:3: unknown key `"externalDirectory"` (did you mean `external_directory` inside `permission`?)"#
)]
#[case::unknown_without_a_guess(r#"{ "xyzzy": 1 }"#, r#"config.json:1:3: unknown key `"xyzzy"`"#)]
#[case::surface_in_another_spelling(
    "{\n  \"permission\": {\n    \"external-directory\": \"ask\"\n  }\n}",
    r#"config.json:3:5: unknown surface `"external-directory"` (did you mean `external_directory`?)"#
)]
#[case::plural(
    r#"{ "permission": { "skills": "ask" } }"#,
    r#"config.json:1:19: unknown surface `"skills"` (did you mean `skill`?)"#
)]
#[case::effect(
    r#"{ "permission": { "bash": "alow" } }"#,
    r#"config.json:1:27: unknown effect `"alow"` (did you mean `allow`?)"#
)]
#[case::effect_of_another_tool(
    r#"{ "permission": { "bash": { "rm *": "block" } } }"#,
    r#"config.json:1:37: unknown effect `"block"` (did you mean `deny`?)"#
)]
#[case::type_of_a_surface(
    r#"{ "permission": { "bash": ["ls"] } }"#,
    r#"config.json:1:27: expected one of `allow`, `ask` and `deny`, or a map of patterns, found an array `["ls"]`"#
)]
#[case::type_of_a_rule(
    r#"{ "permission": { "bash": { "ls": true } } }"#,
    r#"config.json:1:35: expected one of `allow`, `ask` and `deny`, or a deny with a reason, found a boolean `true`"#
)]
#[case::type_of_a_knob(r#"{ "yoloMode": "yes" }"#, r#"config.json:1:15: expected true or false, found `"yes"`"#)]
#[case::type_of_a_chain(
    r#"{ "authorizerChain": "inner-cmd" }"#,
    r#"config.json:1:22: expected a list of strings, found `"inner-cmd"`"#
)]
#[case::type_of_permission(
    r#"{ "permission": "allow" }"#,
    r#"config.json:1:17: expected a map of surfaces, found `"allow"` (an effect for everything is written `{ "*": "ask" }`)"#
)]
#[case::patterns_for_the_default(
    r#"{ "permission": { "*": { "ls": "allow" } } }"#,
    r#"config.json:1:24: the universal default takes no patterns `{ "ls": "allow" }` (write one of `allow`, `ask` and `deny`)"#
)]
#[case::empty_pattern(
    r#"{ "permission": { "bash": { "": "ask" } } }"#,
    r#"config.json:1:29: empty pattern `""` (`*` matches everything)"#
)]
#[case::reason_for_an_ask(
    r#"{ "permission": { "bash": { "ls": { "action": "ask", "reason": "x" } } } }"#,
    r#"config.json:1:47: only a deny takes a reason, not `"ask"` (the short form of an effect without a reason is a string)"#
)]
#[case::reason_without_action(
    r#"{ "permission": { "bash": { "ls": { "reason": "x" } } } }"#,
    r#"config.json:1:35: a deny with a reason needs its `action` `{ "reason": "x" }` (add `"action": "deny"`)"#
)]
#[case::reason_of_another_type(
    r#"{ "permission": { "bash": { "ls": { "action": "deny", "reason": 1 } } } }"#,
    r"config.json:1:65: expected a string, found a number `1`"
)]
#[case::key_of_a_deny(
    r#"{ "permission": { "bash": { "ls": { "action": "deny", "reasons": "x" } } } }"#,
    r#"config.json:1:55: unknown key `"reasons"` (did you mean `reason`?)"#
)]
#[case::repeated_pattern(
    "{ \"permission\": { \"bash\": {\n\"rm *\": \"deny\",\n\"*\": \"allow\",\n\"rm *\": \"deny\" } } }",
    "config.json:4:1: repeated key `\"rm *\"` (it is on line 2 already; the last one would win in the first one's place)"
)]
#[case::trailing_comma(r#"{ "permission": {}, }"#, "config.json:1:19: trailing commas are not allowed `,`")]
#[case::single_quotes("{ 'permission': {} }", "config.json:1:3: single-quoted strings are not allowed `'`")]
#[case::no_object("[]", "config.json:1:1: expected an object, found `[]`")]
#[case::empty("", "config.json:1:1: the file is empty (an empty policy is `{}`)")]
#[case::cut_off(r#"{ "permission": {"#, "config.json:1:17: unterminated object `{`")]
fn an_error_names_the_place_and_the_intention(#[case] text: &str, #[case] expected: &str) {
    check_error(text, expected);
}

#[test]
fn all_errors_of_a_file_are_told() {
    let error = load(&[("a", Origin::Global, r#"{ "x": 1, "permission": { "bash": "no" } }"#)]).unwrap_err();
    assert_eq!(error.problems.len(), 2);
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let text = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(load(&[("a", Origin::Global, &text)]).is_err());
    let text = format!("{{\"permission\":{}", "{\"a\":".repeat(100_000));
    assert!(load(&[("a", Origin::Global, &text)]).is_err());
}

#[test]
fn a_complete_file_of_the_host_is_valid() {
    let policy = global(
        r#"{
        // Comments are allowed.
        "$schema": "https://example.org/schema.json",
        "debugLog": false, "permissionReviewLog": true, "yoloMode": false, "doublePressToConfirm": true,
        "toolInputPreviewMaxLength": 400, "toolTextSummaryMaxLength": 120, /* and these */
        "piInfrastructureReadPaths": [],
        "authorizerChain": ["recorder", "inner-cmd"],
        "shellTools": { "exec_command": { "commandArgument": "cmd", "workdirArgument": "workdir" } },
        "permission": {
            "*": "ask", "path": { "*": "allow", "*.env": "deny" }, "read": "allow",
            "bash": { "*": "ask", "git status": "allow", "npm *": { "action": "deny", "reason": "Use pnpm instead" } },
            "mcp": { "*": "ask" }, "skill": { "*": "ask" }, "external_directory": { "~/development/*": "allow" }
        } }"#,
    );
    assert_eq!(effect(&policy, "bash", "git status"), Effect::Allow);
    assert_eq!(effect(&policy, "external_directory", "/home/user/development/x"), Effect::Allow);
    let denied = policy.answer("bash", "npm i", None).rule.unwrap();
    assert_eq!((denied.reason.as_deref(), denied.origin), (Some("Use pnpm instead"), Origin::Global));
    assert_eq!(policy.knobs().shell_tools[0].command_argument, "cmd");
    assert_eq!(policy.knobs().debug_log, Some(false));
}

#[test]
fn a_link_is_enabled_unless_a_chain_leaves_it_out() {
    assert!(global("{}").link_enabled("inner-cmd"));
    assert!(global(r#"{ "authorizerChain": ["inner-cmd"] }"#).link_enabled("inner-cmd"));
    assert!(!global(r#"{ "authorizerChain": ["recorder"] }"#).link_enabled("inner-cmd"));
    assert!(!global(r#"{ "authorizerChain": [] }"#).link_enabled("inner-cmd"));
}

#[test]
fn a_project_cannot_bring_in_a_link_that_the_user_left_out() {
    let global = ("g", Origin::Global, r#"{ "authorizerChain": ["recorder"] }"#);
    let project = ("p", Origin::Project, r#"{ "authorizerChain": ["recorder", "inner-cmd"] }"#);
    let policy = load(&[global, project]).unwrap().policy;
    assert_eq!(policy.authorizer_chain(), Some(&["recorder".to_owned()][..]));
}

#[test]
fn yolo_is_kept_and_not_followed() {
    let loaded = load(&[("a", Origin::Global, r#"{ "yoloMode": true }"#)]).unwrap();
    assert_eq!(loaded.policy.knobs().yolo_mode, Some(true));
    assert_eq!(effect(&loaded.policy, "bash", "ls"), Effect::Ask);
    assert_eq!(codes(&loaded.diagnostics), ["policy-file:knob-not-followed"]);
}

#[rstest]
#[case::a_pattern_keeps_its_place(
    r#"{ "rm *": "deny", "*": "allow" }"#,
    r#"{ "rm *": "allow" }"#,
    "rm x",
    Effect::Allow
)]
#[case::an_overridden_catch_all_stays_first(
    r#"{ "*": "ask", "rm *": "deny" }"#,
    r#"{ "*": "allow" }"#,
    "rm x",
    Effect::Deny
)]
#[case::new_patterns_follow(r#"{ "*": "ask", "rm *": "deny" }"#, r#"{ "rm x": "allow" }"#, "rm x", Effect::Allow)]
#[case::a_word_replaces_a_map(r#"{ "*": "ask", "rm *": "deny" }"#, r#""allow""#, "rm x", Effect::Allow)]
#[case::a_map_replaces_a_word(r#""deny""#, r#"{ "ls *": "allow" }"#, "rm x", Effect::Ask)]
#[case::a_map_over_a_word_keeps_nothing(r#""allow""#, r#"{ "ls *": "deny" }"#, "rm x", Effect::Ask)]
fn scopes_are_laid_over_one_another_as_the_host_does(
    #[case] global: &str,
    #[case] project: &str,
    #[case] command: &str,
    #[case] expected: Effect,
) {
    let wrap = |bash: &str| format!(r#"{{ "permission": {{ "bash": {bash} }} }}"#);
    let (global, project) = (wrap(global), wrap(project));
    // The order of the sources is not that of the scopes.
    let policy = load(&[("p", Origin::Project, &project), ("g", Origin::Global, &global)]).unwrap().policy;
    assert_eq!(effect(&policy, "bash", command), expected);
}

#[test]
fn every_rule_knows_its_origin() {
    let global = ("g", Origin::Global, r#"{ "permission": { "*": "deny", "bash": { "*": "ask", "a": "ask" } } }"#);
    let project = ("p", Origin::Project, r#"{ "permission": { "bash": { "a": "allow" } } }"#);
    let agent = ("x", Origin::Agent, "---\nname: x\npermission:\n  bash:\n    b: allow\n---\n");
    let own = ("y", Origin::ProjectAgent, "---\npermission:\n  bash:\n    \"c *\": allow\n---\n");
    let session = ("s", Origin::Session, r#"{ "permission": { "bash": { "d *": "allow" } } }"#);
    let policy = load(&[session, own, agent, project, global]).unwrap().policy;
    let origin = |value: &str| policy.answer("bash", value, None).rule.unwrap().origin;
    assert_eq!(origin("z"), Origin::Global);
    assert_eq!(origin("a"), Origin::Project);
    assert_eq!(origin("b"), Origin::Agent);
    assert_eq!(origin("c x"), Origin::ProjectAgent);
    assert_eq!(origin("d x"), Origin::Session);
    assert_eq!(policy.answer("read", "x", None).effect, Effect::Deny);
    assert_eq!(policy.answer("read", "x", None).rule.unwrap().origin, Origin::Global);
}

#[test]
fn every_rule_knows_its_file_and_line_and_which_rules_it_beats() {
    let global = "{\n  \"permission\": {\n    \"*\": \"ask\",\n    \"bash\": {\n      \"*\": \"ask\",\n      \"git *\": \"allow\"\n    }\n  }\n}";
    let agent = "---\npermission:\n  bash:\n    git push *: deny\n---\n";
    let policy = load(&[("a.json", Origin::Global, global), ("b.md", Origin::Agent, agent)]).unwrap().policy;
    let places = |rules: &mut dyn Iterator<Item = MatchedRule>| -> Vec<String> {
        rules.map(|rule| format!("{} {}:{}", rule.pattern, rule.file, rule.line)).collect()
    };
    assert_eq!(places(&mut policy.rules()), ["* a.json:3", "* a.json:5", "git * a.json:6", "git push * b.md:4"]);
    let matching = |command| policy.matching("bash", command, None);
    assert_eq!(places(&mut matching("git push").into_iter()), ["* a.json:5", "git * a.json:6", "git push * b.md:4"]);
    assert_eq!(matching("git log").last(), policy.answer("bash", "git log", None).rule.as_ref());
    assert_eq!(places(&mut matching("make").into_iter()), ["* a.json:5"]);
}

#[test]
fn session_rules_come_last_whatever_is_written_elsewhere() {
    let policy = global(r#"{ "permission": { "bash": { "git *": "ask" } } }"#);
    let approved = policy.with_session(r#"{ "permission": { "bash": { "git *": "allow" } } }"#).unwrap();
    assert_eq!(effect(&approved, "bash", "git x"), Effect::Allow);
    assert_eq!(effect(&policy, "bash", "git x"), Effect::Ask);
    assert!(policy.with_session("nonsense").is_err());
}

#[rstest]
#[case(Origin::Project, "nonsense")]
#[case(Origin::Project, r#"{ "permission": { "bash": "alow" } }"#)]
#[case(Origin::Agent, "---\npermission:\n  bash: alow\n---\n")]
#[case(Origin::ProjectAgent, "---\npermission:\n  bash: allow\n")]
fn an_invalid_scope_turns_allow_into_ask(#[case] origin: Origin, #[case] text: &str) {
    let global = ("g", Origin::Global, r#"{ "permission": { "bash": { "*": "allow", "rm *": "deny" } } }"#);
    let loaded = load(&[global, ("p", origin, text)]).unwrap();
    assert!(loaded.policy.is_clamped());
    assert_eq!(effect(&loaded.policy, "bash", "ls"), Effect::Ask);
    assert_eq!(effect(&loaded.policy, "bash", "rm x"), Effect::Deny);
    assert!(codes(&loaded.diagnostics).contains(&"policy-file:left-out"));
    let program = innercmd_bash_units::BashProgram::parse("ls", &innercmd_bash_units::Limits::default());
    let judgement = loaded.policy.judge(&program, &innercmd_policy::Surroundings::new("/x"));
    assert_eq!(judgement.decision().code(), "policy:invalid-scope");
}

#[rstest]
#[case::nested(
    "---\npermission:\n  bash:\n    git *: ask\n    git status: allow\n---\ntext",
    "git status",
    Effect::Allow
)]
#[case::last_wins("---\npermission:\n  bash:\n    git *: ask\n    git status: allow\n---\ntext", "git x", Effect::Ask)]
#[case::word("---\nname: x\npermission:\n  bash: deny\n---", "ls", Effect::Deny)]
#[case::quoted("---\npermission:\n  bash:\n    \"*\": deny\n    'ls *': \"allow\"\n---\n", "ls x", Effect::Allow)]
#[case::carriage_returns("---\r\npermission:\r\n  bash:\r\n    \"*\": deny\r\n---\r\n", "ls x", Effect::Deny)]
#[case::comments("---\n# x\npermission:\n  # y\n  bash: deny\n---\n", "ls", Effect::Deny)]
#[case::reasons(
    "---\npermission:\n  bash:\n    ls *:\n      action: deny\n      reason: no\n---\n",
    "ls x",
    Effect::Deny
)]
#[case::none("# Title\n", "ls", Effect::Ask)]
#[case::without_permission("---\nname: x\ntools: [a, b]\n---\n", "ls", Effect::Ask)]
fn front_matter_is_read_as_the_host_does(#[case] text: &str, #[case] command: &str, #[case] expected: Effect) {
    let loaded = load(&[("x.md", Origin::Agent, text)]).unwrap();
    assert!(!loaded.policy.is_clamped(), "{:?}", loaded.diagnostics);
    assert_eq!(effect(&loaded.policy, "bash", command), expected);
}

#[rstest]
#[case::no_value("---\npermission:\n  bash:\n    ls *\n---\n", "x.md:4:5: expected `key: value`, found `ls *`")]
#[case::a_colon_in_a_key(
    "---\npermission:\n  bash:\n    npm run a:b *: allow\n---\n",
    "x.md:4:15: unknown effect `b *: allow` (did you mean `allow`?)"
)]
#[case::a_comment_behind_a_value(
    "---\npermission:\n  bash: allow # x\n---\n",
    "x.md:3:9: unknown effect `allow # x` (did you mean `allow`?)"
)]
fn front_matter_that_the_host_misreads_is_an_error(#[case] text: &str, #[case] expected: &str) {
    let loaded = load(&[("x.md", Origin::Agent, text)]).unwrap();
    assert_eq!(loaded.diagnostics[0].to_string(), expected);
}

#[test]
fn keys_are_ordered_as_the_host_keeps_them() {
    // JavaScript moves keys that are array indexes to the front.
    let policy = global(r#"{ "permission": { "bash": { "*": "deny", "7": "allow" } } }"#);
    assert_eq!(effect(&policy, "bash", "7"), Effect::Deny);
    let policy = global(r#"{ "permission": { "bash": { "*": "deny", "07": "allow" } } }"#);
    assert_eq!(effect(&policy, "bash", "07"), Effect::Allow);
}

#[test]
fn surfaces_may_hold_wildcards() {
    let policy = global(r#"{ "permission": { "bash": "allow", "ba?h": { "rm *": "deny" } } }"#);
    assert_eq!(effect(&policy, "bash", "rm x"), Effect::Deny);
    assert_eq!(effect(&policy, "bash", "ls"), Effect::Allow);
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(|diagnostic| diagnostic.code.code()).collect()
}

#[track_caller]
fn check_diagnostics(bash: &str, expected: &[&str]) {
    let text = format!(r#"{{ "permission": {{ "bash": {bash} }} }}"#);
    let loaded = load(&[("a", Origin::Global, &text)]).unwrap();
    let found: Vec<String> = loaded.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect();
    assert_eq!(found, expected, "{bash}");
}

#[rstest]
#[case::shadowed(
    r#"{ "rm *": "deny", "*": "allow" }"#,
    &["`rm *` never counts: `*` below matches all that it matches"]
)]
#[case::shadowed_by_a_prefix(
    r#"{ "git push *": "deny", "git *": "allow" }"#,
    &["`git push *` never counts: `git *` below matches all that it matches"]
)]
#[case::shadowed_by_an_inner_part(
    r#"{ "* --force *": "deny", "*--force*": "ask" }"#,
    &["`* --force *` never counts: `*--force*` below matches all that it matches"]
)]
#[case::in_order(r#"{ "*": "allow", "git *": "ask", "git push *": "deny" }"#, &[])]
#[case::overlapping(r#"{ "*a": "allow", "b*": "ask" }"#, &[])]
#[case::one_character_is_less_than_any(r#"{ "a*": "allow", "a?": "ask" }"#, &[])]
#[case::the_bare_form_counts(r#"{ "git *": "allow", "git ?*": "ask" }"#, &[])]
#[case::operator(r#"{ "cd * && npm *": "allow" }"#, &["`cd * && npm *` matches no single command: it holds `&&`"])]
#[case::pipe(r#"{ "curl * | sh": "deny" }"#, &["`curl * | sh` matches no single command: it holds ` | `"])]
#[case::a_bar_in_a_word(r#"{ "grep *a|b*": "allow" }"#, &[])]
#[case::an_escaped_semicolon(r#"{ "find * \\;": "ask" }"#, &[])]
#[case::a_runner_of_packages(r#"{ "npx *": "allow" }"#, &["`npx *` allows whatever `npx` is told to run"])]
#[case::one_package(r#"{ "npx tsc *": "allow" }"#, &[])]
#[case::blank(r#"{ "ls ": "allow" }"#, &["`ls ` begins or ends with a blank, and commands do not"])]
#[case::shell(r#"{ "bash *": "allow" }"#, &["`bash *` allows whatever `bash` is told to run"])]
#[case::interpreter(r#"{ "python3 -c *": "allow" }"#, &["`python3 -c *` allows whatever `python3` is told to run"])]
#[case::asked(r#"{ "bash *": "ask" }"#, &[])]
#[case::one_script(r#"{ "bash build.sh": "allow" }"#, &[])]
fn doubtful_rules_are_pointed_out(#[case] bash: &str, #[case] expected: &[&str]) {
    check_diagnostics(bash, expected);
}

#[test]
fn a_permissive_default_without_a_bash_policy_is_pointed_out() {
    let check = |text: &str, expected: &[&str]| {
        let loaded = load(&[("a", Origin::Global, text)]).unwrap();
        assert_eq!(codes(&loaded.diagnostics), expected, "{text}");
    };
    check(r#"{ "permission": { "*": "allow" } }"#, &["policy-file:permissive-default"]);
    check(r#"{ "permission": { "*": "allow", "bash": { "rm *": "deny" } } }"#, &["policy-file:permissive-default"]);
    check(r#"{ "permission": { "*": "allow", "bash": { "*": "ask" } } }"#, &[]);
    check(r#"{ "permission": { "*": "allow", "bash": "ask" } }"#, &[]);
    check(r#"{ "permission": { "*": "ask" } }"#, &[]);
}

#[test]
fn a_surface_that_is_nearly_another_is_pointed_out() {
    let loaded = load(&[("a", Origin::Global, r#"{ "permission": { "external_directroy": "ask" } }"#)]).unwrap();
    assert_eq!(
        loaded.diagnostics[0].to_string(),
        "a:1:19: `external_directroy` is taken for a tool; did you mean `external_directory`?"
    );
}
