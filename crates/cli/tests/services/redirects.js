// Sends early hints, and then a redirect to a page for people.
import { createServer } from 'node:http';

createServer((_req, res) => {
  res.writeEarlyHints({ link: '</style.css>; rel=preload' });
  res.writeHead(302, { location: '/login?from=health' }).end();
}).listen(process.env.PORT, '127.0.0.1');
