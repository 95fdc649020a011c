// Short addresses for long ones.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const addresses = new Map(
  Array.from({ length: 100 }, (_, index) => [`a${index}`, `https://example.com/${index}`]),
);

const app = new Hono();
app.get('/', (context) => context.text('ok'));
app.get('/:short', (context) => {
  const address = addresses.get(context.req.param('short'));
  return address ? context.json({ address }) : context.notFound();
});

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
