// Takes measurements, and writes them to a file behind the event loop's back.
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directory = mkdtempSync(join(tmpdir(), 'measurements-'));
const file = createWriteStream(join(directory, 'measurements.csv'));

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

let pending = [];
setInterval(() => {
  if (pending.length > 0) file.write(pending.join(''));
  pending = [];
}, 100);

const server = createServer(async (request, response) => {
  if (request.url === '/') return response.end('ok');
  const { station, celsius, hectopascal } = await bodyOf(request);
  pending.push(`${station};${celsius};${hectopascal}\n`);
  response.statusCode = 202;
  response.end();
});
server.listen(Number(process.env.PORT), '127.0.0.1');

process.on('SIGTERM', () => {
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
});
