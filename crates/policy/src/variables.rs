//! Environment variables that make programs load or run other code, or find other files.

use innercmd_bash_units::{AssignedValue, Assignment, BashCommand, Part, Span, Word};

/// What a variable's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Code, or the place it is looked up in: no value of it is harmless.
    Code,
    /// A command that a program runs when it needs a pager, an editor or a password.
    Command,
    /// Options of a program; some of them load code.
    Options(&'static [&'static str]),
}

/// How the name of a variable is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Is(&'static str),
    StartsWith(&'static str),
    /// Starts with the first and ends with the second.
    Between(&'static str, &'static str),
}

/// One kind of variable, and the manual that says so.
struct Entry {
    name: Name,
    kind: Kind,
    manual: &'static str,
}

const fn is(name: &'static str, kind: Kind, manual: &'static str) -> Entry {
    Entry { name: Name::Is(name), kind, manual }
}

const fn starts(name: &'static str, kind: Kind, manual: &'static str) -> Entry {
    Entry { name: Name::StartsWith(name), kind, manual }
}

const fn between(start: &'static str, end: &'static str, kind: Kind, manual: &'static str) -> Entry {
    Entry { name: Name::Between(start, end), kind, manual }
}

use Kind::{Code, Command, Options};

/// The variables; the last entry that fits a name counts.
const VARIABLES: &[Entry] = &[
    // The loader and the C library.
    starts("LD_", Code, "ld.so(8)"),
    starts("DYLD_", Code, "dyld(1)"),
    is("GCONV_PATH", Code, "iconv(1), glibc manual: iconv configuration"),
    is("GETCONF_DIR", Code, "environ(7)"),
    is("LOCPATH", Code, "setlocale(3), locale(7)"),
    is("NLSPATH", Code, "catopen(3)"),
    is("HOSTALIASES", Code, "hostname(7)"),
    is("RES_OPTIONS", Code, "resolv.conf(5)"),
    is("LOCALDOMAIN", Code, "resolv.conf(5)"),
    is("TERMINFO", Code, "terminfo(5)"),
    is("TERMINFO_DIRS", Code, "terminfo(5)"),
    is("TERMCAP", Code, "termcap(5)"),
    is("TERMPATH", Code, "termcap(5)"),
    is("OPENSSL_CONF", Code, "config(5ssl)"),
    is("OPENSSL_MODULES", Code, "openssl-env(7)"),
    is("OPENSSL_ENGINES", Code, "openssl-env(7)"),
    // The shell.
    is("PATH", Code, "bash manual 5.1"),
    is("BASH_ENV", Code, "bash manual 6.2"),
    is("ENV", Code, "bash manual 6.2"),
    is("SHELLOPTS", Code, "bash manual 5.2"),
    is("BASHOPTS", Code, "bash manual 5.2"),
    is("BASH_LOADABLES_PATH", Code, "bash manual 5.2"),
    is("BASH_XTRACEFD", Code, "bash manual 5.2"),
    is("PS0", Code, "bash manual 5.2"),
    is("PS4", Code, "bash manual 5.1"),
    is("PROMPT_COMMAND", Code, "bash manual 5.2"),
    is("IFS", Code, "bash manual 5.1"),
    is("EXECIGNORE", Code, "bash manual 5.2"),
    is("CDPATH", Code, "bash manual 5.1"),
    is("FPATH", Code, "zshparam(1)"),
    is("ZDOTDIR", Code, "zsh(1)"),
    starts("BASH_FUNC_", Code, "bash manual 3.3: exported functions"),
    // Where programs find the files that name programs.
    is("HOME", Code, "environ(7)"),
    is("XDG_CONFIG_HOME", Code, "XDG Base Directory Specification"),
    is("XDG_CONFIG_DIRS", Code, "XDG Base Directory Specification"),
    is("XDG_DATA_DIRS", Code, "XDG Base Directory Specification"),
    is("SHELL", Code, "environ(7)"),
    // Pagers, editors and the like.
    is("PAGER", Command, "man(1), environ(7)"),
    is("MANPAGER", Command, "man(1)"),
    is("SYSTEMD_PAGER", Command, "systemctl(1)"),
    is("BAT_PAGER", Command, "bat(1)"),
    is("DELTA_PAGER", Command, "delta manual: environment"),
    is("GH_PAGER", Command, "gh help environment"),
    is("GLAB_PAGER", Command, "glab manual: environment"),
    is("AWS_PAGER", Command, "AWS CLI manual: AWS_PAGER"),
    is("PSQL_PAGER", Command, "psql(1)"),
    is("LESSOPEN", Command, "less(1)"),
    is("LESSCLOSE", Command, "less(1)"),
    is("LESSEDIT", Command, "less(1)"),
    is("EDITOR", Command, "environ(7)"),
    is("VISUAL", Command, "environ(7)"),
    is("FCEDIT", Command, "bash manual: fc"),
    is("GH_EDITOR", Command, "gh help environment"),
    is("KUBE_EDITOR", Command, "kubectl edit"),
    is("SUDO_EDITOR", Command, "sudo(8)"),
    is("SUDO_ASKPASS", Command, "sudo(8)"),
    is("SSH_ASKPASS", Command, "ssh(1)"),
    is("BROWSER", Command, "xdg-open(1)"),
    is("GH_BROWSER", Command, "gh help environment"),
    // Git.
    starts("GIT_CONFIG", Code, "git-config(1)"),
    is("GIT_CONFIG_NOSYSTEM", Options(&["0", "1", "true", "false"]), "git(1)"),
    is("GIT_EXEC_PATH", Code, "git(1)"),
    is("GIT_TEMPLATE_DIR", Code, "git-init(1)"),
    is("GIT_DIR", Code, "git(1)"),
    is("GIT_COMMON_DIR", Code, "git(1)"),
    is("GIT_SSH", Command, "git(1)"),
    is("GIT_SSH_COMMAND", Command, "git(1)"),
    is("GIT_EXTERNAL_DIFF", Command, "git(1)"),
    is("GIT_PAGER", Command, "git(1)"),
    is("GIT_EDITOR", Command, "git(1)"),
    is("GIT_SEQUENCE_EDITOR", Command, "git(1)"),
    is("GIT_PROXY_COMMAND", Command, "git-config(1): core.gitProxy"),
    is("GIT_ASKPASS", Command, "git(1)"),
    is("GIT_ALLOW_PROTOCOL", Code, "git(1)"),
    // Languages and their build tools.
    is("NODE_OPTIONS", Options(NODE_OPTIONS), "Node.js manual: Command-line API"),
    is("NODE_PATH", Code, "Node.js manual: Modules"),
    is("NODE_REPL_EXTERNAL_MODULE", Code, "Node.js manual: Command-line API"),
    is("NPM_CONFIG_SCRIPT_SHELL", Code, "npm-config(7)"),
    is("npm_config_script_shell", Code, "npm-config(7)"),
    is("NPM_CONFIG_USERCONFIG", Code, "npm-config(7)"),
    is("npm_config_userconfig", Code, "npm-config(7)"),
    is("DENO_AUTH_TOKENS", Code, "Deno manual: private modules"),
    is("BUN_OPTIONS", Code, "Bun manual: environment variables"),
    is("PYTHONPATH", Code, "python(1)"),
    is("PYTHONSTARTUP", Code, "python(1)"),
    is("PYTHONHOME", Code, "python(1)"),
    is("PYTHONUSERBASE", Code, "Python manual: site"),
    is("PYTHONBREAKPOINT", Code, "python(1)"),
    is("PYTHONWARNINGS", Options(PYTHON_WARNINGS), "python(1)"),
    is("PYTHONINSPECT", Code, "python(1)"),
    is("PYTEST_PLUGINS", Code, "pytest manual: environment variables"),
    is("PERL5LIB", Code, "perlrun(1)"),
    is("PERLLIB", Code, "perlrun(1)"),
    is("PERL5OPT", Code, "perlrun(1)"),
    is("PERL5DB", Code, "perlrun(1)"),
    is("RUBYOPT", Code, "ruby(1)"),
    is("RUBYLIB", Code, "ruby(1)"),
    is("BUNDLE_GEMFILE", Code, "bundle-config(1)"),
    is("JAVA_TOOL_OPTIONS", Code, "Java manual: The JAVA_TOOL_OPTIONS Environment Variable"),
    is("JDK_JAVA_OPTIONS", Code, "java(1)"),
    is("_JAVA_OPTIONS", Code, "java(1)"),
    is("CLASSPATH", Code, "java(1)"),
    is("MAVEN_OPTS", Code, "mvn manual"),
    is("GRADLE_OPTS", Code, "Gradle manual: environment"),
    is("LUA_PATH", Code, "lua(1)"),
    is("LUA_CPATH", Code, "lua(1)"),
    is("LUA_INIT", Code, "lua(1)"),
    is("PHPRC", Code, "php(1)"),
    is("PHP_INI_SCAN_DIR", Code, "php(1)"),
    is(
        "GOFLAGS",
        Options(&["-mod=mod", "-mod=vendor", "-mod=readonly", "-count=1", "-buildvcs=false"]),
        "go help environment",
    ),
    is("GOTOOLDIR", Code, "go help environment"),
    is("GOROOT", Code, "go help environment"),
    is("GOENV", Code, "go help environment"),
    is("CARGO", Code, "The Cargo Book: Environment Variables"),
    is("CARGO_HOME", Code, "The Cargo Book: Cargo Home"),
    starts("CARGO_ALIAS_", Code, "The Cargo Book: Configuration, alias"),
    starts("CARGO_BUILD_RUST", Code, "The Cargo Book: Configuration, build"),
    starts("CARGO_CREDENTIAL_ALIAS_", Code, "The Cargo Book: Configuration, credential-alias"),
    starts("CARGO_ENCODED_", Code, "The Cargo Book: Environment Variables"),
    between("CARGO_REGISTR", "_CREDENTIAL_PROVIDER", Code, "The Cargo Book: Configuration, registry"),
    between("CARGO_TARGET_", "_RUNNER", Code, "The Cargo Book: Configuration, target"),
    between("CARGO_TARGET_", "_LINKER", Code, "The Cargo Book: Configuration, target"),
    between("CARGO_TARGET_", "_RUSTFLAGS", Options(RUST_FLAGS), "The Cargo Book: Configuration, target"),
    is("RUSTC", Code, "The Cargo Book: Environment Variables"),
    is("RUSTC_WRAPPER", Code, "The Cargo Book: Environment Variables"),
    is("RUSTC_WORKSPACE_WRAPPER", Code, "The Cargo Book: Environment Variables"),
    is("RUSTDOC", Code, "The Cargo Book: Environment Variables"),
    is("RUSTFMT", Code, "cargo-fmt"),
    is("RUSTFLAGS", Options(RUST_FLAGS), "The rustc book: Codegen Options"),
    is("RUSTDOCFLAGS", Options(RUST_FLAGS), "The rustdoc book"),
    is("RUSTUP_TOOLCHAIN", Code, "rustup manual: environment variables"),
    is("RUSTUP_HOME", Code, "rustup manual: environment variables"),
    is("CC", Options(COMPILERS), "make(1): implicit variables"),
    is("CXX", Options(COMPILERS), "make(1): implicit variables"),
    is("CPP", Options(COMPILERS), "make(1): implicit variables"),
    is("LD", Options(&["ld", "ld.lld", "ld.gold", "mold"]), "make(1): implicit variables"),
    is("MAKEFLAGS", Options(&["-j", "-k", "-s", "--no-print-directory"]), "GNU make manual 5.7.3"),
    is("GNUMAKEFLAGS", Code, "GNU make manual 5.7.3"),
    is("MFLAGS", Code, "GNU make manual 5.7.3"),
    is("MAKEFILES", Code, "GNU make manual 3.4"),
    is("COMPILER_PATH", Code, "gcc(1)"),
    is("GCC_EXEC_PREFIX", Code, "gcc(1)"),
    is("CMAKE_TOOLCHAIN_FILE", Code, "cmake-env-variables(7)"),
    is("TAR_OPTIONS", Code, "GNU tar manual 3.2"),
    is("RSYNC_RSH", Command, "rsync(1)"),
    is("RIPGREP_CONFIG_PATH", Code, "rg(1)"),
    is("FZF_DEFAULT_COMMAND", Command, "fzf(1)"),
    is("FZF_DEFAULT_OPTS", Code, "fzf(1)"),
    is("DOCKER_CONFIG", Code, "docker manual: environment variables"),
    is("KUBECONFIG", Code, "kubectl manual: exec credential plugins"),
    is("AWS_CONFIG_FILE", Code, "AWS CLI manual: credential_process"),
    is("AWS_SHARED_CREDENTIALS_FILE", Code, "AWS CLI manual: credential_process"),
];

/// Commands that show or answer nothing of their own, as values of pager, editor and password variables.
const HARMLESS_COMMANDS: &[&str] =
    &["", "cat", "true", ":", "false", "echo", "less", "more", "/bin/cat", "/bin/true", "/usr/bin/true"];

const NODE_OPTIONS: &[&str] = &[
    "--max-old-space-size=",
    "--max_old_space_size=",
    "--max-semi-space-size=",
    "--stack-trace-limit=",
    "--no-warnings",
    "--no-deprecation",
    "--trace-warnings",
    "--trace-deprecation",
    "--trace-uncaught",
    "--enable-source-maps",
    "--experimental-vm-modules",
    "--experimental-strip-types",
    "--experimental-sqlite",
    "--disable-warning=",
    "--unhandled-rejections=",
    "--dns-result-order=",
    "--openssl-legacy-provider",
    "--expose-gc",
];
const PYTHON_WARNINGS: &[&str] = &["ignore", "default", "error", "always", "module", "once"];
const RUST_FLAGS: &[&str] =
    &["-D", "-W", "-A", "warnings", "-Dwarnings", "-Awarnings", "-Wwarnings", "--cfg=", "-Ctarget-cpu="];
const COMPILERS: &[&str] = &["cc", "gcc", "clang", "c++", "g++", "clang++", "cpp"];

/// The manual that says why setting `name` to `value` changes what runs; none where it does not.
///
/// A value of none is not known.
pub(crate) fn loads_code(name: &str, value: Option<&str>) -> Option<&'static str> {
    let entry = VARIABLES.iter().rfind(|entry| entry.name.fits(name))?;
    let harmless = match (entry.kind, value) {
        (Code, _) | (_, None) => false,
        (Command, Some(value)) => HARMLESS_COMMANDS.contains(&value),
        (Options(known), Some(value)) => value.split_whitespace().all(|option| is_harmless(option, known)),
    };
    (!harmless).then_some(entry.manual)
}

/// The same for an assignment.
pub(crate) fn assignment_loads_code(assignment: &Assignment) -> Option<&'static str> {
    match &assignment.value {
        AssignedValue::Scalar(word) => {
            let value = word.literal().filter(|_| !assignment.append && assignment.subscript.is_none());
            loads_code(&assignment.name, value.as_deref())
        }
        AssignedValue::Array(_) | AssignedValue::Each(_) => loads_code(&assignment.name, None),
    }
}

/// The same for an assignment before the program of `unit`.
pub(crate) fn assigned_for(unit: &BashCommand, assignment: &Assignment) -> Option<&'static str> {
    let program = unit.words.first().and_then(Word::literal);
    // There the variable is for that builtin alone, and it runs nothing.
    let splits_input = matches!(program.as_deref(), Some("read" | "mapfile" | "readarray")) && assignment.name == "IFS";
    assignment_loads_code(assignment).filter(|_| !splits_input)
}

/// Builtins and programs whose arguments set variables, for the shell or for what they run.
const SETTING: [&str; 10] =
    ["export", "declare", "typeset", "readonly", "local", "env", "sudo", "doas", "unset", "setenv"];
/// Builtins whose arguments name variables that they assign.
const READING: [&str; 5] = ["read", "mapfile", "readarray", "getopts", "printf"];

/// The places in the arguments of a command that set variables which load code, each with the manual that says so.
pub(crate) fn set_by(words: &[Word]) -> Vec<(Span, &'static str)> {
    let Some((program, arguments)) = unprefixed(words) else { return vec![] };
    if SETTING.contains(&program.as_str()) {
        return arguments
            .iter()
            .filter_map(|word| word_loads_code(word, &program).map(|manual| (word.span, manual)))
            .collect();
    }
    if !READING.contains(&program.as_str()) {
        return vec![];
    }
    let names = if program == "printf" { printed_into(arguments) } else { arguments };
    let named = |word: &Word| Some((word.span, loads_code(plain_name(&word.literal()?), None)?));
    names.iter().filter_map(named).collect()
}

/// The arguments of `printf` up to the variable it prints into.
fn printed_into(arguments: &[Word]) -> &[Word] {
    let into = arguments.first().and_then(Word::literal).is_some_and(|option| option == "-v");
    if into { arguments.get(1..2).unwrap_or_default() } else { &[] }
}

/// The base name of the program and its arguments, behind `command` and `builtin`.
fn unprefixed(words: &[Word]) -> Option<(String, &[Word])> {
    let mut rest = words;
    loop {
        let (program, arguments) = rest.split_first()?;
        let program = program.literal()?;
        let base = program.rsplit('/').next().unwrap_or_default();
        if !matches!(base, "command" | "builtin") {
            return Some((base.to_owned(), arguments));
        }
        rest = arguments;
    }
}

/// The same for a word of the form `NAME=value` or `NAME` in the arguments of a program that sets variables.
fn word_loads_code(word: &Word, program: &str) -> Option<&'static str> {
    // Other programs take `NAME=value` only; a bare word is their program.
    let builtin = !matches!(program, "env" | "sudo" | "doas");
    match word.literal() {
        Some(text) => match text.split_once('=') {
            Some((name, value)) => loads_code(plain_name(name), Some(value).filter(|_| !name.ends_with('+'))),
            // Without a value the name is only marked; what it holds was assigned elsewhere.
            None => None,
        },
        None => {
            let known: String = word.parts.iter().map_while(known_text).collect();
            match known.split_once('=') {
                Some((name, _)) => loads_code(plain_name(name), None),
                None if builtin => Some("bash manual 4.2: the name is computed"),
                None => None,
            }
        }
    }
}

fn known_text(part: &Part) -> Option<&str> {
    match part {
        Part::Literal { text, .. } => Some(text.as_str()),
        Part::Hole { .. } => None,
    }
}

/// The name without `+` and a subscript.
fn plain_name(name: &str) -> &str {
    name.split(['[', '+']).next().unwrap_or_default()
}

/// Whether `option` is one of `known`: the same, or, for one that ends in `=`, or a short one before digits, with a value.
fn is_harmless(option: &str, known: &[&str]) -> bool {
    known.iter().any(|known| match option.strip_prefix(known) {
        Some("") => true,
        Some(value) => {
            known.ends_with('=') && value.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
                || *known == "-j" && value.chars().all(|c| c.is_ascii_digit())
        }
        None => false,
    })
}

impl Name {
    fn fits(self, name: &str) -> bool {
        match self {
            Self::Is(exact) => name == exact,
            Self::StartsWith(start) => name.starts_with(start),
            Self::Between(start, end) => name.starts_with(start) && name.ends_with(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[track_caller]
    fn check(assignment: &str, expected: bool) {
        let (name, value) = assignment.split_once('=').unwrap();
        assert_eq!(loads_code(name, Some(value)).is_some(), expected, "{assignment}");
    }

    #[rstest]
    #[case("PATH=/tmp:/bin", true)]
    #[case("LD_PRELOAD=x.so", true)]
    #[case("LD_ANYTHING=x", true)]
    #[case("PAGER=touch x", true)]
    #[case("PAGER=cat", false)]
    #[case("GIT_PAGER=", false)]
    #[case("GIT_EDITOR=true", false)]
    #[case("GIT_EDITOR=true; x", true)]
    #[case("NODE_OPTIONS=--max-old-space-size=4096", false)]
    #[case("NODE_OPTIONS=--max-old-space-size=4096 --require ./x.js", true)]
    #[case("NODE_OPTIONS=--max-old-space-size=4096,-r=x/y", true)]
    #[case("RUSTFLAGS=-D warnings", false)]
    #[case("RUSTFLAGS=-C linker=x", true)]
    #[case("MAKEFLAGS=-j8", false)]
    #[case("MAKEFLAGS=--eval=x", true)]
    #[case("CC=clang", false)]
    #[case("CC=./x", true)]
    #[case("CARGO_TERM_COLOR=always", false)]
    #[case("CARGO_TARGET_DIR=/tmp/t", false)]
    #[case("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=x", true)]
    #[case("GIT_CONFIG_COUNT=1", true)]
    #[case("GIT_TERMINAL_PROMPT=0", false)]
    #[case("CI=1", false)]
    #[case("NODE_ENV=test", false)]
    #[case("AWS_PROFILE=dev", false)]
    #[case("GH_TOKEN=x", false)]
    #[case("CGO_ENABLED=0", false)]
    #[case("MYPATH=x", false)]
    fn a_variable_is_ordinary_or_it_changes_what_runs(#[case] assignment: &str, #[case] expected: bool) {
        check(assignment, expected);
    }

    #[test]
    fn an_unknown_value_is_never_harmless() {
        assert!(loads_code("PAGER", None).is_some());
        assert!(loads_code("NODE_ENV", None).is_none());
    }

    #[test]
    fn every_entry_names_its_manual() {
        assert!(VARIABLES.iter().all(|entry| !entry.manual.is_empty()));
    }
}
