// Six costs in one handler, each on a line of its own. The runs beside this file were recorded with it.
import { pbkdf2Sync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b', 'c'] }));
const text = 'a'.repeat(14);

createServer(function handler(request, response) {
  console.log(request.method, request.url, { a: 1, b: [1, 2, 3], rows: rows.length });
  const source = readFileSync(new URL(import.meta.url), 'utf8');
  const copy = JSON.parse(JSON.stringify(rows));
  const key = pbkdf2Sync('x', 'y', 100, 32, 'sha256').toString('hex');
  const packed = gzipSync(source);
  const matches = /^(a+)+x$/.test(text);
  response.end(String(source.length + copy.length + key.length + packed.length + Number(matches)));
}).listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
