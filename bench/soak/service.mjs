// @ts-check
// Makes garbage with every request, as a service does, and keeps what it is told to for good.
import { createServer } from 'node:http';

const KEPT_BYTES = 4096;
const keptBytesPerS = Number(process.env.KEEP_MB_PER_MIN ?? 0) * (1e6 / 60);
/** @type {Buffer[]} */
const kept = [];
/** @type {{ id: number, text: string }[]} */
let cache = [];
const began = performance.now();

createServer((_request, response) => {
  const rows = Array.from({ length: 300 }, (_, id) => ({ id, text: `row ${id} of ${Math.random()}` }));
  // A cache that is full after some requests, and then emptied: a tooth of seconds that is no leak.
  cache.push(...rows.slice(0, 100));
  if (cache.length > 20_000) {
    cache = [];
  }
  const owed = ((performance.now() - began) / 1e3) * keptBytesPerS;
  while (kept.length * KEPT_BYTES < owed) {
    kept.push(Buffer.alloc(KEPT_BYTES, 1));
  }
  response.end(JSON.stringify(rows.slice(0, 20)));
}).listen(process.env.PORT, '127.0.0.1');
