// A page put together of parts, so that the editors can change them at any time.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'parts');

function part(name) {
  const file = join(folder, `${name}.html`);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''; // planted: sync-file-read
}

const app = express();
app.set('etag', 'weak');
app.get('/', (_, response) => response.send('ok'));
app.get('/page', (_, response) => {
  const names = ['head', 'menu', 'news', 'offers', 'weather', 'tides', 'sport', 'people', 'jobs', 'foot'];
  response.type('html').send(names.map(part).join('\n'));
});
app.listen(Number(process.env.PORT), '127.0.0.1');
