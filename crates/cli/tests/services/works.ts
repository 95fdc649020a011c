// A service that a loader compiles to one line as it loads it: nothing stands where it runs.

import { createServer, type ServerResponse } from 'node:http';

/** Roots that are drawn for each request: some milliseconds. */
const ROOTS: number = 1_000_000;

function work(response: ServerResponse): void {
  let sum = 0;
  for (let root = 0; root < ROOTS; root += 1) sum += Math.sqrt(root);
  response.end(String(sum));
}

createServer((_request, response) => work(response)).listen(Number(process.env.PORT), '127.0.0.1');
