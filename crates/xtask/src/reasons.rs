//! `docs/reasons.md`: every reason code, with what it means.

use std::path::PathBuf;
use std::process::ExitCode;

use innercmd_authorizer::AuthorizerCode;
use innercmd_bash_units::GapCode;
use innercmd_evidence::EvidenceCode;
use innercmd_hooks::HookCode;
use innercmd_host_pi::PiCode;
use innercmd_policy::{DiagnosticCode, PolicyCode};
use innercmd_wrapper::WrapperCode;
use strum::IntoEnumIterator;

/// One code and its description.
type Row = (&'static str, &'static str);

/// The codes of each layer, under the layer's heading.
fn layers() -> Vec<(&'static str, Vec<Row>)> {
    vec![
        (
            "Gaps: the text defeated the analysis",
            GapCode::iter().map(|code| (code.code(), code.description())).collect(),
        ),
        ("Wrappers", WrapperCode::iter().map(|code| (code.code(), code.description())).collect()),
        ("Policy", PolicyCode::iter().map(|code| (code.code(), code.description())).collect()),
        ("Evidence", EvidenceCode::iter().map(|code| (code.code(), code.description())).collect()),
        ("The link", AuthorizerCode::iter().map(|code| (code.code(), code.description())).collect()),
        ("Pi", PiCode::iter().map(|code| (code.code(), code.description())).collect()),
        ("Hooks", HookCode::iter().map(|code| (code.code(), code.description())).collect()),
        ("Policy files", DiagnosticCode::iter().map(|code| (code.code(), code.description())).collect()),
    ]
}

fn render() -> String {
    let mut text = String::from(
        "# Reason codes\n\nEvery verdict names at least one. A code names the cause, not the effect. This page is made by \
         `cargo xtask reasons` from the code.\n",
    );
    for (heading, rows) in layers() {
        text.push_str(&format!("\n## {heading}\n\n| code | meaning |\n|---|---|\n"));
        for (code, description) in rows {
            text.push_str(&format!("| `{code}` | {} |\n", description.replace('\n', " ").replace('|', "\\|")));
        }
    }
    text
}

fn page() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reasons.md"))
}

/// Writes the page.
pub(crate) fn write() -> ExitCode {
    match std::fs::write(page(), render()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("docs/reasons.md cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_page_is_what_the_code_says() {
        let page = std::fs::read_to_string(page()).unwrap();
        assert!(page == render(), "docs/reasons.md is out of date: run `cargo xtask reasons`");
    }

    #[test]
    fn every_code_is_one_of_a_kind_and_explained() {
        let rows: Vec<Row> = layers().into_iter().flat_map(|(_, rows)| rows).collect();
        let codes: BTreeSet<&str> = rows.iter().map(|(code, _)| *code).collect();
        assert_eq!(codes.len(), rows.len());
        for (code, description) in rows {
            assert!(description.ends_with('.') && description.len() > 20, "{code} is not explained: {description:?}");
            assert!(code.split_once(':').is_some_and(|(layer, name)| !layer.is_empty() && !name.is_empty()), "{code}");
        }
    }
}
