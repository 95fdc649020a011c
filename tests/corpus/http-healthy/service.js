// Opening hours of shops: small responses, made when the data changes and not when somebody asks.
import { createServer } from 'node:http';

const shops = new Map(
  Array.from({ length: 200 }, (_, index) => {
    const shop = { id: `s${index}`, opens: 8 + (index % 3), closes: 18 + (index % 4), closed_on: ['sunday'] };
    return [`/shops/${shop.id}`, { body: JSON.stringify(shop), etag: `"${index}-1"` }];
  }),
);

const server = createServer((request, response) => {
  if (request.url === '/') return response.end('ok');
  const shop = shops.get(request.url ?? '');
  if (!shop) {
    response.statusCode = 404;
    return response.end();
  }
  response.setHeader('etag', shop.etag);
  if (request.headers['if-none-match'] === shop.etag) {
    response.statusCode = 304;
    return response.end();
  }
  response.setHeader('content-type', 'application/json');
  response.end(shop.body);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
