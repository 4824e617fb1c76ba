//! The arguments, as they are typed.

mod hook;
mod policy;
mod replay;

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};

pub(crate) use hook::{Answering, Ask, DEADLINE, Harness, HookCommand, Install, Settings};
pub(crate) use replay::Replay;

pub(crate) use policy::{PolicyCheck, PolicyCommand, PolicyInit, PolicyShow, PolicyTest};

/// Decides whether Bash commands may run, by an allow/ask/deny policy.
///
/// Exit codes: 0 allow, 3 ask or defer, 4 deny, 2 usage or policy error, 1 internal error. Where many lines are answered
/// (`check --batch`, `authorize` of several requests) the verdicts stand in the output and 0 means that every line was answered.
#[derive(Debug, Parser)]
#[command(name = "innercmd", version, long_version = crate::setup::VERSION, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Answers what a gate answers: the policy, and the link where the policy asks because of a wrapper alone.
    Check(Check),
    /// Answers recorded requests as the link of an authorizer chain does.
    Authorize(Authorize),
    /// Shows a command with every unit underlined, the rule that judges it, and the verdict.
    Explain(Explain),
    /// Judges the commands of past sessions: what a policy would have allowed, asked about and denied.
    ///
    /// Exit codes: 0 where the report is written, 2 where there is nothing to report on.
    Replay(Replay),
    /// Checks, shows, tests and begins policy files.
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Answers the hooks of coding agents.
    ///
    /// Exit codes: 0 where the harness is answered, whatever the answer; 2, which blocks the command, where it is not.
    #[command(subcommand)]
    Hook(HookCommand),
    /// Writes completions for a shell to standard output.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Writes the manual page to standard output.
    Man(Manual),
}

#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// Writes the pages of all subcommands into this directory instead.
    #[arg(long, value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("input").required(true))]
pub(crate) struct Check {
    /// The command, or `-` to read it from standard input.
    #[arg(group = "input", allow_hyphen_values = false)]
    pub(crate) command: Option<String>,
    /// Reads JSON lines `{"id", "command", "policy"?, "cwd"?, "home"?, "agent"?}` from standard input and writes one JSON line for
    /// each, in order.
    ///
    /// `policy` is a `permission` object and stands in for the policy files. A line that cannot be answered becomes
    /// `{"id"?, "error"}`.
    #[arg(long, group = "input", conflicts_with = "format")]
    pub(crate) batch: bool,
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// How to write the answer.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The command, or `-` to read it from standard input.
    pub(crate) command: String,
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// How to write the answer.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Authorize {
    /// The recorded requests, one JSON object a line: `details`, or an object with a key `details`; `-` is standard input.
    ///
    /// A line whose `details` is absent or null records no request: it is skipped and has no line in the output.
    #[arg(long, value_name = "FILE")]
    pub(crate) details: PathBuf,
    #[command(flatten)]
    pub(crate) policy: PolicyArguments,
    /// The name under which the policy's `authorizerChain` lists the link.
    #[arg(long, default_value = "inner-cmd", value_name = "NAME")]
    pub(crate) link: String,
}

/// By which policy, and where, a command is judged.
#[derive(Clone, Debug, Args)]
pub(crate) struct Judging {
    #[command(flatten)]
    pub(crate) policy: PolicyArguments,
    /// The directory the command would run in; the current one if not given.
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// The agent on whose behalf the command would run.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Leaves the link out: the policy alone answers.
    #[arg(long)]
    pub(crate) policy_only: bool,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct PolicyArguments {
    /// A policy file; several are the scopes global, project, agent and project agent, in this order.
    ///
    /// Without it: the user's own files where they exist, else a built-in one that allows reading and asks for the rest.
    #[arg(long = "policy", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// One JSON object.
    Json,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        Arguments::command().debug_assert();
    }
}
