/* Notes where bash cuts a text into complete commands; placed before parse_and_execute in bash's evalstring.c, which reads
 * its input line by line, so that what has been taken from the string ends with the last complete command. */
#include "record.h"

static void
oracle_offset (enum oracle_record_kind kind, char *string)
{
  char offset[24];
  const char *fields[] = { offset, NULL };

  snprintf (offset, sizeof offset, "%ld", (long) (bash_input.location.string - string));
  oracle_record (kind, fields);
}

static void
oracle_cut (char *string)
{
  if (oracle_is_main () && parse_and_execute_level == 1)
    oracle_offset (ORACLE_CUT, string);
}

static void
oracle_error (char *string)
{
  oracle_offset (oracle_is_main () && parse_and_execute_level == 1 ? ORACLE_SYNTAX_ERROR : ORACLE_NESTED_ERROR, string);
}

static void
oracle_finish (void)
{
  const char *fields[] = { NULL };

  if (oracle_is_main () && parse_and_execute_level == 1)
    oracle_record (ORACLE_FINISHED, fields);
}

void
oracle_open_heredoc (void)
{
  const char *fields[] = { NULL };

  oracle_record (ORACLE_OPEN_HEREDOC, fields);
}
