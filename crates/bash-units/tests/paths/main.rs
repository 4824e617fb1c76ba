//! Which paths a command names, and where they lead.

use std::collections::HashMap;

use innercmd_bash_units::{
    BashProgram, LexicalPaths, Limits, Outside, PathFacts, PathFactsError, PathPiece, PathRole, PathText, Place,
    ResolvedPath, Unknown,
};

mod directories;
mod files;
mod options;
mod variables;
mod words;

const CWD: &str = "/work/project";
const HOME: &str = "/home/user";

fn sketch(text: &PathText) -> String {
    let piece = |piece: &PathPiece| match piece {
        PathPiece::Text(text) => text.clone(),
        PathPiece::Unknown { kind: Unknown::Anything, .. } => "$".to_owned(),
        PathPiece::Unknown { .. } => "@".to_owned(),
    };
    text.pieces().iter().map(piece).collect()
}

/// Each path that is more than a bare word, with a sign for those that lead, or may lead, outside.
fn paths(command: &str, facts: &dyn PathFacts) -> Vec<String> {
    let program = BashProgram::parse(command, &Limits::default());
    let tokens = program.path_tokens(&Place::new(CWD, Some(HOME), facts));
    let interesting = tokens.iter().filter(|token| token.role != PathRole::Bare);
    interesting
        .map(|token| match token.outside() {
            Outside::No => sketch(&token.text),
            Outside::Maybe => format!("? {}", sketch(&token.text)),
            Outside::Yes => format!("! {}", sketch(&token.text)),
        })
        .collect()
}

#[track_caller]
fn check(command: &str, expected: &[&str]) {
    assert_eq!(paths(command, &LexicalPaths), expected, "{command}");
}

/// A file system of links and directories.
struct Links(HashMap<&'static str, &'static str>, HashMap<&'static str, &'static [&'static str]>);

impl PathFacts for Links {
    fn resolve(&self, path: &str) -> Result<ResolvedPath, PathFactsError> {
        let mut resolved = String::new();
        for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
            match part {
                ".." => resolved.truncate(resolved.rfind('/').unwrap_or(0)),
                part => resolved = format!("{resolved}/{part}"),
            }
            if resolved.ends_with("/forbidden") {
                return Err(PathFactsError::Forbidden);
            }
            if let Some(target) = self.0.get(resolved.as_str()) {
                resolved = (*target).to_owned();
            }
        }
        let exists = Some(!resolved.contains("missing"));
        Ok(ResolvedPath { path: if resolved.is_empty() { "/".to_owned() } else { resolved }, exists })
    }

    fn is_directory(&self, path: &str) -> Option<bool> {
        let path = self.resolve(path).ok()?.path;
        Some(!path.contains("missing") && !path.ends_with("file"))
    }

    fn list(&self, path: &str) -> Result<Vec<String>, PathFactsError> {
        let directory = self.resolve(path)?.path;
        if directory.ends_with(".env") {
            return Err(PathFactsError::Missing);
        }
        let names = self.1.get(directory.as_str()).ok_or(PathFactsError::Other)?;
        Ok(names.iter().map(|name| (*name).to_owned()).collect())
    }
}

fn file_system() -> Links {
    let links = [
        ("/work/project/out", "/secret"),
        ("/in", "/work/project/src"),
        ("/work/project/inner", "/work/project/deep/er"),
        ("/work/project/src/link.ts", "/etc/passwd"),
    ];
    let directories: [(&str, &[&str]); 3] = [
        ("/work/project", &["src", "docs", "prod.env", ".env"]),
        ("/work/project/src", &["a.ts", "b.ts", "link.ts", ".hidden.ts", "c.rs"]),
        ("/work/project/docs", &["a.md"]),
    ];
    Links(HashMap::from(links), HashMap::from(directories))
}
