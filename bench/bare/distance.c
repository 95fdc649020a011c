// How long a line of memory takes from one core to another and back.
//
//   core-distance CORE CORE
//
// A virtual machine's cores are moved about on the host, to where they share a cache or do not; what two programs on two
// cores hand each other costs by that. Prints nanoseconds: the median of some trials of a few milliseconds each.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRIALS = 9, ROUND_TRIPS = 20000 };

static _Alignas(128) atomic_int ball;

static int pin(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  return sched_setaffinity(0, sizeof set, &set);
}

static void *far_end(void *core) {
  if (pin(*(int *)core) != 0) abort();
  for (int trip = 0; trip < ROUND_TRIPS; trip++) {
    while (atomic_load_explicit(&ball, memory_order_acquire) != 2 * trip + 1);
    atomic_store_explicit(&ball, 2 * trip + 2, memory_order_release);
  }
  return NULL;
}

static double trial_ns(int core) {
  pthread_t thread;
  atomic_store(&ball, 0);
  if (pthread_create(&thread, NULL, far_end, &core) != 0) abort();
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int trip = 0; trip < ROUND_TRIPS; trip++) {
    atomic_store_explicit(&ball, 2 * trip + 1, memory_order_release);
    while (atomic_load_explicit(&ball, memory_order_acquire) != 2 * trip + 2);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  pthread_join(thread, NULL);
  return ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / ROUND_TRIPS;
}

static int ascending(const void *one, const void *other) {
  const double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

int main(int count, char **arguments) {
  const int near = count == 3 ? atoi(arguments[1]) : 0, far = count == 3 ? atoi(arguments[2]) : 0;
  if (near == far || pin(near) != 0) {
    fputs("core-distance: two cores that this process may use are needed, such as 0 1\n", stderr);
    return 1;
  }
  double trials[TRIALS];
  for (int number = 0; number < TRIALS; number++) trials[number] = trial_ns(far);
  qsort(trials, TRIALS, sizeof *trials, ascending);
  printf("%.0f\n", trials[TRIALS / 2]);
}
