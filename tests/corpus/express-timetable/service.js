// A timetable as a compressed table, its days and times written out in the language of the reader.
import { gzipSync } from 'node:zlib';
import express from 'express';

const departures = Array.from({ length: 40 }, (_, index) => ({
  at: new Date(Date.UTC(2026, 5, 1, 6, index * 20)),
  to: ['Kiel', 'Oslo', 'Riga', 'Turku'][index % 4],
  pier: index % 7,
}));

function written({ at, to, pier }) {
  const day = at.toLocaleString('sv-SE', { weekday: 'long', hour: 'numeric', minute: '2-digit' }); // planted: constructed-per-request
  return `${day};${to};${pier}`;
}

const app = express();
app.get('/', (_, response) => response.send('ok'));
app.get('/timetable.csv', (_, response) => {
  const text = departures.map(written).join('\n').repeat(24);
  response.set({ 'content-type': 'text/csv', 'content-encoding': 'gzip' });
  response.send(gzipSync(text)); // planted: sync-zlib
});
app.listen(Number(process.env.PORT), '127.0.0.1');
