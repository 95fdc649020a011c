// A forecast out of two other services, which are asked at the same time over connections that stay open.
import Fastify from 'fastify';
import { startUpstream } from '../lib/upstream.js';

const upstream = await startUpstream({ delay_ms: 5 });
let number = 0;

async function ask(path) {
  const response = await fetch(`${upstream}${path}`);
  return response.json();
}

const app = Fastify();
app.get('/', () => 'ok');
app.get('/forecast/:place', async ({ params: { place } }) => {
  number += 1;
  const [wind, tide] = await Promise.all([ask(`/wind/${place}/${number}`), ask(`/tide/${place}/${number}`)]);
  return { place, wind: wind.value, tide: tide.value };
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
