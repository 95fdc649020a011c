// Takes each path once: what comes again gets a 409.
import { createServer } from 'node:http';

const seen = new Set();
const server = createServer((req, res) => {
  res.statusCode = seen.has(req.url) ? 409 : 200;
  if (req.url !== '/') seen.add(req.url);
  res.end();
});
server.listen(Number(process.env.PORT), '127.0.0.1');
