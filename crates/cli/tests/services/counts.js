// @ts-check
// Counts the requests that it gets; `/count` says how many, and is none of them.
import { createServer } from 'node:http';

let count = 0;

createServer((request, response) => {
  if (request.url === '/count') return response.end(`count=${count};`);
  count += 1;
  response.end('ok');
}).listen(Number(process.env.PORT), '127.0.0.1');
