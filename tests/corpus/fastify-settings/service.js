// A greeting whose wording another service knows.
import Fastify from 'fastify';
import { startUpstream } from '../lib/upstream.js';

const upstream = await startUpstream({ delay_ms: 5 });

async function settings() {
  const response = await fetch(`${upstream}/settings/greeting`); // planted: repeated-upstream
  return response.json();
}

const app = Fastify();
app.get('/', () => 'ok');
app.get('/greeting/:name', async ({ params: { name } }) => {
  const { enabled } = await settings();
  return { text: enabled ? `Hello, ${name}` : name };
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
