// What the starter for Node.js gives, which its generator downloads from GitHub and not from npm.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();

app.get('/', (c) => c.text('Hello Hono!'));

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
