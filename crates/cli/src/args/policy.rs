use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};

use super::{Format, PolicyArguments};

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Says what is wrong or doubtful in policy files, and where.
    ///
    /// Exit codes: 0 where the files are valid, 2 where one is not.
    Check(PolicyCheck),
    /// Shows the rules in effect, whence each comes, and in which order they count.
    Show(PolicyShow),
    /// Judges examples and says which of them come out otherwise than expected.
    ///
    /// An examples file holds a line for each: the decision expected and the command, such as `ask git push`; `#` begins a comment.
    /// In a policy file they are comments: `// match: COMMAND` and `// not-match: COMMAND` behind or above a rule say which rule
    /// counts, `// expect ask: COMMAND` anywhere says what is decided.
    ///
    /// Exit codes: 0 where all hold, 5 where one does not, 2 where a file is not usable.
    Test(PolicyTest),
    /// Writes a policy to begin with: it allows what only reads, tests and checks, and asks for the rest.
    ///
    /// Beside `policy.jsonc` it writes `policy.examples`, which `innercmd policy test policy.jsonc` judges.
    Init(PolicyInit),
}

#[derive(Debug, Args)]
pub(crate) struct PolicyCheck {
    /// The policy files; each is checked on its own.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Ends with 2 for a doubt as well.
    #[arg(long)]
    pub(crate) strict: bool,
    /// How to write what is found.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct PolicyShow {
    #[command(flatten)]
    pub(crate) policy: PolicyArguments,
    /// The directory whose project counts; the current one if not given.
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// The agent whose files count.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Shows the rules of this surface alone.
    #[arg(long, value_name = "NAME")]
    pub(crate) surface: Option<String>,
    /// How to write the rules.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct PolicyTest {
    /// Policy files (`.json`, `.jsonc`, `.md`) with examples in their comments, and examples files.
    ///
    /// Beside a policy file `policy.jsonc` the examples file `policy.examples` counts as well, where it exists.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) tested: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) policy: PolicyArguments,
    /// The directory the commands would run in; the current one if not given.
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// How to write what does not hold.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("place").required(true))]
pub(crate) struct PolicyInit {
    /// Where to write it.
    #[arg(group = "place", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Writes it where pi-permission-system and this program read the user's own.
    #[arg(long, group = "place")]
    pub(crate) user: bool,
    /// Replaces what is there.
    #[arg(long)]
    pub(crate) force: bool,
}
