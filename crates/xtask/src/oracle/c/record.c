/* The records: a bump allocator in shared memory, so that concurrent children need no lock. */
#define _GNU_SOURCE
#include "record.h"
#include "shared.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* A record is its size (which counts the header), its kind and its number of fields; then each field as size and bytes.
 * The kind is written last: a record whose writer died has none. */
struct header {
  uint32_t size;
  _Atomic uint32_t kind;
  uint32_t fields;
};

void
oracle_stop (enum oracle_flag flag)
{
  atomic_fetch_or (&oracle_shared->flags, flag);
  _exit (126);
}

unsigned
oracle_id (void)
{
  return atomic_fetch_add (&oracle_shared->ids, 1);
}

int
oracle_cuts_only (void)
{
  return oracle_request.exit_code == ORACLE_CUTS_ONLY;
}

int
oracle_is_main (void)
{
  return oracle_serving && getpid () == oracle_main_pid;
}

void
oracle_record (enum oracle_record_kind kind, const char *const *fields)
{
  uint64_t size = sizeof (struct header);
  uint32_t count = 0;

  if (!oracle_serving)
    return;
  for (; fields[count] != NULL; count++)
    size += sizeof (uint32_t) + strlen (fields[count]);
  size = (size + 3) & ~(uint64_t) 3;
  if (size > ORACLE_LOG_BYTES)
    oracle_stop (ORACLE_FLAG_LOG);
  uint32_t start = atomic_fetch_add (&oracle_shared->used, (uint32_t) size);
  if (start > ORACLE_LOG_BYTES - size)
    {
      /* Let no later record land behind this one, nor the counter wrap. */
      atomic_store (&oracle_shared->used, start < ORACLE_LOG_BYTES ? start : ORACLE_LOG_BYTES);
      oracle_stop (ORACLE_FLAG_LOG);
    }

  struct header *header = (struct header *) (oracle_shared->log + start);
  header->size = (uint32_t) size;
  header->fields = count;
  char *at = (char *) (header + 1);
  for (uint32_t i = 0; i < count; i++)
    {
      uint32_t length = (uint32_t) strlen (fields[i]);
      memcpy (at, &length, sizeof length);
      memcpy (at + sizeof length, fields[i], length);
      at += sizeof length + length;
    }
  atomic_store (&header->kind, (uint32_t) kind);
}
