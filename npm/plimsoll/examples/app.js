// @ts-check
/** A small shop. */
import express from 'express';

const prices = new Map([
  ['tea', 3.2],
  ['coffee', 3.8],
]);

export const app = express();
app.get('/prices/:product', ({ params }, response) => {
  const price = prices.get(params.product);
  if (price === undefined) response.sendStatus(404);
  else response.json({ product: params.product, price });
});
