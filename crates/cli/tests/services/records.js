// @ts-check
// Writes requests to the file `received`, a line of JSON each: those that are not the same as one before, or with EACH=1 all of the first 10,000.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const MOST = 10_000;
const seen = new Set();
let count = 0;

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, url, headers } = request;
  const line = JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() });
  count += 1;
  if (process.env.EACH === '1' ? count <= MOST : !seen.has(line)) {
    seen.add(line);
    appendFileSync('received', `${line}\n`);
  }
  response.end();
}).listen(Number(process.env.PORT), '127.0.0.1');
