//! From a harness's question to the answer in its own form.

use innercmd_authorizer::GateGrant;
use serde_json::Value;

use crate::{CallShell, HookCode, Host, Ruling, ShellCall, Why};

/// What a harness is told about a call.
#[derive(Debug)]
pub(crate) enum Answer {
    /// Nothing: the harness decides by its own rules.
    Pass,
    /// The command may run without the harness's own prompt.
    Allow(Box<GateGrant>),
    /// A person decides.
    Ask(Why),
    /// The command does not run.
    Deny(Why),
}

/// How a hook answers, where its harness leaves a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manner {
    host: Host,
    allowing: Allowing,
    asking: Asking,
    shell: Option<String>,
}

/// What an allow of the policy becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowing {
    /// The harness is told nothing, and decides by its own rules.
    Silent,
    /// The harness is told that the command may run, and leaves its own prompt out.
    Answered,
}

/// What an ask of the policy becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// The harness is told to ask its user.
    Prompt,
    /// The command does not run, and the agent is told what needs approval.
    Block,
    /// The harness decides by its own rules. What is no answer of the policy still blocks.
    Leave,
}

/// A choice that the harness does not offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// The harness has no allow that a hook could give without more harm than good.
    #[error("{0} knows no allow of a hook")]
    Allow(Host),
    /// The harness does not ask its user where a hook says so.
    #[error("{0} does not ask its user where a hook says so")]
    Prompt(Host),
}

impl Manner {
    /// The manner of `host`: silent about what is allowed, and as `host` does by default about what is asked.
    #[must_use]
    pub fn new(host: Host) -> Self {
        Self { host, allowing: Allowing::Silent, asking: host.asking(), shell: None }
    }

    /// The same, but `allowing`.
    ///
    /// # Errors
    /// The harness has no such answer.
    pub fn allowing(self, allowing: Allowing) -> Result<Self, Unsupported> {
        match allowing {
            Allowing::Answered if !self.host.knows_allow() => Err(Unsupported::Allow(self.host)),
            Allowing::Silent | Allowing::Answered => Ok(Self { allowing, ..self }),
        }
    }

    /// The same, but `asking`.
    ///
    /// # Errors
    /// The harness has no such answer.
    pub fn asking(self, asking: Asking) -> Result<Self, Unsupported> {
        match asking {
            Asking::Prompt if !self.host.knows_ask() => Err(Unsupported::Prompt(self.host)),
            Asking::Prompt | Asking::Block | Asking::Leave => Ok(Self { asking, ..self }),
        }
    }

    /// The same, with the user's own shell.
    #[must_use]
    pub fn with_shell(self, shell: Option<String>) -> Self {
        Self { shell, ..self }
    }

    /// The answer to `input`, which is what the harness wrote, where `judge` rules on a command or says why it cannot.
    ///
    /// INVARIANT: the command may run only where the harness asked about something else than its shell, or the ruling is an allow or,
    /// by [`Asking::Leave`], an ask.
    #[must_use]
    pub fn answer(&self, input: &[u8], judge: impl FnOnce(&ShellCall) -> Result<Ruling, String>) -> String {
        let call = match self.read(input) {
            Ok(Some(call)) => call,
            Ok(None) => return self.host.reply(&Answer::Pass),
            Err(code) => return self.failed(Why::of(code)),
        };
        match judge(&call) {
            Ok(ruling) => self.host.reply(&self.settle(self.for_shell(&call, ruling))),
            Err(problem) => {
                let code = HookCode::NoPolicy.code();
                self.failed(Why { code, text: format!("the policy cannot be used: {}", problem.trim_end_matches('.')) })
            }
        }
    }

    /// The answer where there is no ruling, for the reason `code`.
    #[must_use]
    pub fn closed(&self, code: HookCode) -> String {
        self.failed(Why::of(code))
    }

    fn read(&self, input: &[u8]) -> Result<Option<ShellCall>, HookCode> {
        let input = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
        let input: Value = serde_json::from_slice(input).map_err(|_| HookCode::UnreadableInput)?;
        self.host.question(&input)
    }

    /// The ruling, where bash would run the command; for another shell what was read allows nothing.
    fn for_shell(&self, call: &ShellCall, ruling: Ruling) -> Ruling {
        let is_bash = match call.shell {
            CallShell::Bash => true,
            CallShell::Users => self.shell.as_deref().is_some_and(is_bash),
            CallShell::Other => false,
        };
        match ruling {
            Ruling::Allow(_) if !is_bash => Ruling::Ask(Why::of(HookCode::OtherShell)),
            Ruling::Allow(_) | Ruling::Ask(_) | Ruling::Deny(_) => ruling,
        }
    }

    fn settle(&self, ruling: Ruling) -> Answer {
        match (ruling, self.allowing, self.asking) {
            (Ruling::Allow(grant), Allowing::Answered, _) => Answer::Allow(grant),
            (Ruling::Allow(_), Allowing::Silent, _) | (Ruling::Ask(_), _, Asking::Leave) => Answer::Pass,
            (Ruling::Ask(why), _, Asking::Prompt) => Answer::Ask(why),
            (Ruling::Ask(why), _, Asking::Block) => Answer::Deny(needs_approval(why)),
            (Ruling::Deny(why), _, _) => Answer::Deny(why),
        }
    }

    /// What is no answer of the policy is asked about, and blocked where nobody would be asked.
    fn failed(&self, why: Why) -> String {
        let answer = match self.asking {
            Asking::Prompt => Answer::Ask(why),
            Asking::Block | Asking::Leave => Answer::Deny(needs_approval(why)),
        };
        self.host.reply(&answer)
    }
}

/// Whether `shell` names bash, by its path or its name.
fn is_bash(shell: &str) -> bool {
    shell.rsplit('/').next() == Some("bash")
}

fn needs_approval(why: Why) -> Why {
    let text = format!("it needs a person's approval, and this hook cannot ask for it; {}", why.text);
    Why { text, ..why }
}

impl Why {
    /// The text for whoever is asked.
    pub(crate) fn to_ask(&self) -> String {
        format!("[innercmd] {} [{}]", self.text, self.code)
    }

    /// The text for the agent whose command does not run.
    pub(crate) fn to_deny(&self) -> String {
        format!("[innercmd] The command was not run: {} [{}]", self.text, self.code)
    }
}
