/* Starts a shell in a cell: `cell ROOT PROGRAM`.
 *
 * The cell has its own mount, process, network, IPC and host name namespaces, a read-only root that holds nothing but the
 * shell and its libraries, limits on everything, and no privileges. Where one of the walls cannot be put up, it says so and
 * exits with 125; nothing runs. Requests come on standard input and answers leave on standard output. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  REQUEST_FD = 100,
  ANSWER_FD = 101,
  NOBODY = 65534,
  /* One argument of execve holds 128 KiB, its end included: as long as a `bash -c` text can be. */
  TEXT_BYTES = (128 << 10) - 1,
};

static void
must (int result, const char *what)
{
  if (result >= 0)
    return;
  fprintf (stderr, "no sandbox: %s: %s\n", what, strerror (errno));
  exit (125);
}

static void
limit (int resource, rlim_t most)
{
  struct rlimit both = { most, most };

  must (setrlimit (resource, &both), "setrlimit");
}

static void
put (const char *path, const char *content)
{
  int fd = open (path, O_WRONLY);

  must (fd, path);
  must ((int) write (fd, content, strlen (content)), path);
  close (fd);
}

/* Without root, a user namespace gives the rights to build the other walls. */
static void
enter_namespaces (void)
{
  int walls = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
  uid_t user = geteuid ();
  gid_t group = getegid ();
  char map[64];

  if (user == 0)
    {
      must (unshare (walls), "unshare");
      return;
    }
  must (unshare (walls | CLONE_NEWUSER), "unshare");
  put ("/proc/self/setgroups", "deny");
  snprintf (map, sizeof map, "%d %d 1", NOBODY, (int) user);
  put ("/proc/self/uid_map", map);
  snprintf (map, sizeof map, "%d %d 1", NOBODY, (int) group);
  put ("/proc/self/gid_map", map);
}

static void
enter_root (const char *root)
{
  char null[4096];

  must (mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "private mounts");
  must (mount (root, root, NULL, MS_BIND, NULL), "bind root");
  must (snprintf (null, sizeof null, "%s/dev/null", root) < (int) sizeof null ? 0 : -1, "path");
  must (mount ("/dev/null", null, NULL, MS_BIND, NULL), "bind /dev/null");
  must (mount (NULL, root, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL), "read-only root");
  must (chdir (root), "chdir");
  must ((int) syscall (SYS_pivot_root, ".", "."), "pivot_root");
  must (umount2 (".", MNT_DETACH), "umount");
  must (chdir ("/w"), "chdir /w");
}

static void
drop_privileges (int was_root)
{
  if (was_root)
    {
      must (setgroups (0, NULL), "setgroups");
      must (setresgid (NOBODY, NOBODY, NOBODY), "setresgid");
      must (setresuid (NOBODY, NOBODY, NOBODY), "setresuid");
    }
  must (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
  must (prctl (PR_SET_DUMPABLE, 0, 0, 0, 0), "dumpable");
}

static void
limit_resources (void)
{
  limit (RLIMIT_CORE, 0);
  limit (RLIMIT_FSIZE, 16 << 20);
  limit (RLIMIT_NOFILE, 512);
  limit (RLIMIT_NPROC, 4096);
  limit (RLIMIT_AS, (rlim_t) 1 << 30);
  limit (RLIMIT_DATA, 256 << 20);
  limit (RLIMIT_STACK, 16 << 20);
  limit (RLIMIT_MEMLOCK, 0);
  limit (RLIMIT_MSGQUEUE, 0);
}

static int
run (char **argv, int was_root)
{
  static char text[TEXT_BYTES + 1];
  char *shell[] = { "/bin/bash", "-c", text, NULL };
  int null;

  enter_root (argv[1]);
  null = open ("/dev/null", O_RDWR);
  must (null, "/dev/null");
  must (dup2 (0, REQUEST_FD), "dup2");
  must (dup2 (1, ANSWER_FD), "dup2");
  must (dup2 (null, 0), "dup2");
  must (dup2 (null, 1), "dup2");
  close (null);
  limit_resources ();
  drop_privileges (was_root);
  must (prctl (PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "death signal");
  must (setenv ("LD_PRELOAD", "/lib/interpose.so", 1), "setenv");
  /* Resolved once, in the server, and not again in each child. */
  must (setenv ("LD_BIND_NOW", "1", 1), "setenv");
  memset (text, ' ', TEXT_BYTES);
  must (execv (argv[2], shell), argv[2]);
  return 125;
}

int
main (int argc, char **argv)
{
  int was_root = geteuid () == 0, status;
  pid_t child;

  if (argc != 3)
    {
      fprintf (stderr, "usage: cell ROOT PROGRAM\n");
      return 2;
    }
  enter_namespaces ();
  child = fork ();
  must (child, "fork");
  if (child == 0)
    return run (argv, was_root);
  /* Only the child may hold the pipes, or their closing would go unseen. */
  close (0);
  close (1);
  while (waitpid (child, &status, 0) < 0)
    if (errno != EINTR)
      return 125;
  return WIFEXITED (status) ? WEXITSTATUS (status) : 125;
}
