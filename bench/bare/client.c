// What a closed-model HTTP client costs at least: it sends, looks at the first bytes of each response, and sends again.
//
//   bare io_uring|epoll PORT PATH CONNECTIONS SECONDS
//
// One thread, 127.0.0.1. It measures nothing, records nothing and takes each receive for a whole response, which holds for
// the servers of bench/. Sends the bytes that plimsoll sends. Prints {"requests": …, "seconds": …}.
#define _GNU_SOURCE
#include "ring.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS_MOST = 1024 };

struct client {
  int connections;
  int *sockets;
  char request[512];
  int request_bytes;
  double end_s;
  long requests;
};

static double now_s(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static int connected(int port) {
  int socket_fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (socket_fd < 0 || connect(socket_fd, (struct sockaddr *)&address, sizeof address) != 0)
    fail("cannot connect to port %d: %s", port, strerror(errno));
  setsockopt(socket_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket_fd;
}

static void check(const char *response, long bytes) {
  static const char expected[] = "HTTP/1.1 200";
  if (bytes < (long)sizeof expected - 1 || memcmp(response, expected, sizeof expected - 1) != 0)
    fail("a response is not what was expected: %ld bytes", bytes);
}

// --- io_uring: multishot receives into a ring of buffers, sends handed over with the wait.

static void by_io_uring(struct client *client) {
  struct ring ring = {0};
  open_ring(&ring);
  for (int connection = 0; connection < client->connections; connection++) {
    queue_receive(&ring, client->sockets[connection]);
    queue_send(&ring, client->sockets[connection], client->request, client->request_bytes);
  }
  while (now_s() < client->end_s) {
    io_uring_submit_and_wait(&ring.uring, 1);
    struct io_uring_cqe *completion;
    unsigned head, seen = 0;
    io_uring_for_each_cqe(&ring.uring, head, completion) {
      seen++;
      if (kind_of(completion) == SEND) continue;
      if (!(completion->flags & IORING_CQE_F_BUFFER)) fail("a receive ended with %d", completion->res);
      check(received(&ring, completion), completion->res);
      client->requests++;
      if (!(completion->flags & IORING_CQE_F_MORE)) queue_receive(&ring, socket_of(completion));
      queue_send(&ring, socket_of(completion), client->request, client->request_bytes);
    }
    taken(&ring, seen);
  }
}

// --- epoll: each socket registered once, read when it is ready, written at once.

static void ask(const struct client *client, int connection) {
  if (send(client->sockets[connection], client->request, client->request_bytes, MSG_NOSIGNAL) != client->request_bytes)
    fail("a request was not sent: %s", strerror(errno));
}

static void by_epoll(struct client *client) {
  const int poll = epoll_create1(0);
  struct epoll_event events[CONNECTIONS_MOST];
  char response[BUFFER_BYTES];
  for (int connection = 0; connection < client->connections; connection++) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u32 = connection};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, client->sockets[connection], &event) != 0) fail("no epoll here");
    ask(client, connection);
  }
  while (now_s() < client->end_s) {
    const int ready = epoll_wait(poll, events, CONNECTIONS_MOST, 1000);
    for (int place = 0; place < ready; place++) {
      const int connection = events[place].data.u32;
      check(response, recv(client->sockets[connection], response, sizeof response, 0));
      client->requests++;
      ask(client, connection);
    }
  }
}

int main(int count, char **arguments) {
  if (count == 2 && strcmp(arguments[1], "--version") == 0) return puts("bare client, compiler " __VERSION__) < 0;
  if (count != 6) fail("usage: bare io_uring|epoll PORT PATH CONNECTIONS SECONDS");
  const bool uring = strcmp(arguments[1], "io_uring") == 0;
  if (!uring && strcmp(arguments[1], "epoll") != 0) fail("`%s` is neither io_uring nor epoll", arguments[1]);
  const int port = atoi(arguments[2]);
  struct client client = {.connections = atoi(arguments[4])};
  if (client.connections < 1 || client.connections > CONNECTIONS_MOST)
    fail("there must be 1 to %d connections", CONNECTIONS_MOST);
  client.request_bytes = snprintf(
      client.request, sizeof client.request,
      "GET %s HTTP/1.1\r\nhost: 127.0.0.1:%d\r\nuser-agent: plimsoll/0.1.0\r\naccept: */*\r\n\r\n", arguments[3], port);
  if (client.request_bytes >= (int)sizeof client.request) fail("the path is too long");
  client.sockets = calloc(client.connections, sizeof *client.sockets);
  if (client.sockets == NULL) fail("no memory");
  for (int connection = 0; connection < client.connections; connection++) client.sockets[connection] = connected(port);
  const double start_s = now_s();
  client.end_s = start_s + atof(arguments[5]);
  (uring ? by_io_uring : by_epoll)(&client);
  printf("{\"requests\": %ld, \"seconds\": %f}\n", client.requests, now_s() - start_s);
}
