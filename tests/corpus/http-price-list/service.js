// Prices: the list comes from another system as text, and is looked at for each question.
import { createServer } from 'node:http';

const list = JSON.stringify(
  Array.from({ length: 600 }, (_, index) => ({
    sku: `sku-${index}`,
    cents: 100 + index * 7,
    currency: 'EUR',
  })),
);

function priceOf(sku) {
  const prices = JSON.parse(list); // planted: json
  return prices.find((price) => price.sku === sku);
}

const server = createServer((request, response) => {
  const [, area, sku] = (request.url ?? '').split('/');
  if (area !== 'prices') return response.end('ok');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(priceOf(sku) ?? null));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
