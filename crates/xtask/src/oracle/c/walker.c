/* Walks what bash has parsed instead of executing it; included at the end of bash's execute_cmd.c.
 *
 * Every branch, loop body, arm and function body is visited once. Words are expanded by bash itself, so that substitutions
 * in every position are real. No builtin runs, no redirection opens, no pipe or subshell is made. */
#include "record.h"

extern char *heredoc_expand PARAMS ((WORD_DESC *, enum r_instruction, size_t *));
extern char *redirection_expand PARAMS ((WORD_DESC *));
extern int redir_varassign PARAMS ((REDIRECT *, int));

typedef void oracle_step (void *);

/* Runs STEP; an error of bash that would end the whole text ends STEP alone. Whether it went through. */
int
oracle_protect (oracle_step *step, void *argument)
{
  procenv_t outer;
  volatile int failed;

  if (oracle_cuts_only ())
    return 1;
  COPY_PROCENV (top_level, outer);
  begin_unwind_frame ("oracle");
  failed = setjmp_nosigs (top_level);
  if (failed == 0)
    {
      step (argument);
      discard_unwind_frame ("oracle");
    }
  else
    {
      run_unwind_frame ("oracle");
      expanding_redir = 0;
      assigning_in_environment = 0;
    }
  COPY_PROCENV (outer, top_level);
  return failed == 0;
}

/* Words. */

struct oracle_expansion
{
  WORD_LIST *words;
  WORD_LIST *result;
};

static void
oracle_expand_words (void *argument)
{
  struct oracle_expansion *it = argument;

  it->result = expand_words (it->words);
}

static void
oracle_expand_unglobbed (void *argument)
{
  dispose_words (expand_words_no_vars (argument));
}

static void
oracle_expand_pattern (void *argument)
{
  dispose_words (expand_word_leave_quoted (argument, 0));
}

/* Expands each word alone, for what an error in one of them would hide in the rest. */
static void
oracle_expand_each (WORD_LIST *words)
{
  for (; words; words = words->next)
    {
      WORD_LIST one = { NULL, words->word };
      oracle_protect (oracle_expand_unglobbed, &one);
    }
}

static void
oracle_walk_words (WORD_LIST *words)
{
  if (words && oracle_protect (oracle_expand_unglobbed, words) == 0)
    oracle_expand_each (words);
}

static void
oracle_record_words (enum oracle_record_kind kind, const char *id, const char *count, WORD_LIST *words)
{
  int size = list_length ((GENERIC_LIST *) words) + 3, at = 0;
  const char **fields = xmalloc (size * sizeof *fields);

  fields[at++] = id;
  if (count)
    fields[at++] = count;
  for (; words; words = words->next)
    fields[at++] = words->word->word;
  fields[at] = NULL;
  oracle_record (kind, fields);
  free (fields);
}

/* Redirections. */

/* `>&word` with no number: bash makes a new redirection of what the word expands to, and expands that once more. */
static void
oracle_expand_both (REDIRECT *redirect)
{
  char *name = redirection_expand (redirect->redirectee.filename);
  int is_descriptor = name == NULL || all_digits (name) || STREQ (name, "-");

  if (is_descriptor == 0 && (redirect->rflags & REDIR_VARASSIGN) == 0 && redirect->redirector.dest == 1)
    {
      WORD_DESC *again = make_bare_word (name);
      free (redirection_expand (again));
      dispose_word (again);
    }
  FREE (name);
}

static void
oracle_expand_redirect (void *argument)
{
  REDIRECT *redirect = argument;

  if (redirect->rflags & REDIR_VARASSIGN)
    redir_varassign (redirect, 10);
  switch (redirect->instruction)
    {
    case r_reading_until:
    case r_deblank_reading_until:
    case r_reading_string:
      heredoc_expand (redirect->redirectee.filename, redirect->instruction, (size_t *) 0);
      break;
    case r_duplicating_input:
    case r_duplicating_output:
    case r_move_input:
    case r_move_output:
    case r_close_this:
      break;
    case r_duplicating_output_word:
      oracle_expand_both (redirect);
      break;
    default:
      redirection_expand (redirect->redirectee.filename);
      break;
    }
}

/* The operator of a redirection that names a file, a text or a computed descriptor; NULL for one to a known descriptor. */
static const char *
oracle_operator (REDIRECT *redirect)
{
  switch (redirect->instruction)
    {
    case r_output_direction:
      return ">";
    case r_input_direction:
      return "<";
    case r_appending_to:
      return ">>";
    case r_output_force:
      return ">|";
    case r_input_output:
      return "<>";
    case r_err_and_out:
      return "&>";
    case r_append_err_and_out:
      return "&>>";
    case r_duplicating_input_word:
    case r_move_input_word:
      return "<&";
    case r_duplicating_output_word:
    case r_move_output_word:
      return ">&";
    case r_reading_until:
      return "<<";
    case r_deblank_reading_until:
      return "<<-";
    case r_reading_string:
      return "<<<";
    default:
      return NULL;
    }
}

static void
oracle_record_redirect (REDIRECT *redirect)
{
  const char *operator = oracle_operator (redirect), *word;
  int is_document = redirect->instruction == r_reading_until || redirect->instruction == r_deblank_reading_until;

  if (operator == NULL)
    return;
  word = redirect->redirectee.filename->word ? redirect->redirectee.filename->word : "";
  const char *target[] = { operator, word, NULL };
  const char *document[] = { operator, redirect->here_doc_eof ? redirect->here_doc_eof : "", word, NULL };
  oracle_record (ORACLE_REDIRECT, is_document ? document : target);
}

static void
oracle_walk_redirects (REDIRECT *redirect)
{
  for (; redirect; redirect = redirect->next)
    {
      oracle_record_redirect (redirect);
      oracle_protect (oracle_expand_redirect, redirect);
    }
}

/* Simple commands. */

/* The one builtin whose effect on reading the rest cannot be left out. */
static void
oracle_set_options (WORD_LIST *words)
{
  int on;

  if (words == 0 || words->next == 0 || STREQ (words->word->word, "shopt") == 0)
    return;
  on = STREQ (words->next->word->word, "-s");
  if (on == 0 && STREQ (words->next->word->word, "-u") == 0)
    return;
  for (words = words->next->next; words; words = words->next)
    if (STREQ (words->word->word, "extglob"))
      extended_glob = extglob_flag = on;
}

static void
oracle_walk_simple (SIMPLE_COM *simple)
{
  WORD_LIST *word;
  struct oracle_expansion expansion = { simple->words, NULL };
  char id[16], count[16];
  int assignments = 0, runs;

  for (word = simple->words; word && (word->word->flags & W_ASSIGNMENT); word = word->next)
    {
      const char *fields[] = { word->word->word, NULL };
      oracle_record (ORACLE_ASSIGNMENT, fields);
      assignments++;
    }
  runs = word != 0;
  snprintf (id, sizeof id, "%u", oracle_id ());
  snprintf (count, sizeof count, "%d", assignments);
  if (runs)
    oracle_record_words (ORACLE_WORDS, id, count, simple->words);
  if (oracle_cuts_only ())
    {
      oracle_set_options (word);
      return;
    }

  fix_assignment_words (simple->words);
  fix_arrayref_words (simple->words);
  if (oracle_protect (oracle_expand_words, &expansion) == 0)
    oracle_expand_each (simple->words);
  else if (runs)
    {
      oracle_record_words (ORACLE_ARGV, id, NULL, expansion.result);
      oracle_set_options (expansion.result);
      dispose_words (expansion.result);
    }
  oracle_walk_redirects (simple->redirects);
  dispose_used_env_vars ();
}

/* Compound commands. */

static void oracle_walk (COMMAND *);

static void
oracle_bind_first (WORD_DESC *name, WORD_LIST *words)
{
  struct oracle_expansion expansion = { words, NULL };

  if (oracle_protect (oracle_expand_words, &expansion) == 0)
    {
      oracle_expand_each (words);
      return;
    }
  if (expansion.result && legal_identifier (name->word))
    bind_variable (name->word, expansion.result->word->word, 0);
  dispose_words (expansion.result);
}

static void
oracle_walk_case (CASE_COM *it)
{
  PATTERN_LIST *clause;
  WORD_LIST *pattern;

  oracle_protect (oracle_expand_pattern, it->word);
  for (clause = it->clauses; clause; clause = clause->next)
    {
      for (pattern = clause->patterns; pattern; pattern = pattern->next)
        oracle_protect (oracle_expand_pattern, pattern->word);
      oracle_walk (clause->action);
    }
}

static void
oracle_arith (void *argument)
{
  execute_arith_command (argument);
}

static void
oracle_arith_words (void *argument)
{
  int valid;

  eval_arith_for_expr (argument, &valid);
}

static void
oracle_walk_arith_for (ARITH_FOR_COM *it)
{
  WORD_LIST *parts[] = { it->init, it->test, it->step };
  int i;

  for (i = 0; i < 3; i++)
    if (parts[i])
      oracle_protect (oracle_arith_words, parts[i]);
  oracle_walk (it->action);
}

/* A term of `[[ … ]]` is evaluated where bash would evaluate more than its words: arithmetic, and `-v`. */
static void
oracle_cond_term (void *argument)
{
  COND_COM *it = argument;
  const char *op = it->op->word;
  int arith, subscript, mode;
  char *left, *right = NULL;

  if (it->type == COND_UNARY)
    {
      subscript = STREQ (op, "-v");
      left = cond_expand_word (it->left->op, subscript ? 3 : 0);
      if (subscript && left)
        unary_test (it->op->word, left, valid_array_reference (it->left->op->word, VA_NOEXPAND) ? TEST_ARRAYEXP : 0);
      FREE (left);
      return;
    }
  arith = op[0] == '-' && (member (op[1], "engl")) && STREQ (op, "-ef") == 0 && STREQ (op, "-nt") == 0;
  mode = arith ? 3 : STREQ (op, "=~") ? 2 : STREQ (op, "==") || STREQ (op, "!=") || STREQ (op, "=");
  left = cond_expand_word (it->left->op, arith ? 3 : 0);
  right = cond_expand_word (it->right->op, mode);
  if (arith && left && right)
    binary_test (it->op->word, left, right, TEST_PATMATCH | TEST_ARITHEXP | TEST_LOCALE);
  FREE (left);
  FREE (right);
}

static void
oracle_walk_cond (COND_COM *it)
{
  for (; it; it = it->right)
    {
      if (it->type == COND_UNARY || it->type == COND_BINARY)
        {
          oracle_protect (oracle_cond_term, it);
          return;
        }
      oracle_walk_cond (it->left);
      if (it->type == COND_EXPR)
        return;
    }
}

static void
oracle_coproc_name (void *argument)
{
  free (expand_string_unsplit_to_string (argument, 0));
}

static void
oracle_walk (COMMAND *it)
{
  if (it == 0)
    return;
  switch (it->type)
    {
    case cm_simple:
      oracle_walk_simple (it->value.Simple);
      break;
    case cm_connection:
      oracle_walk (it->value.Connection->first);
      oracle_walk (it->value.Connection->second);
      break;
    case cm_for:
      oracle_bind_first (it->value.For->name, it->value.For->map_list);
      oracle_walk (it->value.For->action);
      break;
    case cm_select:
      oracle_bind_first (it->value.Select->name, it->value.Select->map_list);
      oracle_walk (it->value.Select->action);
      break;
    case cm_arith_for:
      oracle_walk_arith_for (it->value.ArithFor);
      break;
    case cm_case:
      oracle_walk_case (it->value.Case);
      break;
    case cm_while:
    case cm_until:
      oracle_walk (it->value.While->test);
      oracle_walk (it->value.While->action);
      break;
    case cm_if:
      oracle_walk (it->value.If->test);
      oracle_walk (it->value.If->true_case);
      oracle_walk (it->value.If->false_case);
      break;
    case cm_group:
      oracle_walk (it->value.Group->command);
      break;
    case cm_subshell:
      oracle_walk (it->value.Subshell->command);
      break;
    case cm_coproc:
      oracle_protect (oracle_coproc_name, it->value.Coproc->name);
      oracle_walk (it->value.Coproc->command);
      break;
    case cm_function_def:
      oracle_walk (it->value.Function_def->command);
      break;
    case cm_arith:
      oracle_protect (oracle_arith, it->value.Arith);
      break;
    case cm_cond:
      oracle_walk_cond (it->value.Cond);
      break;
    }
  oracle_walk_redirects (it->redirects);
}

/* The way in: bash executes its own start, and the walker takes over with the text. */
int
execute_command_internal (command, asynchronous, pipe_in, pipe_out, fds_to_close)
     COMMAND *command;
     int asynchronous;
     int pipe_in, pipe_out;
     struct fd_bitmap *fds_to_close;
{
  if (oracle_serving == 0)
    return bash_execute_command_internal (command, asynchronous, pipe_in, pipe_out, fds_to_close);
  oracle_walk (command);
  return EXECUTION_SUCCESS;
}
