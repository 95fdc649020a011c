// A schedule of ferries, in TypeScript.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

interface Departure {
  from: string;
  to: string;
  minute: number;
}

const departures: Departure[] = Array.from({ length: 400 }, (_, index) => ({
  from: `harbour ${index % 8}`,
  to: `harbour ${(index * 3 + 1) % 8}`,
  minute: (index * 37) % 1440,
}));
const stored: string = JSON.stringify(departures);

function departuresFrom(harbour: string): Departure[] {
  const all: Departure[] = JSON.parse(stored); // planted: json
  return all.filter(({ from }) => from === harbour);
}

const app = new Hono();
app.get('/', (context) => context.text('ok'));
app.get('/departures/:harbour', (context) => {
  const found: Departure[] = departuresFrom(`harbour ${context.req.param('harbour')}`);
  return context.json({ next: found[0] ?? null, count: found.length });
});

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
