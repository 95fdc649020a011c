// Feature flags from a file, and a log of who asked.
import fs from 'node:fs';
import express from 'express';

const file = new URL('flags.txt', import.meta.url);

function flags() {
  const lines = fs.readFileSync(file, 'utf8').split('\n'); // planted: sync-file-read
  return Object.fromEntries(lines.filter(Boolean).map((line) => line.split('=')));
}

const app = express();
app.get('/', (_, response) => response.send('ok'));
app.get('/flags/:name', ({ params, headers }, response) => {
  for (const step of ['asked', 'found', 'answered']) {
    process.stdout.write(`${step} ${params.name} ${headers['user-agent']}\n`); // planted: blocking-write
  }
  response.json({ name: params.name, value: flags()[params.name] ?? null });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
