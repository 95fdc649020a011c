// Invoices as HTML, from a template.
import { readFileSync } from 'node:fs';
import ejs from 'ejs';
import express from 'express';

const template = readFileSync(new URL('invoice.ejs', import.meta.url), 'utf8');
const items = [
  { name: 'Anchor', count: 1, cents: 12_900 },
  { name: 'Rope', count: 3, cents: 1999 },
];

const app = express();
app.get('/', (_, response) => response.send('ok'));
app.get('/invoices/:number', ({ params }, response) => {
  const page = ejs.render(template, { number: params.number, items }); // planted: module-or-template-per-request
  response.type('html').send(page);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
