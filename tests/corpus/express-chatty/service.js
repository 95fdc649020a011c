// A basket that says what it does.
import express from 'express';

const basket = { items: [{ name: 'Compass', count: 1, tags: ['brass', 'old'] }], owner: 'guest' };

function tell(what, value) {
  console.log(`[${new Date().toISOString()}]`, what, value); // planted: blocking-write
}

const app = express();
app.use((request, _, next) => {
  tell('method', request.method);
  tell('path', request.url);
  tell('query', request.query);
  tell('headers', request.headers);
  tell('from', { address: request.socket.remoteAddress, port: request.socket.remotePort });
  next();
});
app.get('/', (_, response) => response.send('ok'));
app.get('/basket', (_, response) => {
  tell('basket', basket);
  for (const item of basket.items) tell('item', item);
  tell('status', response.statusCode);
  response.json(basket);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
