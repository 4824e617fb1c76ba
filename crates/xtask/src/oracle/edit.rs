//! The edits that turn the source of bash into the walker: what is replaced, in which file, by what.

use std::collections::BTreeSet;

use super::Error;

/// One replacement; the original must occur exactly once, or the source is not the one the edits were written for.
struct Edit {
    /// The file, relative to the source directory.
    file: &'static str,
    /// The text that stands there.
    original: &'static str,
    /// The text that takes its place.
    replacement: &'static str,
}

/// The files of our own that the edited source includes, with their names there.
pub(super) const INCLUDED: [(&str, &str); 3] = [
    ("record.h", include_str!("c/record.h")),
    ("walker.c", include_str!("c/walker.c")),
    ("operand.c", include_str!("c/operand.c")),
];

/// The edits, file by file.
const EDITS: &[Edit] = &[
    // The walker takes the place of the executor.
    Edit {
        file: "execute_cmd.c",
        original: "int\nexecute_command_internal (command,",
        replacement: "static int bash_execute_command_internal PARAMS((COMMAND *, int, int, int, struct fd_bitmap *));\n\
                      static int\nbash_execute_command_internal (command,",
    },
    // Redirections are expanded by the functions that bash would open them with.
    Edit {
        file: "redir.c",
        original: "static char *heredoc_expand PARAMS",
        replacement: "char *heredoc_expand PARAMS",
    },
    Edit { file: "redir.c", original: "static char *\nheredoc_expand (", replacement: "char *\nheredoc_expand (" },
    Edit { file: "redir.c", original: "static int redir_varassign PARAMS", replacement: "int redir_varassign PARAMS" },
    Edit { file: "redir.c", original: "static int\nredir_varassign (", replacement: "int\nredir_varassign (" },
    // Operands of parameter expansions are expanded whatever the value is.
    Edit {
        file: "subst.c",
        original: "static char *skiparith PARAMS((char *, int));",
        replacement: "static char *skiparith PARAMS((char *, int));\n\
                      #include \"record.h\"\n\
                      extern int oracle_protect PARAMS((void (*) (void *), void *));\n\
                      static void oracle_operand PARAMS((int, char *, int, int, char *, int, int, int));",
    },
    Edit {
        file: "subst.c",
        original: "  *indexp = sindex;\n\n  /* All the cases where an expansion can possibly generate an unbound",
        replacement: "  *indexp = sindex;\n\n\
                      \x20 oracle_operand (c, temp, var_is_set, var_is_null, value, want_casemod ? modspec : 0, quoted, pflags);\n\n\
                      \x20 /* All the cases where an expansion can possibly generate an unbound",
    },
    Edit {
        file: "subst.c",
        original: "  if (temp == &expand_param_error || temp == &expand_param_fatal)\n    {\n      FREE (name);\n      FREE (value);",
        replacement: "  if (oracle_serving && want_indir && temp == &expand_param_error)\n    temp = 0;\n\
                      \x20 if (temp == &expand_param_error || temp == &expand_param_fatal)\n    {\n      FREE (name);\n\
                      \x20     FREE (value);",
    },
    Edit {
        file: "subst.c",
        original: "\t  else if (c == '?')\n",
        replacement: "\t  else if (c == '?' && oracle_serving == 0)\n",
    },
    // An error in an expansion ends that expansion alone: it may hang on a value.
    Edit {
        file: "sig.c",
        original: "top_level_cleanup ()\n{\n",
        replacement: "top_level_cleanup ()\n{\n  extern int oracle_serving;\n\n  if (oracle_serving)\n    return;\n",
    },
    // Where bash cuts its input, and where it gives up.
    Edit {
        file: "builtins/evalstring.c",
        original: "int\nparse_and_execute (string, from_file, flags)",
        replacement: concat!(include_str!("c/cuts.c"), "\nint\nparse_and_execute (string, from_file, flags)"),
    },
    Edit {
        file: "builtins/evalstring.c",
        original: "\t  should_jump_to_top_level = 0;\n\t  switch (code)\n\t    {\n\t    case ERREXIT:\n\t      /* variable_context",
        replacement: "\t  should_jump_to_top_level = 0;\n\t  oracle_error (string);\n\t  switch (code)\n\t    {\n\
                      \t    case ERREXIT:\n\t      /* variable_context",
    },
    Edit {
        file: "builtins/evalstring.c",
        original: "      if (parse_command () == 0)\n\t{\n\t  int local_expalias, local_alflag;\n",
        replacement: "      if (parse_command () == 0)\n\t{\n\t  int local_expalias, local_alflag;\n\n\
                      \t  oracle_cut (string);\n",
    },
    Edit {
        file: "builtins/evalstring.c",
        original: "\t  last_result = EX_BADUSAGE;\t/* was EXECUTION_FAILURE */\n",
        replacement: "\t  last_result = EX_BADUSAGE;\t/* was EXECUTION_FAILURE */\n\t  oracle_error (string);\n",
    },
    Edit {
        file: "builtins/evalstring.c",
        original: " out:\n\n  run_unwind_frame (PE_TAG);\n\n  if (interrupt_state && parse_and_execute_level == 0)",
        replacement: " out:\n\n  oracle_finish ();\n  run_unwind_frame (PE_TAG);\n\n\
                      \x20 if (interrupt_state && parse_and_execute_level == 0)",
    },
    Edit {
        file: "make_cmd.c",
        original: "    internal_warning (_(\"here-document at line %d delimited by end-of-file",
        replacement: "    oracle_open_heredoc (),\n\
                      \x20   internal_warning (_(\"here-document at line %d delimited by end-of-file",
    },
    Edit {
        file: "make_cmd.c",
        original: "void\nmake_here_document (temp, lineno)",
        replacement: "extern void oracle_open_heredoc PARAMS((void));\n\nvoid\nmake_here_document (temp, lineno)",
    },
];

/// What is added at the end of a file.
const APPENDED: [(&str, &str); 2] =
    [("execute_cmd.c", "\n#include \"walker.c\"\n"), ("subst.c", "\n#include \"operand.c\"\n")];

/// The files that [`apply`] changes.
pub(super) fn files() -> BTreeSet<&'static str> {
    EDITS.iter().map(|edit| edit.file).collect()
}

/// The text of `source` after every edit of `file`.
///
/// # Errors
/// An original that does not occur exactly once.
pub(super) fn apply(file: &str, source: &str) -> Result<String, Error> {
    let edited = EDITS.iter().filter(|edit| edit.file == file).try_fold(source.to_owned(), |text, edit| match text
        .matches(edit.original)
        .count()
    {
        1 => Ok(text.replacen(edit.original, edit.replacement, 1)),
        found => Err(Error::Edit { file: file.to_owned(), original: edit.original.to_owned(), found }),
    })?;
    let appended = APPENDED.iter().filter(|(name, _)| *name == file).map(|(_, text)| *text);
    Ok(std::iter::once(edited.as_str()).chain(appended).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source file with exactly what the edits of `file` look for.
    fn fitting(file: &str) -> String {
        EDITS.iter().filter(|edit| edit.file == file).map(|edit| edit.original).collect::<Vec<_>>().join("\n;\n")
    }

    #[test]
    fn every_edit_takes_the_place_of_its_original() {
        for file in files() {
            let edited = apply(file, &fitting(file)).unwrap();
            for edit in EDITS.iter().filter(|edit| edit.file == file) {
                assert!(edited.contains(edit.replacement), "{file}: {}", edit.replacement);
            }
        }
    }

    #[test]
    fn a_source_that_does_not_fit_is_refused() {
        let twice = fitting("sig.c").repeat(2);
        for (source, times) in [("", 0), (twice.as_str(), 2)] {
            let error = apply("sig.c", source).unwrap_err();
            assert!(matches!(error, Error::Edit { found, .. } if found == times), "{error}");
        }
    }
}
