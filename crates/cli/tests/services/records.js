// @ts-check
// Writes every request that is not the same as one before to the file `received`, a line of JSON each.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const seen = new Set();

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, url, headers } = request;
  const line = JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() });
  if (!seen.has(line)) {
    seen.add(line);
    appendFileSync('received', `${line}\n`);
  }
  response.end();
}).listen(Number(process.env.PORT), '127.0.0.1');
