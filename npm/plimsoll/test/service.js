// A service for the tests: says ok, or fails every request, and may be busy for a while before.
import { createServer } from 'node:http';

const [status = '200', busy_ms = '0'] = process.argv.slice(2);
createServer((_, response) => {
  const begin = performance.now();
  while (performance.now() - begin < Number(busy_ms));
  response.statusCode = Number(status);
  response.end('ok');
}).listen(Number(process.env.PORT), '127.0.0.1');
