import { createServer } from 'node:http';

createServer((_req, res) => res.writeHead(500).end('oops')).listen(process.env.PORT, '127.0.0.1');
