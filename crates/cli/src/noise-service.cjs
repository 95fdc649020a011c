// @ts-check
// The service of `plimsoll doctor --noise`: what a small HTTP service does for a request, and nothing that varies.
'use strict';

const { createServer } = require('node:http');

const goods = Array.from({ length: 60 }, (_, index) => ({
  id: index,
  name: `thing ${(index * 7919) % 60}`,
  price: (index * 104729) % 997,
  tags: ['a', 'b', 'c'],
}));
const text = JSON.stringify(goods);

createServer((_, response) => {
  const parsed = /** @type {typeof goods} */ (JSON.parse(text));
  parsed.sort((one, other) => one.price - other.price);
  const body = JSON.stringify({ goods: parsed, total: parsed.reduce((sum, { price }) => sum + price, 0) });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}).listen(Number(process.env.PORT || 3000), '127.0.0.1');
