// Full text search over the notes of a crew.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const notes = JSON.stringify(
  Array.from({ length: 1600 }, (_, index) => ({
    number: index,
    text: `Day ${index}: wind from the ${['north', 'east', 'south', 'west'][index % 4]}, sea ${index % 9}, all well on board`,
  })),
);
const words = [
  'wind',
  'sea',
  'well',
  'board',
  'north',
  'east',
  'south',
  'west',
  'storm',
  'calm',
  'anchor',
  'sail',
];

function marks(question) {
  return words.map((word) => new RegExp(`\\b(${word}|${question})\\w*\\b`, 'iu')); // planted: constructed-per-request
}

const app = new Hono();
app.get('/', (context) => context.text('ok'));
app.get('/search', (context) => {
  const question = context.req.query('q') ?? '';
  const all = JSON.parse(notes); // planted: json
  const found = marks(`${question}${Math.floor(Math.random() * 1e6)}`).filter((mark) =>
    mark.test(all[3].text),
  );
  return context.json({ found: found.length });
});

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
