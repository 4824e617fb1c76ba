//! What pi-permission-system takes for paths, and the names by which it looks for rules about them.

use innercmd_bash_units::{HostBase, HostToken, Paths};

use super::is_js_space;
use crate::gates::DEVICES;

/// A word that may be a path.
pub(super) struct HostPath<'h> {
    pub(super) token: &'h HostToken,
    /// The working directory.
    pub(super) cwd: &'h str,
    pub(super) home: Option<&'h str>,
    pub(super) paths: &'h Paths<'h, 'h>,
}

impl HostPath<'_> {
    /// Whether it is one of the files that hold nothing and keep nothing.
    pub(super) fn is_device(&self) -> bool {
        DEVICES.contains(&self.literal().as_str())
    }

    /// The names by which rules of the surface `path` are looked for, where the word looks like a path, or is `promoted`.
    pub(super) fn for_rules(&self, promoted: impl Fn(&str) -> bool) -> Option<Vec<String>> {
        let text = self.token.text.as_str();
        let looks = text.starts_with('.') || text.contains('/') || text.contains("..") || is_drive(text);
        if is_no_path(text) || !(looks || promoted(text)) {
            return None;
        }
        let literal = self.literal();
        if literal.is_empty() {
            return None;
        }
        match self.base() {
            None if self.is_relative() => Some(vec![literal]),
            base => Some(self.names(literal, base)),
        }
    }

    /// The names by which rules of the surface `external_directory` are looked for, where the word leads out of the working
    /// directory.
    pub(super) fn outside(&self) -> Option<Vec<String>> {
        let text = self.token.text.as_str();
        let looks = text.starts_with('/') || text.starts_with("~/") || text.contains("..") || is_drive(text);
        let literal = self.literal();
        if is_no_path(text) || !looks || literal.is_empty() {
            return None;
        }
        let base = self.base();
        let leads = resolved(self.seen_from(base.as_deref()), &literal);
        let anywhere = base.is_none() && self.is_relative();
        let outside = !DEVICES.contains(&leads.as_str()) && (anywhere || self.is_outside(&leads));
        outside.then(|| self.names(literal, base))
    }

    /// The directory the word is seen from; none where that is not known.
    fn base(&self) -> Option<String> {
        match &self.token.base {
            HostBase::Known(base) => Some(resolved(self.cwd, base)),
            HostBase::Unknown => None,
        }
    }

    fn seen_from<'b>(&'b self, base: Option<&'b str>) -> &'b str {
        base.unwrap_or(self.cwd)
    }

    fn is_relative(&self) -> bool {
        !self.token.text.starts_with(['/', '~'])
    }

    fn is_outside(&self, path: &str) -> bool {
        if is_within(path, self.cwd) {
            // Links that lead out of it are for the gates to follow.
            return false;
        }
        let follow = |path: &str| self.paths.resolved(path).unwrap_or_else(|| path.to_owned());
        let leads = follow(path);
        !DEVICES.contains(&leads.as_str()) && !is_within(&leads, &follow(self.cwd))
    }

    fn names(&self, literal: String, base: Option<String>) -> Vec<String> {
        if literal == "*" {
            return vec![literal];
        }
        let absolute = resolved(self.seen_from(base.as_deref()), &literal);
        let relative = absolute
            .strip_prefix(self.cwd.trim_end_matches('/'))
            .and_then(|rest| rest.strip_prefix('/'))
            .filter(|rest| !rest.is_empty())
            .map(str::to_owned);
        std::iter::once(absolute).chain(relative).chain([literal]).collect()
    }

    /// The word without blanks and quotes around it, and with the home directory written out.
    fn literal(&self) -> String {
        let text = self.token.text.trim_matches(is_js_space);
        let quote = |c: char| matches!(c, '\'' | '"');
        let text = text.strip_prefix(quote).unwrap_or(text);
        let text = text.strip_suffix(quote).unwrap_or(text);
        let text = text.strip_prefix('@').unwrap_or(text);
        let Some(home) = self.home else { return text.to_owned() };
        let behind = text.strip_prefix('~').or_else(|| text.strip_prefix("$HOME"));
        match behind {
            Some("") => home.to_owned(),
            Some(rest) if rest.starts_with(['/', '\\']) => {
                let rest = rest.get(1..).unwrap_or_default();
                // A joined path keeps a slash at its end.
                let slash = if rest.ends_with('/') { "/" } else { "" };
                format!("{}{slash}", resolved("/", &format!("{home}/{rest}")))
            }
            Some(_) | None => text.to_owned(),
        }
    }
}

/// Whether a word is anything but a path: an option, an assignment, an address, a package, or a regular expression.
fn is_no_path(text: &str) -> bool {
    let assigns = text.find('=').is_some_and(|equals| text.find('/').is_none_or(|slash| equals < slash));
    let package = text.starts_with('@') && !text.starts_with("@/");
    text.is_empty() || text.starts_with('-') || assigns || is_address(text) || package || is_expression(text)
}

fn is_address(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once("://") else { return false };
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-');
    scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(part)
}

fn is_expression(text: &str) -> bool {
    let telling = [".*", ".+", "\\|", "\\(", "\\)", "^/"];
    let bracket =
        |line: &str| line.find('[').is_some_and(|open| line.get(open..).is_some_and(|rest| rest.contains(']')));
    telling.iter().any(|piece| text.contains(piece)) || text.split(['\n', '\r', '\u{2028}', '\u{2029}']).any(bracket)
}

fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

/// `path`, seen from the absolute path `base`, by its text alone.
fn resolved(base: &str, path: &str) -> String {
    let mut parts: Vec<&str> = vec![];
    let whole = if path.starts_with('/') { "" } else { base };
    for part in whole.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    format!("/{}", parts.join("/"))
}

fn is_within(path: &str, directory: &str) -> bool {
    let directory = directory.trim_end_matches('/');
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
