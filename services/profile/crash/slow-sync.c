/* Preloaded into Redis, makes each sync to the disk take SYNC_MS longer, as on a disk that is busy. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int fdatasync(int file) {
  struct timespec pause = {SYNC_MS / 1000, SYNC_MS % 1000 * 1000000L};
  nanosleep(&pause, NULL);
  return (int)syscall(SYS_fdatasync, file);
}
