//! The kinds in which decisions differ. Each has a row in `docs/differences.md`.

use innercmd_policy::Effect;

use super::{
    host::{Part, Theirs},
    ours::Ours,
};

/// A kind of difference with a reason of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum Kind {
    /// A command that they do not match on its own.
    UnseenCommand,
    /// A command that they match as it is typed alone.
    OtherSpelling,
    /// A word that only execution can tell.
    ComputedWord,
    /// A place that defeats the analysis.
    Gap,
    /// A command that runs another one.
    Wrapper,
    /// An assignment.
    Variable,
    /// An argument that is executed.
    Argument,
    /// A path that they do not see, or not by that name.
    UnseenPath,
    /// A path that only execution can tell.
    ComputedPath,
    /// A path out of the working directory that they do not see.
    Outside,
    /// A redirection: to the network, or under rules of a surface that they do not have.
    Redirection,
    /// Their catch-all, or default, asks about a text that is no command.
    CatchAllText,
    /// Their catch-all, or default, asks about a text that is no path.
    CatchAllProse,
    /// Their catch-all asks about `/dev/null` and its kin.
    CatchAllDevice,
}

/// How two decisions differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// In a kind that has a reason.
    Named(Kind),
    /// Looser, or stricter for a reason that has no kind.
    Unnamed,
}

impl Kind {
    /// Whether the decision here is the looser one: an allow where they ask.
    pub(super) fn is_looser(self) -> bool {
        match self {
            Self::CatchAllText | Self::CatchAllProse | Self::CatchAllDevice => true,
            Self::UnseenCommand
            | Self::OtherSpelling
            | Self::ComputedWord
            | Self::Gap
            | Self::Wrapper
            | Self::Variable
            | Self::Argument
            | Self::UnseenPath
            | Self::ComputedPath
            | Self::Outside
            | Self::Redirection => false,
        }
    }
}

/// How `ours` differs from `theirs`, if it does.
pub(super) fn difference(theirs: &Theirs, ours: &Ours) -> Option<Difference> {
    let kind = match ours.effect.cmp(&theirs.decision) {
        std::cmp::Ordering::Equal => return None,
        std::cmp::Ordering::Greater => stricter(theirs, ours),
        std::cmp::Ordering::Less => looser(theirs, ours),
    };
    Some(kind.map_or(Difference::Unnamed, Difference::Named))
}

fn stricter(theirs: &Theirs, ours: &Ours) -> Option<Kind> {
    let seen = |unit: &String| theirs.parts.iter().any(|part| part.surface == "bash" && part.text == *unit);
    let kind = match ours.code {
        "policy:bash-rule" | "policy:bash-default" => match &ours.unit {
            Some(unit) if seen(unit) => Kind::OtherSpelling,
            Some(_) | None => Kind::UnseenCommand,
        },
        "policy:dynamic-word" => Kind::ComputedWord,
        "policy:wrapper" | "policy:wrapped-command" | "policy:wrappers-too-deep" => Kind::Wrapper,
        "policy:code-loading-variable" | "policy:assignment-rule" => Kind::Variable,
        "policy:argument-executes" => Kind::Argument,
        "policy:path-rule" => Kind::UnseenPath,
        "policy:dynamic-path" | "policy:dynamic-directory" => Kind::ComputedPath,
        "policy:external-directory" => Kind::Outside,
        "policy:network-redirect" | "policy:redirect-rule" => Kind::Redirection,
        gap if gap.starts_with("gap:") => Kind::Gap,
        _ => return None,
    };
    Some(kind)
}

/// The kind of a looser decision, where everything that makes theirs stricter is an ask of the catch-all about something that is
/// no command, or no path.
fn looser(theirs: &Theirs, ours: &Ours) -> Option<Kind> {
    let stricter: Vec<&Part> = theirs.parts.iter().filter(|part| part.state > ours.effect).collect();
    let kinds: Option<Vec<Kind>> = stricter.into_iter().map(|part| excused(part, ours)).collect();
    // Several at once count as the first of them.
    kinds?.into_iter().min()
}

fn excused(part: &Part, ours: &Ours) -> Option<Kind> {
    let catch_all = part.pattern.as_ref().is_none_or(|pattern| pattern.chars().all(|c| c == '*'));
    if part.state != Effect::Ask || !catch_all || part.wrapper {
        return None;
    }
    match part.surface.as_str() {
        "bash" => (!ours.units.contains(&part.text)).then_some(Kind::CatchAllText),
        _ if ["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"].contains(&part.text.as_str()) => {
            Some(Kind::CatchAllDevice)
        }
        _ => (!ours.paths.contains(&part.text)).then_some(Kind::CatchAllProse),
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator as _;

    use super::*;

    #[test]
    fn every_kind_is_explained() {
        let page = include_str!("../../../../docs/differences.md");
        for kind in Kind::iter() {
            let row = format!("| `{}` |", <&str>::from(kind));
            assert!(page.contains(&row), "docs/differences.md has no row for {kind:?}");
        }
    }
}
