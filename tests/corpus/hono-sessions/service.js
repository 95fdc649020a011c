// Who is logged in: a session is a name with a signature.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const sign = (name) => createHmac('sha256', 'a secret of the service').update(name).digest();

const app = new Hono();
app.get('/', (context) => context.text('ok'));
app.get('/me', (context) => {
  const [name = '', signature = ''] = (context.req.header('x-session') ?? '').split('.');
  const given = Buffer.from(signature, 'base64url');
  const right = sign(name);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return context.text('no', 401);
  return context.json({ name });
});

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
