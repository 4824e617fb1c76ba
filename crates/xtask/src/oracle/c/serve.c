/* Turns a shell that has started up into a server that forks one child for each text.
 *
 * The shell runs as process 1 of its own process namespace, so that it inherits every orphan and that kill (-1) reaches
 * all that a text has started, and nothing else. */
#define _GNU_SOURCE
#include "record.h"
#include "shared.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST_FD = 100, ANSWER_FD = 101 };

struct oracle_shared *oracle_shared;
struct oracle_request oracle_request;
int oracle_main_pid;
int oracle_serving;

static char *text;
static size_t text_size;

/* glibc hands constructors the arguments of main. */
__attribute__ ((constructor)) static void
remember_text (int argc, char **argv)
{
  if (argc > 2)
    {
      text = argv[2];
      text_size = strlen (text);
    }
}

static void
refuse (const char *why)
{
  dprintf (2, "no sandbox: %s\n", why);
  _exit (125);
}

/* INVARIANT: nothing is served where one of the walls is missing. */
static void
demand_sandbox (void)
{
  struct stat outside;

  if (getpid () != 1)
    refuse ("not process 1 of a namespace of its own");
  if (geteuid () == 0 || getuid () == 0)
    refuse ("still root");
  if (stat ("/etc", &outside) == 0 || stat ("/proc/self", &outside) == 0 || stat ("/usr", &outside) == 0)
    refuse ("the file system of the machine is visible");
  if (open ("/oracle/writable", O_CREAT | O_WRONLY, 0600) >= 0)
    refuse ("the root is writable");
  if (prctl (PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
    refuse ("privileges can be gained");
}

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#error "no system call filter for this machine"
#endif

#define DENY(number) BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

/* The kernel itself refuses what the interposer would miss: from here on no program starts and no socket opens. */
static void
forbid_system_calls (void)
{
  struct sock_filter rules[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, arch)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    DENY (__NR_execve),
    DENY (__NR_execveat),
    DENY (__NR_socket),
    DENY (__NR_socketpair),
    DENY (__NR_ptrace),
    DENY (__NR_process_vm_writev),
    DENY (__NR_unshare),
    DENY (__NR_setns),
    DENY (__NR_mount),
    DENY (__NR_umount2),
    DENY (__NR_pivot_root),
    DENY (__NR_chroot),
    DENY (__NR_bpf),
    DENY (__NR_perf_event_open),
    DENY (__NR_userfaultfd),
    DENY (__NR_io_uring_setup),
    DENY (__NR_keyctl),
    DENY (__NR_add_key),
    DENY (__NR_open_by_handle_at),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { sizeof rules / sizeof *rules, rules };

  if (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0)
    refuse ("no system call filter");
}

static void
read_exactly (void *buffer, size_t size)
{
  for (char *at = buffer; size > 0;)
    {
      ssize_t got = read (REQUEST_FD, at, size);
      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        _exit (got < 0);
      at += got;
      size -= (size_t) got;
    }
}

static void
write_exactly (const void *buffer, size_t size)
{
  for (const char *at = buffer; size > 0;)
    {
      ssize_t put = write (ANSWER_FD, at, size);
      if (put < 0 && errno == EINTR)
        continue;
      if (put < 0)
        _exit (1);
      at += put;
      size -= (size_t) put;
    }
}

static int64_t
now_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits for the shell and for everything it left behind; returns the status of the shell. */
static int
wait_for_all (pid_t shell)
{
  int64_t deadline = now_ms () + oracle_request.milliseconds;
  int shell_status = 0, late = 0;
  sigset_t child_signal;

  sigemptyset (&child_signal);
  sigaddset (&child_signal, SIGCHLD);
  for (;;)
    {
      int status;
      pid_t ended = waitpid (-1, &status, WNOHANG);
      int64_t left = late ? 20 : deadline - now_ms ();

      if (ended == shell)
        shell_status = status;
      if (ended > 0)
        continue;
      if (ended < 0)
        return shell_status;
      if (left <= 0)
        {
          atomic_fetch_or (&oracle_shared->flags, ORACLE_FLAG_TIME);
          late = 1;
          left = 20;
        }
      if (late)
        kill (-1, SIGKILL);
      struct timespec patience = { left / 1000, left % 1000 * 1000000 };
      sigtimedwait (&child_signal, NULL, &patience);
    }
}

static void
begin_child (const sigset_t *signals)
{
  struct itimerval work = { { 0, 0 }, { oracle_request.milliseconds / 1000, oracle_request.milliseconds % 1000 * 1000 } };

  close (REQUEST_FD);
  close (ANSWER_FD);
  setsid ();
  setitimer (ITIMER_PROF, &work, NULL);
  sigprocmask (SIG_SETMASK, signals, NULL);
  oracle_main_pid = getpid ();
  oracle_serving = 1;
}

void
oracle_serve (void)
{
  sigset_t child_signal, signals;
  int null = open ("/dev/null", O_RDWR);

  demand_sandbox ();
  if (text == NULL || null < 0)
    refuse ("no text buffer or no /dev/null");
  oracle_shared = mmap (NULL, sizeof *oracle_shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (oracle_shared == MAP_FAILED)
    refuse ("no shared memory");
  forbid_system_calls ();
  for (int fd = 0; fd < 3; fd++)
    dup2 (null, fd);
  if (null > 2)
    close (null);
  sigemptyset (&child_signal);
  sigaddset (&child_signal, SIGCHLD);
  sigprocmask (SIG_BLOCK, &child_signal, &signals);
  write_exactly ("ready\n", 6);

  for (;;)
    {
      read_exactly (&oracle_request, sizeof oracle_request);
      if (oracle_request.length >= text_size)
        _exit (1);
      read_exactly (text, oracle_request.length);
      text[oracle_request.length] = '\0';
      memset (oracle_shared, 0, offsetof (struct oracle_shared, log));

      pid_t shell = fork ();
      if (shell == 0)
        {
          begin_child (&signals);
          return;
        }
      int status = shell < 0 ? SIGKILL : wait_for_all (shell);
      if (WIFSIGNALED (status))
        atomic_fetch_or (&oracle_shared->flags, ORACLE_FLAG_SIGNAL);
      uint32_t used = atomic_load (&oracle_shared->used);
      struct oracle_answer answer = {
        used < ORACLE_LOG_BYTES ? used : ORACLE_LOG_BYTES,
        atomic_load (&oracle_shared->flags),
        (uint32_t) status,
      };
      write_exactly (&answer, sizeof answer);
      write_exactly (oracle_shared->log, answer.length);
      memset (oracle_shared->log, 0, answer.length);
    }
}
