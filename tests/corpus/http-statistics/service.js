// Sums of orders by region, computed for each question.
import { createServer } from 'node:http';

const orders = Array.from({ length: 1500 }, (_, index) => ({
  region: `region ${index % 40}`,
  cents: (index * 7919) % 9973,
  items: [index % 7, index % 11],
}));

function sums(minimum_cents) {
  return (
    orders
      .map((order) => ({ ...order, items: [...order.items], label: `${order.region}/${order.cents}` }))
      .filter((order) => order.cents >= minimum_cents)
      // biome-ignore lint/performance/noAccumulatingSpread: this is the mistake that is planted here
      .reduce((all, order) => ({ ...all, [order.region]: (all[order.region] ?? 0) + order.cents }), {})
  ); // planted: gc
}

const server = createServer((request, response) => {
  if (request.url === '/') return response.end('ok');
  const found = sums(1000);
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({ regions: Object.keys(found).length, best: Math.max(...Object.values(found)) }),
  );
});
server.listen(Number(process.env.PORT), '127.0.0.1');
