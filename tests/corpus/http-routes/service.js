// Shortest ways through a warehouse. Honest work, on one core.
import { createServer } from 'node:http';

const SIDE = 120;
const blocked = new Uint8Array(SIDE * SIDE).map((_, cell) => ((cell * 7919) % 101 < 22 ? 1 : 0));
const distance = new Int32Array(SIDE * SIDE);
const queue = new Int32Array(SIDE * SIDE);

function shortest(from, to) {
  distance.fill(-1);
  distance[from] = 0;
  queue[0] = from;
  for (let head = 0, tail = 1; head < tail; head += 1) {
    const cell = queue[head];
    if (cell === to) return distance[cell];
    const column = cell % SIDE;
    for (const next of [
      cell - SIDE,
      cell + SIDE,
      column > 0 ? cell - 1 : -1,
      column < SIDE - 1 ? cell + 1 : -1,
    ]) {
      if (next < 0 || next >= SIDE * SIDE || blocked[next] || distance[next] >= 0) continue;
      distance[next] = distance[cell] + 1;
      queue[tail] = next;
      tail += 1;
    }
  }
  return -1;
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://service');
  if (url.pathname === '/') return response.end('ok');
  const steps = shortest(Number(url.searchParams.get('from')), Number(url.searchParams.get('to')));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ steps }));
});
server.listen(Number(process.env.PORT), '127.0.0.1'); // planted: one-core-busy
