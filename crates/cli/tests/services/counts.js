// @ts-check
// Counts the requests that it gets, and their paths; `/count` says how many, and is none of them.
import { createServer } from 'node:http';

let count = 0;
/** @type {Set<string | undefined>} */
const paths = new Set();

createServer((request, response) => {
  if (request.url === '/count') return response.end(`count=${count};paths=${paths.size};`);
  count += 1;
  paths.add(request.url);
  response.end('ok');
}).listen(Number(process.env.PORT), '127.0.0.1');
