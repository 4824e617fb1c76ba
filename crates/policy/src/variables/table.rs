//! The variables, and what their values are.

/// What a variable's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Code, or the place it is looked up in: no value of it is harmless.
    Code,
    /// A command that a program runs when it needs a pager, an editor or a password.
    Command,
    /// The name of something installed: harmless without a slash.
    Installed,
    /// Options of a program; some of them load code.
    Options(&'static [&'static str]),
}

/// How the name of a variable is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Is(&'static str),
    StartsWith(&'static str),
    /// Starts with the first and ends with the second.
    Between(&'static str, &'static str),
}

/// One kind of variable, and the manual that says so.
pub(super) struct Entry {
    pub(super) name: Name,
    pub(super) kind: Kind,
    pub(super) manual: &'static str,
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

use Kind::{Code, Command, Installed, Options};

/// The variables; the last entry that fits a name counts.
pub(super) const VARIABLES: &[Entry] = &[
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
    is("RUSTUP_TOOLCHAIN", Installed, "rustup manual: environment variables"),
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
pub(super) const HARMLESS_COMMANDS: &[&str] =
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

impl Name {
    pub(super) fn fits(self, name: &str) -> bool {
        match self {
            Self::Is(exact) => name == exact,
            Self::StartsWith(start) => name.starts_with(start),
            Self::Between(start, end) => name.starts_with(start) && name.ends_with(end),
        }
    }
}
