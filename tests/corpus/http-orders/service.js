// Orders that must survive a power cut: each is on the disk before it is confirmed.

import { scrypt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const folder = mkdtempSync(join(tmpdir(), 'orders-'));
const journal = await open(join(folder, 'journal'), 'a');
const seal = promisify(scrypt);
let number = 0;

async function store(order) {
  const line = JSON.stringify(order);
  const mark = await seal(line, 'orders', 16, { N: 1024 }); // planted: threadpool-saturation
  await journal.appendFile(`${mark.toString('hex')} ${line}\n`);
  await journal.datasync();
}

const server = createServer(async (request, response) => {
  if (request.url === '/') return response.end('ok');
  number += 1;
  await store({ number, item: `item ${number % 50}`, count: 1 + (number % 3) });
  response.statusCode = 201;
  response.end(String(number));
});
server.listen(Number(process.env.PORT), '127.0.0.1');

process.on('SIGTERM', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
