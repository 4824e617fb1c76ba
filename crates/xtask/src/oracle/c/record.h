/* What the programs under the oracle tell it: records in memory that a shell and all its children share.
 *
 * No file descriptor carries them, since the text under test may redirect, close or write to any descriptor. */
#ifndef ORACLE_RECORD_H
#define ORACLE_RECORD_H

#include <stddef.h>

enum oracle_record_kind {
  ORACLE_WORDS = 'C',        /* a simple command as written: id, count of leading assignments, words */
  ORACLE_ARGV = 'A',         /* the same command expanded: id, words */
  ORACLE_ASSIGNMENT = 'V',   /* an assignment, alone or before a command: the word as written */
  ORACLE_REDIRECT = 'R',     /* a redirection: operator, target or delimiter as written, and the body of a here-document */
  ORACLE_EXEC = 'X',         /* an execve that did not happen: path, arguments */
  ORACLE_CUT = 'P',          /* the end of a complete command: byte offset */
  ORACLE_SYNTAX_ERROR = 'S', /* the text itself does not parse on: byte offset where the reading stopped */
  ORACLE_NESTED_ERROR = 'e', /* the text of a substitution does not parse */
  ORACLE_OPEN_HEREDOC = 'H', /* a here-document ends with the text */
  ORACLE_FINISHED = 'Z',     /* the whole text was walked */
};

/* Whether a text is being read: false while the shell starts up. */
extern int oracle_serving;

/* Appends a record; a field that is NULL ends the list. Ends the process where the memory is full. */
extern void oracle_record (enum oracle_record_kind kind, const char *const *fields);

/* A number that no other record of this reading has. */
extern unsigned oracle_id (void);

/* Whether only the cuts are asked for, so that nothing needs to be expanded. */
extern int oracle_cuts_only (void);

/* Whether this process is the shell that reads the text itself, and not one of its children. */
extern int oracle_is_main (void);

#endif
