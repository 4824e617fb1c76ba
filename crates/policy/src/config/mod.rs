//! Policy files: what they say, and what is wrong with them.

mod front_matter;
mod knobs;
mod permission;
mod problem;
mod section;

use std::sync::Arc;

use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::Origin;
#[cfg(test)]
pub(crate) use knobs::KEYS;
pub use knobs::{Knobs, ShellTool};
pub(crate) use permission::{Permission, SURFACES, Saying, Says, Surface};
pub(crate) use problem::closest;
pub use problem::{LoadError, Problem};

use problem::Problems;

/// A policy file.
#[derive(Clone, Copy, Debug)]
pub struct PolicySource<'s> {
    /// What it is called in messages, such as its path.
    pub name: &'s str,
    /// Its content: JSON with comments; for an agent, a Markdown file with front matter as well.
    pub text: &'s str,
    /// Whose it is. Files of a project are for the caller to leave out where the project is not trusted.
    pub origin: Origin,
}

/// What one file says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Config {
    pub(crate) permission: Permission,
    pub(crate) knobs: Knobs,
    /// The name of the file.
    pub(crate) file: Arc<str>,
}

impl Config {
    /// Reads `source`.
    ///
    /// # Errors
    /// Everything that is wrong with it, in source order.
    pub(crate) fn parse(source: &PolicySource<'_>) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new(source.name, source.text);
        let agent = matches!(source.origin, Origin::Agent | Origin::ProjectAgent);
        let mut config = if agent && source.text.trim_matches(['-', ' ', '\r', '\n']).is_empty() {
            problems.note(0, source.text.len(), "the file is empty, or cut off at its beginning", None);
            Self::default()
        } else if agent && !source.text.trim_start().starts_with('{') {
            let section = front_matter::permission(source.text, &mut problems);
            Self { permission: Permission::read(&section, &mut problems), ..Self::default() }
        } else {
            parse_json(source.text, &mut problems)
        };
        config.file = source.name.into();
        let found = problems.into_found();
        if found.is_empty() { Ok(config) } else { Err(found) }
    }

    /// Reads a permission map on its own.
    ///
    /// # Errors
    /// Everything that is wrong with it, in source order.
    pub(crate) fn parse_permission(source: &PolicySource<'_>) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new(source.name, source.text);
        let mut config = Self { file: source.name.into(), ..Self::default() };
        if let Some(object) = parse_object(source.text, &mut problems) {
            config.permission = Permission::read(&section::section(&object), &mut problems);
        }
        let found = problems.into_found();
        if found.is_empty() { Ok(config) } else { Err(found) }
    }
}

fn parse_json(text: &str, problems: &mut Problems<'_>) -> Config {
    let Some(object) = parse_object(text, problems) else { return Config::default() };
    permission::note_repeated(&section::section(&object), problems);
    let knobs = Knobs::read(&object, problems);
    let permission = match object.properties.iter().find(|property| property.name.as_str() == "permission") {
        None => Permission::default(),
        Some(property) => match property.value.as_object() {
            Some(map) => Permission::read(&section::section(map), problems),
            None => {
                let (start, end) = section::place(&property.value);
                let hint = "an effect for everything is written `{ \"*\": \"ask\" }`".to_owned();
                problems.note(start, end, "expected a map of surfaces, found", Some(hint));
                Permission::default()
            }
        },
    };
    Config { permission, knobs, ..Config::default() }
}

/// JSON with comments and nothing else: what the host's reader would reject is an error here, too.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

fn parse_object<'t>(text: &'t str, problems: &mut Problems<'_>) -> Option<jsonc_parser::ast::Object<'t>> {
    match parse_to_ast(text, &CollectOptions::default(), &STRICT) {
        Ok(result) => match result.value {
            Some(jsonc_parser::ast::Value::Object(object)) => Some(object),
            Some(other) => {
                let (start, end) = section::place(&other);
                problems.note(start, end, "expected an object, found", None);
                None
            }
            None => {
                problems.note(0, 0, "the file is empty", Some("an empty policy is `{}`".to_owned()));
                None
            }
        },
        Err(error) => {
            let (start, end) = section::place(&error.range());
            let message = error.kind().to_string();
            let mut letters = message.chars();
            let lower: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
            problems.note(start, end, lower.trim_end_matches('.'), None);
            None
        }
    }
}
