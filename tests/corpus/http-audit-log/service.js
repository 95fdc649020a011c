// Payments, each with an entry in the audit log.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directory = mkdtempSync(join(tmpdir(), 'audit-'));
const log = join(directory, 'audit.log');
let number = 0;

function audit(event, details) {
  const entry = `${new Date().toISOString()} ${event} ${details.id} ${details.amount} ${details.currency}`;
  appendFileSync(log, `${entry}\n`); // planted: blocking-write
}

const server = createServer((request, response) => {
  if (request.url === '/') return response.end('ok');
  number += 1;
  const payment = { id: `p${number}`, amount: (number % 500) + 0.5, currency: 'EUR' };
  audit('received', payment);
  audit('checked', payment);
  audit('accepted', payment);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ id: payment.id, state: 'accepted' }));
});
server.listen(Number(process.env.PORT), '127.0.0.1');

process.on('SIGTERM', () => {
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
});
