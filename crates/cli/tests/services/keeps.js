// Keeps memory at a steady pace, by the time and not by the requests: KEEPS says what, MB_PER_S how fast.
import http from 'node:http';

const { KEEPS, MB_PER_S = '1', PORT } = process.env;
const ENTRY_BYTES = 4096;
const BOUND = 3000;
const began_ms = performance.now();
const cache = new Map();
const buffers = [];
let made = 0;

function remember(number) {
  const rows = [];
  for (let row = 0; row < ENTRY_BYTES / 8; row++) rows.push(number + row / 7);
  cache.set(number, { number, rows });
}

function hold() {
  buffers.push(Buffer.alloc(ENTRY_BYTES, 1));
}

const keep = {
  objects: remember,
  buffers: hold,
  bounded(number) {
    remember(number);
    cache.delete(number - BOUND);
  },
  // The C library never gives back what was once in the environment.
  native(number) {
    process.env.LAST_VISIT = `${number} ${'x'.repeat(ENTRY_BYTES)}`;
  },
  nothing: () => {},
}[KEEPS];

http
  .createServer((_request, response) => {
    const due = ((performance.now() - began_ms) / 1e3) * Number(MB_PER_S) * 1e6;
    for (; made * ENTRY_BYTES < due; made++) keep(made);
    response.end(
      JSON.stringify(
        Array.from({ length: 200 }, (_, id) => ({ id, text: `row ${Math.random()}` })).slice(0, 9),
      ),
    );
  })
  .listen(PORT, '127.0.0.1');
