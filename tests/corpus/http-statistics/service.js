// Orders of a shop, with the last responses kept for whoever looks at the next page.
import { createServer } from 'node:http';

const orders = Array.from({ length: 1500 }, (_, index) => ({
  region: `region ${index % 40}`,
  cents: (index * 7919) % 9973,
  items: [index % 7, index % 11],
}));
const recent = [];
const RECENT = 100;

function search(minimum_cents) {
  const found = [];
  for (const order of orders) {
    if (order.cents >= minimum_cents) found.push({ ...order, items: [...order.items], total: [order.cents] }); // planted: gc
  }
  recent.push(found);
  if (recent.length > RECENT) recent.shift();
  return found;
}

const server = createServer((request, response) => {
  if (request.url === '/') return response.end('ok');
  const found = search(1000);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ count: found.length, first: found[0] }));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
