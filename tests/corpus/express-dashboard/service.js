// A dashboard that asks three other services.

import { Agent } from 'node:http';
import axios from 'axios';
import express from 'express';
import { startUpstream } from '../lib/upstream.js';

const upstream = await startUpstream({ delay_ms: 20 });
const client = axios.create({ baseURL: upstream, httpAgent: new Agent({ keepAlive: true }) });
let number = 0;

const app = express();
app.get('/', (_, response) => response.send('ok'));
app.get('/dashboard', async (_, response) => {
  number += 1;
  const user = number;
  const orders = await client.get(`/orders/${user}`); // planted: serial-awaits
  const messages = await client.get(`/messages/${user}`);
  const invoices = await client.get(`/invoices/${user}`);
  response.json({ orders: orders.data.value, messages: messages.data.value, invoices: invoices.data.value });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
