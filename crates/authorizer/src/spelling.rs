use innercmd_bash_units::{BashCommand, Part, Word};

/// The texts under which a rule may know a unit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spellings {
    /// As typed.
    pub(crate) typed: String,
    /// With quotes removed, and with the base name of the program, where these differ from the typed text and each other.
    pub(crate) others: Vec<String>,
}

impl Spellings {
    /// Spells `unit` of the program text `source`.
    pub(crate) fn of(unit: &BashCommand, source: &str) -> Self {
        let typed = unit.text.clone();
        let words: Vec<String> = unit.words.iter().map(|word| unquoted(word, source)).collect();
        let dequoted = words.join(" ");
        let base = words.split_first().and_then(|(program, arguments)| {
            let (_, name) = program.rsplit_once('/')?;
            (!name.is_empty()).then(|| [&[name.to_owned()], arguments].concat().join(" "))
        });
        let mut others: Vec<String> = Vec::new();
        for other in [Some(dequoted), base].into_iter().flatten() {
            if other != typed && !others.contains(&other) {
                others.push(other);
            }
        }
        Self { typed, others }
    }
}

/// The word after quote removal; what only execution can tell stands as typed.
fn unquoted(word: &Word, source: &str) -> String {
    word.parts
        .iter()
        .map(|part| match part {
            Part::Literal { text, .. } => text.as_str(),
            Part::Hole { span, .. } => span.of(source),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use innercmd_bash_units::{BashProgram, Limits};
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("git status", &[])]
    #[case::quoted_program("'rm' -rf x", &["rm -rf x"])]
    #[case::escaped_program(r"\rm -rf x", &["rm -rf x"])]
    #[case::path("/bin/rm -rf x", &["rm -rf x"])]
    #[case::quoted_path("'/bin/rm' -rf x", &["/bin/rm -rf x", "rm -rf x"])]
    #[case::quoted_argument("git 'push' origin", &["git push origin"])]
    #[case::blanks("git   push", &["git push"])]
    #[case::hole(r#"git "$x" push"#, &["git $x push"])]
    #[case::directory("./ x", &[])]
    fn a_unit_is_spelled_without_quotes_and_by_its_base_name(#[case] command: &str, #[case] others: &[&str]) {
        let program = BashProgram::parse(command, &Limits::default());
        let spellings = Spellings::of(&program.commands()[0], command);
        assert_eq!(
            spellings,
            Spellings { typed: command.to_owned(), others: others.iter().map(|&o| o.to_owned()).collect() }
        );
    }
}
