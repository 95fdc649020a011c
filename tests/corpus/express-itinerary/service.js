// A ship's itinerary: two other services know its parts.
import { Agent } from 'node:http';
import axios from 'axios';
import express from 'express';
import { startUpstream } from '../lib/upstream.js';

const ports = await startUpstream({ delay_ms: 8 });
const berths = await startUpstream({ delay_ms: 4 });
const client = axios.create({ baseURL: ports, httpAgent: new Agent({ keepAlive: true }) });
let number = 0;

const app = express();
app.get('/', (_, response) => response.send('ok'));
app.get('/itineraries/:ship', async ({ params: { ship } }, response) => {
  number += 1;
  const voyage = `${ship}-${number}`;
  const from = await client.get(`/ports/from/${voyage}`); // planted: serial-awaits
  const to = await client.get(`/ports/to/${voyage}`);
  const tides = await client.get(`/tides/${voyage}`);
  const back = await client.get(`/ports/from/${voyage}`); // planted: repeated-upstream
  const options = { httpAgent: new Agent() };
  const berth = await axios.get(`${berths}/berths/${voyage}`, options); // planted: upstream-no-keepalive
  response.json({
    from: from.data.value,
    to: to.data.value,
    tides: tides.data.value,
    back: back.data.value,
    berth: berth.data.value,
  });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
