// Notes with a title and a text, kept in memory.
import express from 'express';

const notes = new Map([['1', { id: '1', title: 'Shopping', text: 'bread, milk' }]]);

const app = express();
app.disable('x-powered-by');
app.use(express.json({ limit: '16kb' }));
app.get('/', (_, response) => response.send('ok'));
app.get('/notes/:id', ({ params }, response) => {
  const note = notes.get(params.id);
  if (!note) return response.sendStatus(404);
  response.json(note);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
