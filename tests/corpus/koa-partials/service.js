// A page put together of parts, so that the editors can change them at any time.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import Koa from 'koa';

const directory = join(dirname(fileURLToPath(import.meta.url)), 'parts');

function part(name) {
  const file = join(directory, `${name}.html`);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''; // planted: sync-file-read
}

const router = new Router();
router.get('/', (context) => {
  context.body = 'ok';
});
router.get('/page', (context) => {
  const names = ['head', 'menu', 'news', 'offers', 'weather', 'tides', 'sport', 'people', 'jobs', 'foot'];
  context.type = 'html';
  context.body = names.map(part).join('\n');
});

new Koa().use(router.routes()).listen(Number(process.env.PORT), '127.0.0.1');
