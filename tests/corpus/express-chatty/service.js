// A basket that says what it does.
import express from 'express';

const basket = { items: [{ name: 'Compass', count: 1 }], owner: 'guest' };

const app = express();
app.use((request, _, next) => {
  console.log(`[${new Date().toISOString()}] ${request.method} ${request.url}`); // planted: blocking-write
  console.log('headers', request.headers);
  next();
});
app.get('/', (_, response) => response.send('ok'));
app.get('/basket', (_, response) => {
  console.log('basket is', basket);
  console.log(`answering with ${basket.items.length} items`);
  response.json(basket);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
