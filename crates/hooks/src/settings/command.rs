use std::path::Path;

use super::SettingsError;
use crate::Host;

/// How the hook is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookCommand {
    program: String,
    arguments: Vec<String>,
}

/// Starts the hook, and turns every way in which it may fail to answer into the one that blocks.
///
/// Harnesses run the command where a hook exits with another code than 2, dies by a signal, or is not there; Codex and Gemini CLI
/// even where it exits with 2 and says nothing.
const GUARD: &str = r#""$0" "$@" || { echo "innercmd hook: failed, so the command is blocked" >&2; exit 2; }"#;

impl HookCommand {
    /// The program, and what it is told.
    #[must_use]
    pub fn new(program: &str, host: Host, arguments: &[String]) -> Self {
        let own = ["hook", host.name()].map(str::to_owned);
        Self { program: program.to_owned(), arguments: own.into_iter().chain(arguments.iter().cloned()).collect() }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Path {
        Path::new(&self.program)
    }

    /// The arguments, `hook` and the name of the harness first.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// The same for `program` and all its `arguments`.
    pub(super) fn from_parts(program: String, arguments: Vec<String>) -> Self {
        Self { program, arguments }
    }

    /// The command line for a harness that hands it to a shell.
    pub(super) fn line(&self) -> Result<String, SettingsError> {
        let words =
            ["/bin/sh", "-c", GUARD, &self.program].into_iter().chain(self.arguments.iter().map(String::as_str));
        shlex::try_join(words).map_err(|_| SettingsError::Unquotable)
    }

    /// The command that `line` starts for `host`, where [`HookCommand::line`] made it.
    pub(super) fn parse(host: Host, line: &str) -> Option<Self> {
        let mut words = shlex::split(line)?.into_iter();
        let guarded = words.next()? == "/bin/sh" && words.next()? == "-c" && words.next()? == GUARD;
        let (program, arguments) = (words.next()?, words.collect::<Vec<_>>());
        let ours = guarded && arguments.first()? == "hook" && arguments.get(1)? == host.name();
        ours.then_some(Self { program, arguments })
    }
}
