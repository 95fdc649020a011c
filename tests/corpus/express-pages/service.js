// Pages of a handbook: compressed for who accepts it, and not sent again to who has them.
import compression from 'compression';
import express from 'express';

const sentence = (index) =>
  `In step ${index} the ${['captain', 'pilot', 'cook'][index % 3]} writes down what was seen.`;
const pages = new Map(
  ['start', 'rigging'].map((name) => {
    const text = Array.from({ length: 40 }, (_, index) => `<p>${sentence(index)}</p>`).join('\n');
    return [name, `<!doctype html><title>${name}</title>${text}`];
  }),
);

const app = express();
app.disable('x-powered-by');
app.use(compression());
app.get('/', (_, response) => response.send('ok'));
app.get('/pages/:name', ({ params }, response) => {
  const page = pages.get(params.name);
  if (!page) return response.sendStatus(404);
  response.send(page);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
