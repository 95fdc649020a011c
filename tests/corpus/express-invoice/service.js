// Invoices as HTML, from a template.
import { fileURLToPath } from 'node:url';
import express from 'express';

const items = [
  { name: 'Anchor', count: 1, cents: 12_900 },
  { name: 'Rope', count: 3, cents: 1999 },
];

const app = express();
app.set('views', fileURLToPath(new URL('.', import.meta.url)));
app.set('view engine', 'ejs');
// So that changes to a template show at once.
app.disable('view cache');
app.get('/', (_, response) => response.send('ok'));
app.get('/invoices/:number', ({ params }, response) => {
  response.render('invoice', { number: params.number, items }); // planted: module-or-template-per-request
});
app.listen(Number(process.env.PORT), '127.0.0.1');
