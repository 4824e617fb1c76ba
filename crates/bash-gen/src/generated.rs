//! What a text was meant to be.

/// The program and its arguments after quote removal and brace expansion; nothing for a word that only execution can tell.
pub type Argv = Vec<Option<String>>;

/// A text, and what it holds on any path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// Valid Bash.
    pub text: String,
    /// The simple commands that have a program, in source order of their first words.
    pub commands: Vec<Argv>,
    /// The assignments before programs, on their own, and of `for` and `select`, in source order.
    pub assignments: Vec<Assigned>,
    /// The redirections, in source order.
    pub redirects: Vec<Redirected>,
    /// Whether the text holds places where a value decides what runs: a computed program, arithmetic over a name.
    pub computed: bool,
}

/// An assignment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assigned {
    /// The name of the variable.
    pub name: String,
    /// The value, where it is one literal word.
    pub value: Option<String>,
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Redirected {
    /// The operator, `&>` also where it was written `>&`.
    pub operator: &'static str,
    /// The target, or the delimiter of a here-document, where it is literal.
    pub target: Option<String>,
}

/// A command whose first word has been written.
#[derive(Clone, Copy)]
pub(crate) struct Begun(usize);

impl Generated {
    /// Notes that the first word of a command starts here.
    pub(crate) fn begin(&mut self) -> Begun {
        self.commands.push(Argv::new());
        Begun(self.commands.len() - 1)
    }

    pub(crate) fn finish(&mut self, begun: Begun, argv: Argv) {
        if let Some(slot) = self.commands.get_mut(begun.0) {
            *slot = argv;
        }
    }

    pub(crate) fn assign(&mut self, name: &str, value: Option<String>) {
        self.assignments.push(Assigned { name: name.to_owned(), value });
    }

    pub(crate) fn redirect(&mut self, operator: &'static str, target: Option<String>) {
        self.redirects.push(Redirected { operator, target });
    }
}
