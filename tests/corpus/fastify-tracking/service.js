// Where is my parcel? The carrier knows.
import http from 'node:http';
import Fastify from 'fastify';
import { startUpstream } from '../lib/upstream.js';

const upstream = await startUpstream({ delay_ms: 5 });
let number = 0;

function ask(path) {
  return new Promise((resolve, reject) => {
    const options = { agent: new http.Agent({ maxSockets: 1 }), headers: { connection: 'close' } };
    const request = http.get(`${upstream}${path}`, options, collect); // planted: upstream-no-keepalive
    function collect(response) {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    }
    request.on('error', reject);
  });
}

const app = Fastify();
app.get('/', () => 'ok');
app.get('/parcels/:id', async ({ params: { id } }) => {
  number += 1;
  const { value } = await ask(`/parcels/${id}/${number}`);
  return { id, hours: value };
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
