// An export as CSV, compressed for the network's sake.
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

const rows = Array.from(
  { length: 800 },
  (_, index) => `${index};customer ${index * 31};${(index * 7919) % 10007}`,
);
const csv = `id;name;turnover\n${rows.join('\n')}\n`;

const server = createServer((request, response) => {
  if (request.url === '/') return response.end('ok');
  response.setHeader('content-type', 'text/csv');
  response.setHeader('content-encoding', 'gzip');
  response.end(gzipSync(csv, { level: 9 })); // planted: sync-zlib
});
server.listen(Number(process.env.PORT), '127.0.0.1');
