/* The state that a served shell and its children share; private to the interposer. */
#ifndef ORACLE_SHARED_H
#define ORACLE_SHARED_H

#include <stdatomic.h>
#include <stdint.h>

enum { ORACLE_LOG_BYTES = 8 << 20, ORACLE_REPEATS = 64 };

/* Why a reading ended before its text did. The values are part of the protocol. */
enum oracle_flag {
  ORACLE_FLAG_TIME = 1,     /* the deadline passed */
  ORACLE_FLAG_LOG = 2,      /* more was recorded than the memory holds */
  ORACLE_FLAG_PROCESSES = 4, /* more processes were started than allowed */
  ORACLE_FLAG_REPEATED = 8, /* one and the same execve came too often: a loop */
  ORACLE_FLAG_SIGNAL = 16,  /* the shell died of a signal */
};

/* In place of an exit code, to the walker: cut the text, expand nothing. */
enum { ORACLE_CUTS_ONLY = 0xffff };

/* What precedes each text that is sent. */
struct oracle_request {
  uint32_t length;        /* bytes of text */
  uint32_t exit_code;     /* what every program exits with */
  uint32_t milliseconds;  /* until the deadline */
  uint32_t max_processes; /* how many may be started */
};

/* What precedes the records of each answer. */
struct oracle_answer {
  uint32_t length; /* bytes of records */
  uint32_t flags;  /* of enum oracle_flag */
  uint32_t status; /* as of waitpid, of the shell itself */
};

struct oracle_shared {
  _Atomic uint32_t used, flags, processes, ids;
  _Atomic uint16_t repeats[ORACLE_REPEATS];
  char log[ORACLE_LOG_BYTES];
};

extern struct oracle_shared *oracle_shared;
extern struct oracle_request oracle_request;
extern int oracle_main_pid;

/* Serves texts until the request pipe closes; returns in a child for each, with the text in place of the shell's `-c` argument. */
extern void oracle_serve (void);

/* Notes why the reading ends and ends this process. */
extern void oracle_stop (enum oracle_flag flag) __attribute__ ((noreturn));

#endif
