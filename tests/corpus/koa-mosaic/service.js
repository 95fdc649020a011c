// Mosaics, each computed in a thread of its own, and a journal of them.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Router from '@koa/router';
import Koa from 'koa';

const directory = mkdtempSync(join(tmpdir(), 'mosaic-'));
const journal = join(directory, 'journal');

function mosaic(seed) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('tiles.js', import.meta.url), { workerData: seed }); // planted: process-per-request
    worker.once('message', resolve).once('error', reject);
  });
}

function note(seed, tiles) {
  for (const tile of tiles) {
    for (let part = 0; part < 60; part += 1) {
      appendFileSync(journal, `${seed} ${part} ${tile}\n`); // planted: blocking-write
    }
  }
}

const router = new Router();
router.get('/', (context) => {
  context.body = 'ok';
});
router.get('/mosaics/:seed', async (context) => {
  const tiles = await mosaic(Number(context.params.seed));
  note(context.params.seed, tiles);
  context.body = { tiles };
});

new Koa().use(router.routes()).listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => {
  rmSync(directory, { recursive: true });
  process.exit(0);
});
