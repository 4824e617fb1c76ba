/* Stands between a shell and the C library: names resolve, files open, and nothing happens.
 *
 * - execve is recorded, and the process ends with the exit code that was asked for;
 * - every path that does not exist looks like an executable file, so that every name resolves;
 * - opening gives an empty file that swallows what is written, but /dev/fd/N and /dev/stdin are what they are;
 * - a signal for process 1, which is `$$` to the text, goes to the shell that reads the text. */
#define _GNU_SOURCE
#include "record.h"
#include "shared.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { SAME_EXECVES = 60 };

/* Opening this path is what turns the shell into a server. The text never sees it: it is gone from the environment. */
static const char serve_path[] = "/oracle/serve";

#define REAL(name) ((__typeof__ (&name)) real (#name))

static void *
real (const char *name)
{
  void *found = dlsym (RTLD_NEXT, name);

  if (found == NULL)
    _exit (125);
  return found;
}

/* Programs. */

static uint32_t
hash (char *const *words)
{
  uint32_t value = 2166136261u;

  for (; *words != NULL; words++)
    for (const char *at = *words;; at++)
      {
        value = (value ^ (unsigned char) *at) * 16777619u;
        if (*at == '\0')
          break;
      }
  return value;
}

int
execve (const char *path, char *const *argv, char *const *envp)
{
  size_t count = 0;

  (void) envp;
  if (!oracle_serving)
    {
      errno = EPERM;
      return -1;
    }
  while (argv[count] != NULL)
    count++;
  const char **fields = malloc ((count + 2) * sizeof *fields);
  if (fields == NULL)
    oracle_stop (ORACLE_FLAG_LOG);
  fields[0] = path;
  memcpy (fields + 1, argv, (count + 1) * sizeof *fields);
  oracle_record (ORACLE_EXEC, fields);
  if (atomic_fetch_add (&oracle_shared->repeats[hash (argv) % ORACLE_REPEATS], 1) >= SAME_EXECVES)
    oracle_stop (ORACLE_FLAG_REPEATED);
  _exit ((int) oracle_request.exit_code);
}

/* INVARIANT: once a reading ended early, none of its processes starts another. */
pid_t
fork (void)
{
  if (oracle_serving)
    {
      if (atomic_load (&oracle_shared->flags) != 0)
        _exit (126);
      if (atomic_fetch_add (&oracle_shared->processes, 1) >= oracle_request.max_processes)
        oracle_stop (ORACLE_FLAG_PROCESSES);
    }
  return REAL (fork) ();
}

int
kill (pid_t pid, int signal)
{
  if (oracle_serving && (pid == 1 || pid == 0))
    pid = oracle_main_pid;
  return REAL (kill) (pid, signal);
}

int
killpg (pid_t group, int signal)
{
  return kill (group <= 1 ? group : -group, signal);
}

unsigned
sleep (unsigned seconds)
{
  return oracle_serving ? 0 : REAL (sleep) (seconds);
}

/* Files. */

static char temporary_path[64];
static int temporary_fd = -1;

static int
standard_descriptor (const char *path)
{
  static const char *const prefixes[] = { "/dev/fd/", "/proc/self/fd/" };

  if (strcmp (path, "/dev/stdin") == 0)
    return 0;
  if (strcmp (path, "/dev/stdout") == 0)
    return 1;
  if (strcmp (path, "/dev/stderr") == 0)
    return 2;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    {
      size_t length = strlen (prefixes[i]);
      char *end;
      if (strncmp (path, prefixes[i], length) != 0)
        continue;
      long fd = strtol (path + length, &end, 10);
      if (end != path + length && *end == '\0' && fd >= 0 && fd < 4096)
        return (int) fd;
    }
  return -1;
}

static int
open_harmlessly (const char *path)
{
  int fd = standard_descriptor (path);

  if (fd >= 0)
    return dup (fd);
  /* A here-document too long for a pipe: bash writes it, then opens it again by name. */
  if (temporary_fd >= 0 && strcmp (path, temporary_path) == 0)
    {
      fd = dup (temporary_fd);
      lseek (fd, 0, SEEK_SET);
      return fd;
    }
  return REAL (open) ("/dev/null", O_RDWR);
}

int
open (const char *path, int flags, ...)
{
  mode_t mode = 0;
  va_list rest;

  va_start (rest, flags);
  if (flags & (O_CREAT | O_TMPFILE))
    mode = va_arg (rest, mode_t);
  va_end (rest);
  if (oracle_serving)
    return open_harmlessly (path);
  if (strcmp (path, serve_path) == 0)
    oracle_serve ();
  return REAL (open) (path, flags, mode);
}

int
open64 (const char *path, int flags, ...)
{
  return open (path, flags, 0);
}

FILE *
fopen (const char *path, const char *mode)
{
  return REAL (fopen) (oracle_serving ? "/dev/null" : path, mode);
}

int
mkstemp (char *template)
{
  if (!oracle_serving)
    return REAL (mkstemp) (template);
  if (strlen (template) >= sizeof temporary_path)
    {
      errno = ENAMETOOLONG;
      return -1;
    }
  strcpy (temporary_path, template);
  return temporary_fd = memfd_create ("here-document", MFD_CLOEXEC);
}

int
chdir (const char *path)
{
  if (oracle_serving && oracle_request.exit_code == 0)
    return 0;
  return REAL (chdir) (path);
}

/* Whether a call that failed is to succeed: for a path that does not exist, and is not a directory's. */
static int
is_imagined (const char *path)
{
  size_t length = strlen (path);

  return oracle_serving && length > 0 && path[length - 1] != '/' && (errno == ENOENT || errno == ENOTDIR);
}

static int
pretend (int result, const char *path, struct stat *status)
{
  if (result == 0 || !is_imagined (path))
    return result;
  memset (status, 0, sizeof *status);
  status->st_mode = S_IFREG | 0755;
  status->st_nlink = 1;
  errno = 0;
  return 0;
}

int
stat (const char *path, struct stat *status)
{
  return pretend (REAL (stat) (path, status), path, status);
}

int
lstat (const char *path, struct stat *status)
{
  return REAL (lstat) (path, status);
}

static int
permit (int result, const char *path)
{
  return result != 0 && is_imagined (path) ? 0 : result;
}

int
access (const char *path, int mode)
{
  return permit (REAL (access) (path, mode), path);
}

int
eaccess (const char *path, int mode)
{
  return permit (REAL (eaccess) (path, mode), path);
}

int
faccessat (int directory, const char *path, int mode, int flags)
{
  return permit (REAL (faccessat) (directory, path, mode, flags), path);
}

/* The network. */

int
socket (int domain, int type, int protocol)
{
  (void) domain, (void) type, (void) protocol;
  errno = EACCES;
  return -1;
}

int
getaddrinfo (const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
  (void) node, (void) service, (void) hints, (void) result;
  return EAI_FAIL;
}
