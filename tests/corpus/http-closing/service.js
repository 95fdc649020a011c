// Serial numbers for devices in the field.
import { createServer } from 'node:http';

let serial = 1000;

const server = createServer((request, response) => {
  // Devices used to hang on to connections, and we ran out of them.
  response.setHeader('connection', 'close'); // planted: no-keepalive
  if (request.url === '/') return response.end('ok');
  serial += 1;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ serial }));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
