// What a server costs at least: it responds to every request at once, with two bytes.
//
//   responder PORT
//
// One thread, 127.0.0.1, until it is ended. It takes each receive for a whole request, which holds for clients that send a
// small one at a time on a connection.
#define _GNU_SOURCE
#include "ring.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

// Every connection that a generator opens in one go has to fit, or SYNs are dropped and come again a second later.
enum { BACKLOG = 4096 };

static const char RESPONSE[] = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

static int listening(int port) {
  int socket_fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  setsockopt(socket_fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // What is set here, connections have as well: no waiting, and the congestion control that computes least.
  setsockopt(socket_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(socket_fd, IPPROTO_TCP, TCP_CONGESTION, "reno", strlen("reno"));
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(socket_fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(socket_fd, BACKLOG) != 0)
    fail("cannot listen on port %d: %s", port, strerror(errno));
  return socket_fd;
}

static void queue_accept(struct ring *ring, int listener) {
  struct io_uring_sqe *entry = next_entry(ring);
  io_uring_prep_multishot_accept(entry, listener, NULL, NULL, 0);
  entry->user_data = tag(listener, ACCEPT);
}

static void react(struct ring *ring, const struct io_uring_cqe *completion) {
  const int socket_fd = socket_of(completion);
  const bool last = !(completion->flags & IORING_CQE_F_MORE);
  switch (kind_of(completion)) {
  case SEND: // One that failed shows when the socket is read.
    return;
  case ACCEPT:
    if (completion->res >= 0) queue_receive(ring, completion->res);
    if (last) queue_accept(ring, socket_fd);
    return;
  case RECEIVE:
    if (completion->res == -ENOBUFS) {
      queue_receive(ring, socket_fd);
    } else if (completion->res <= 0) {
      close(socket_fd);
    } else {
      received(ring, completion);
      if (last) queue_receive(ring, socket_fd);
      queue_send(ring, socket_fd, RESPONSE, sizeof RESPONSE - 1);
    }
  }
}

int main(int count, char **arguments) {
  if (count != 2) fail("usage: responder PORT");
  const int listener = listening(atoi(arguments[1]));
  struct ring ring = {0};
  open_ring(&ring);
  queue_accept(&ring, listener);
  for (;;) {
    io_uring_submit_and_wait(&ring.uring, 1);
    struct io_uring_cqe *completion;
    unsigned head, seen = 0;
    io_uring_for_each_cqe(&ring.uring, head, completion) {
      seen++;
      react(&ring, completion);
    }
    taken(&ring, seen);
  }
}
