// An io_uring with a ring of buffers for multishot receives, as client.c and responder.c use it.
#ifndef RING_H
#define RING_H
#include <errno.h>
#include <liburing.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { BUFFERS = 2048, BUFFER_BYTES = 4096, SUBMISSIONS = 4096, COMPLETIONS = 32768 };

struct ring {
  struct io_uring uring;
  struct io_uring_buf_ring *buffers;
  char *memory;
  int given_back; // buffers since the last `taken`
};

// What a completion belongs to: an operation on a socket.
enum kind { SEND, RECEIVE, ACCEPT };
static inline unsigned long tag(int socket_fd, enum kind kind) { return (unsigned long)socket_fd << 2 | kind; }
static inline enum kind kind_of(const struct io_uring_cqe *completion) { return completion->user_data & 3; }
static inline int socket_of(const struct io_uring_cqe *completion) { return completion->user_data >> 2; }

_Noreturn static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", program_invocation_short_name);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  exit(1);
}

static void give_back(struct ring *ring, int buffer) {
  io_uring_buf_ring_add(ring->buffers, ring->memory + (size_t)buffer * BUFFER_BYTES, BUFFER_BYTES, buffer,
                        io_uring_buf_ring_mask(BUFFERS), ring->given_back++);
}

// Lets the kernel have the first completions back, and the buffers of those that were receives.
static void taken(struct ring *ring, unsigned completions) {
  io_uring_buf_ring_advance(ring->buffers, ring->given_back);
  io_uring_cq_advance(&ring->uring, completions);
  ring->given_back = 0;
}

static void open_ring(struct ring *ring) {
  struct io_uring_params parameters = {
      .flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE, .cq_entries = COMPLETIONS};
  if (io_uring_queue_init_params(SUBMISSIONS, &ring->uring, &parameters) != 0) fail("no io_uring here");
  ring->memory = malloc((size_t)BUFFERS * BUFFER_BYTES);
  if (ring->memory == NULL || posix_memalign((void **)&ring->buffers, 4096, BUFFERS * sizeof(struct io_uring_buf)) != 0)
    fail("no memory");
  struct io_uring_buf_reg registration = {.ring_addr = (unsigned long)ring->buffers, .ring_entries = BUFFERS};
  if (io_uring_register_buf_ring(&ring->uring, &registration, 0) != 0) fail("no ring of buffers here");
  io_uring_buf_ring_init(ring->buffers);
  for (int buffer = 0; buffer < BUFFERS; buffer++) give_back(ring, buffer);
  taken(ring, 0);
}

static struct io_uring_sqe *next_entry(struct ring *ring) {
  struct io_uring_sqe *entry = io_uring_get_sqe(&ring->uring);
  if (entry != NULL) return entry;
  io_uring_submit(&ring->uring);
  entry = io_uring_get_sqe(&ring->uring);
  if (entry == NULL) fail("the kernel takes no operations");
  return entry;
}

static void queue_receive(struct ring *ring, int socket_fd) {
  struct io_uring_sqe *entry = next_entry(ring);
  io_uring_prep_recv_multishot(entry, socket_fd, NULL, 0, 0);
  entry->flags |= IOSQE_BUFFER_SELECT;
  entry->user_data = tag(socket_fd, RECEIVE);
}

static void queue_send(struct ring *ring, int socket_fd, const char *bytes, size_t count) {
  struct io_uring_sqe *entry = next_entry(ring);
  io_uring_prep_send(entry, socket_fd, bytes, count, MSG_WAITALL | MSG_NOSIGNAL);
  entry->user_data = tag(socket_fd, SEND);
}

// What a receive has brought. Its buffer is the kernel's again with the next `taken`.
static const char *received(struct ring *ring, const struct io_uring_cqe *completion) {
  const int buffer = completion->flags >> IORING_CQE_BUFFER_SHIFT;
  give_back(ring, buffer);
  return ring->memory + (size_t)buffer * BUFFER_BYTES;
}
#endif
