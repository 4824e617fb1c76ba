/* Expands the operand of `${NAME op operand}` where bash skips it for want of a value, or because there is one; included at
 * the end of bash's subst.c. With another value the operand would be expanded, so its substitutions belong to all paths. */
struct oracle_operand
{
  char *name, *value, *operand;
  int op, is_set, is_null, modifier, quoted, pflags;
};

/* Both expressions of `${NAME:offset:length}`; even with a value, bash leaves the second out where the first lies outside. */
static void
oracle_expand_substring (struct oracle_operand *it)
{
  char *text = savestring (it->operand), *next = skiparith (text, ':');
  int valid;

  if (*next == ':')
    *next++ = '\0';
  else
    next = NULL;
  if (it->value == 0)
    {
      char *offset = expand_arith_string (text, Q_DOUBLE_QUOTES | Q_ARITH);
      if (offset)
        evalexp (offset, 0, &valid);
      FREE (offset);
    }
  if (next)
    {
      char *count = expand_arith_string (next, Q_DOUBLE_QUOTES | Q_ARITH);
      if (count)
        evalexp (count, 0, &valid);
      FREE (count);
    }
  free (text);
}

static void
oracle_expand_operand (void *argument)
{
  struct oracle_operand *it = argument;
  array_eltstate_t state;
  char *operand, *result = NULL;
  int at_sign = 0;

  init_eltstate (&state);
  if (it->op == ':')
    {
      oracle_expand_substring (it);
      return;
    }
  operand = savestring (it->operand);
  switch (it->op)
    {
    case '/':
      if (it->value == 0)
        result = parameter_brace_patsub ("_oracle", "x", &state, operand, it->quoted, it->pflags, 0);
      break;
    case '^':
    case ',':
    case '~':
      if (it->value == 0)
        result = parameter_brace_casemod ("_oracle", "x", &state, it->modifier, operand, it->quoted, it->pflags, 0);
      break;
    case '#':
    case '%':
      if (*operand && (it->value == 0 || *it->value == 0))
        result = parameter_brace_remove_pattern ("_oracle", "x", &state, operand, it->op, it->quoted, 0);
      break;
    case '+':
      if (it->is_set == 0 || it->is_null)
        dispose_word_desc (parameter_brace_expand_rhs ("_oracle", operand, '+', it->quoted, it->pflags, &at_sign, &at_sign));
      break;
    case '-':
    case '=':
    case '?':
      if (it->is_set && it->is_null == 0)
        dispose_word_desc (parameter_brace_expand_rhs ("_oracle", operand, '-', it->quoted, it->pflags, &at_sign, &at_sign));
      break;
    }
  FREE (result);
  free (operand);
}

static void
oracle_operand (op, value, is_set, is_null, operand, modifier, quoted, pflags)
     int op, is_set, is_null, modifier, quoted, pflags;
     char *value, *operand;
{
  struct oracle_operand it = { NULL, value, operand, op, is_set, is_null, modifier, quoted, pflags };

  if (oracle_serving && operand)
    oracle_protect (oracle_expand_operand, &it);
}
