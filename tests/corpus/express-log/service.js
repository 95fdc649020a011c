// Searches a log for what a user typed.
import express from 'express';

const lines = Array.from({ length: 300 }, (_, index) => {
  const minute = String(index % 60).padStart(2, '0');
  return `2026-03-${String((index % 28) + 1).padStart(2, '0')}T10:${minute}:00Z host-${index % 9} job ${index} ended in ${index % 13} s`;
});

const app = express();
app.get('/', (_, response) => response.send('ok'));
app.get('/log', ({ query }, response) => {
  const pattern = new RegExp(`^(.*)(.*) host-\\d+ (.*)${query.word}(.*) s$`, 'i');
  const found = lines.filter((line) => pattern.test(line)); // planted: regex
  response.json({ found: found.length });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
