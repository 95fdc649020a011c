import { createServer } from 'node:http';

createServer((_req, res) => res.end('ok')).listen(process.env.PORT, '127.0.0.1', () =>
  console.log('listening'),
);
