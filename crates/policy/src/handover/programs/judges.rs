//! What values and operands of programs hand something over. Each takes a text in which [`HOLE`] stands for what is not known.

use super::super::argument::{Argument, HOLE};
use super::super::options::{Found, Options, Style};
use crate::variables::loads_code;

/// Commands that show or answer nothing of their own.
const PAGERS: [&str; 8] = ["", "cat", "less", "more", "less -R", "less -F", "less -FRX", "never"];

pub(super) fn pager(_: &str, value: &str) -> bool {
    !PAGERS.contains(&value)
}

/// `-o KEY=VALUE`, or with a blank (ssh_config(5)).
pub(super) fn ssh(_: &str, value: &str) -> bool {
    const KEYS: [&str; 11] = [
        "proxycommand", "localcommand", "permitlocalcommand", "knownhostscommand", "pkcs11provider",
        "securitykeyprovider", "xauthlocation", "include", "remotecommand", "match", "ssh_command",
    ];
    let value = value.trim_start().to_ascii_lowercase();
    let key = value.split(['=', ' ', '\t']).next().unwrap_or_default();
    key.contains(HOLE) || KEYS.iter().any(|known| key.contains(known))
        // sshfs joins several by commas.
        || value.contains(",ssh_command") || value.contains(",proxycommand")
}

/// Addresses that run something (socat(1)); several may be joined.
pub(super) fn socat(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.contains(HOLE) || ["exec", "system", "shell"].iter().any(|kind| text.contains(kind))
}

/// Initial commands other than those that only move (less(1), `+cmd`).
pub(super) fn less(text: &str) -> bool {
    let Some(command) = text.strip_prefix("++").or_else(|| text.strip_prefix('+')) else { return false };
    let moves = matches!(command, "F" | "G" | "g")
        || command.trim_end_matches(['g', 'G', 'p', '%']).bytes().all(|byte| byte.is_ascii_digit())
        || command.starts_with(['/', '?']) && !command.contains(char::is_control);
    !moves || command.contains(HOLE)
}

/// Variables given to make, which go before those of the makefile.
pub(super) fn make(text: &str) -> bool {
    let Some((name, value)) = text.split_once('=') else { return false };
    let name = name.trim_end_matches([':', '+', '?', '!']);
    name.contains(HOLE)
        || matches!(name, "SHELL" | ".SHELLFLAGS" | "MAKE" | "MAKEFLAGS" | "VPATH")
        || loads_code(name, Some(value).filter(|value| !value.contains(HOLE))).is_some()
        || value.contains("$(shell")
        || value.contains("${shell")
}

/// A makefile that is not one of the files: the input, or a descriptor.
pub(super) fn makefile(_: &str, value: &str) -> bool {
    value == "-" || value.starts_with("/dev/") || value.starts_with("/proc/")
}

/// `-C linker=…` and its like (The rustc book, Codegen Options).
pub(super) fn rustc(_: &str, value: &str) -> bool {
    const HARMLESS: [&str; 14] = [
        "opt-level", "debuginfo", "codegen-units", "lto", "panic", "incremental", "target-cpu", "target-feature",
        "overflow-checks", "debug-assertions", "metadata", "extra-filename", "strip", "embed-bitcode",
    ];
    let key = value.split('=').next().unwrap_or_default();
    !HARMLESS.contains(&key)
}

pub(super) fn go_linker(_: &str, value: &str) -> bool {
    value.contains("-ext") || value.contains(HOLE) && !value.contains("-X ")
}

/// Settings of npm and its like that name programs, as operands of `config set`.
pub(super) fn script_shell(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["script-shell", "scriptshell", "yarnpath", "yarn-path", "node-options", "userconfig", "globalconfig"]
        .iter()
        .any(|key| text.contains(key))
}

/// Commands for TeX itself.
pub(super) fn tex(text: &str) -> bool {
    text.contains("write18") || text.starts_with('|') || text.contains("directlua")
}

/// Readers and writers in Lua (pandoc(1), `--from` and `--to`).
pub(super) fn lua(_: &str, value: &str) -> bool {
    value.contains(".lua") || value.starts_with(HOLE)
}

pub(super) fn bang(_: &str, value: &str) -> bool {
    value.contains(['!', HOLE])
}

/// A command in place of a file, or a script of ImageMagick.
pub(super) fn image(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.starts_with(['|', HOLE])
        || ["msl:", "mvg:", "ephemeral:", "url:", "@"].iter().any(|kind| lower.starts_with(kind))
}

/// Meta-commands that run something, and `COPY … PROGRAM` (psql(1), PostgreSQL manual).
pub(super) fn psql(name: &str, value: &str) -> bool {
    if name == "o" || name == "P" {
        return value.trim_start().starts_with('|') || value.contains("pager") || value.starts_with(HOLE);
    }
    let lower = value.to_ascii_lowercase();
    // Of the meta-commands, `\d` and its like only show.
    let meta = lower.trim_start().starts_with('\\') && !lower.trim_start().starts_with("\\d") && lower.trim() != "\\l";
    lower.contains(HOLE)
        || lower.contains("program")
        || lower.contains("\\!")
        || lower.contains('|') && lower.contains('\\')
        || meta
}

/// Client commands that run something (mysql(1), mysql Client Commands).
pub(super) fn mysql(_: &str, value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let starts = |word: &str| lower.split([';', '\n']).any(|statement| statement.trim_start().starts_with(word));
    lower.contains(HOLE)
        || lower.contains("\\!")
        || lower.contains("\\p")
        || ["system", "pager", "source", "edit", "tee"].into_iter().any(starts)
}

/// Dot-commands, and functions that load or write (sqlite3, Command Line Shell).
pub(super) fn sqlite(text: &str) -> bool {
    const SHOWING: [&str; 17] = [
        "tables", "schema", "headers", "header", "mode", "databases", "dbinfo", "indexes", "indices", "width", "timer",
        "nullvalue", "separator", "help", "quit", "exit", "fullschema",
    ];
    let lower = text.to_ascii_lowercase();
    let command = lower.strip_prefix('.').map(|command| command.split_whitespace().next().unwrap_or_default());
    let path = lower.starts_with("./") || lower.starts_with("../");
    command.is_some_and(|command| !SHOWING.contains(&command) && !path)
        || ["load_extension", "writefile", "edit("].iter().any(|function| lower.contains(function))
        || lower.contains(HOLE)
}

/// Statements behind the data base, and options that run a command or a file (sqlite3, Command Line Shell).
///
/// The data base itself is a file; what is not known of its name could only make the next argument a statement, which is read.
pub(super) fn sqlite_arguments(arguments: &[Argument<'_>]) -> bool {
    let option = |argument: &Argument<'_>| {
        let name = argument.text().trim_start_matches('-');
        argument.text().starts_with('-') && (matches!(name, "init" | "A" | "cmd") || name.contains(HOLE))
    };
    let operands = arguments.iter().filter(|argument| !argument.text().starts_with('-'));
    arguments.iter().any(|argument| argument.hides_more() || option(argument))
        || operands.skip(1).any(|operand| sqlite(operand.text()))
}

/// How many arguments stand before `--`, behind which a script has its own.
pub(super) fn before_dashes(arguments: &[Argument<'_>]) -> usize {
    arguments.iter().position(|argument| argument.known() == Some("--")).unwrap_or(arguments.len())
}

/// How many arguments of `go` are its own: those behind the program that `go run` runs are that program's.
pub(super) fn go_run(arguments: &[Argument<'_>]) -> usize {
    let runs = arguments.first().is_some_and(|first| first.known() == Some("run"));
    let is_program = |argument: &Argument<'_>| {
        argument.known().is_some_and(|text| text.ends_with(".go") || text == "." || text.starts_with("./"))
    };
    let at = arguments.iter().position(is_program).filter(|_| runs);
    at.map_or(arguments.len(), |at| at.saturating_add(1))
}

/// A file of commands that the editor reads first (vim(1), `-u`).
pub(super) fn vimrc(_: &str, value: &str) -> bool {
    !matches!(value, "NONE" | "NORC" | "DEFAULTS")
}

/// A linker that is given by its place (gcc(1), `-fuse-ld`).
pub(super) fn linker(_: &str, value: &str) -> bool {
    value.contains(['/', HOLE])
}

/// Options whose value is glued on (gcc(1), Directory Options; clang(1)).
pub(super) fn compiler(arguments: &[Argument<'_>]) -> bool {
    const GLUED: [&str; 5] = ["-B", "-Wl,-plugin", "-Wl,--plugin", "-Wl,-load", "-fplugin-arg"];
    arguments.iter().any(|argument| GLUED.iter().any(|glued| argument.text().starts_with(glued)))
}

/// `-TT COMMAND`, alone, behind other letters or with the command glued on (zip(1)).
pub(super) fn zip(arguments: &[Argument<'_>]) -> bool {
    let cluster = |argument: &Argument<'_>| {
        argument.text().starts_with('-') && !argument.text().starts_with("--") && argument.text().contains("TT")
    };
    arguments.iter().any(cluster)
}

/// Subcommands that set what later ones run, or install it (gh help).
pub(super) fn gh(arguments: &[Argument<'_>]) -> bool {
    let [first, second, ..] = arguments else { return arguments.iter().any(Argument::is_unknown) };
    match first.known() {
        None => first.is_unknown(),
        Some("alias") => !matches!(second.known(), Some("list" | "ls" | "delete")),
        Some("config") => !matches!(second.known(), Some("get" | "list" | "ls" | "clear-cache")),
        Some("extension" | "extensions" | "ext") => {
            !matches!(second.known(), Some("list" | "ls" | "search" | "browse"))
        }
        Some(_) => false,
    }
}

/// `go env -w` (go help env).
pub(super) fn go_env(arguments: &[Argument<'_>]) -> bool {
    let [first, rest @ ..] = arguments else { return false };
    first.known() == Some("env")
        && rest.iter().any(|argument| matches!(argument.known(), Some("-w" | "--w")) || argument.hides_more())
}

/// What stands behind `--` is for the compiler (The Cargo Book, cargo rustc; cargo clippy).
pub(super) fn cargo(arguments: &[Argument<'_>]) -> bool {
    const RUSTC: Options = Options {
        style: Style::ClustersInFull,
        table: "o: L: l: A: W: D: F: cap-lints: cfg: C|codegen:? Z:!",
        judge: rustc,
    };
    let compiles = |argument: &Argument<'_>| matches!(argument.known(), Some("rustc" | "rustdoc" | "clippy"));
    if !arguments.iter().any(compiles) {
        return false;
    }
    let behind = arguments.iter().position(|argument| argument.known() == Some("--"));
    let rest = behind.and_then(|at| arguments.get(at.saturating_add(1)..)).unwrap_or_default();
    RUSTC.find(rest, |found| !matches!(found, Found::Operand(_))).is_some()
}
