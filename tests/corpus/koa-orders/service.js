// Orders of a customer, out of a document store that is asked through a pool of sixteen connections.
import http from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import { startUpstream } from '../lib/upstream.js';

const store = await startUpstream({ delay_ms: 3 });
const pool = new http.Agent({ keepAlive: true, maxSockets: 16 });
const history = JSON.stringify(
  Array.from({ length: 400 }, (_, index) => ({
    number: index,
    cents: index * 17,
    at: `2026-0${(index % 9) + 1}-01`,
  })),
);
let number = 0;

function query(path) {
  return new Promise((resolve, reject) => {
    const request = http.get(`${store}${path}`, { agent: pool }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve(JSON.parse(text)));
    });
    request.on('error', reject);
  });
}

const router = new Router();
router.get('/', (context) => {
  context.body = 'ok';
});
router.get('/orders/:customer', async (context) => {
  number += 1;
  const customer = `${context.params.customer}-${number}`;
  const open = [];
  for (const state of ['new', 'paid', 'packed', 'sent']) {
    open.push(await query(`/orders/${customer}/${state}`)); // planted: serial-awaits
  }
  const before = JSON.parse(history); // planted: json
  context.body = { open: open.map(({ value }) => value), before: before.length };
});

new Koa().use(router.routes()).listen(Number(process.env.PORT), '127.0.0.1');
