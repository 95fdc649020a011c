// Fails for so many milliseconds from its first request on (its second argument), then responds.
import { createServer } from 'node:http';

let first = 0;
createServer((_, response) => {
  first ||= Date.now();
  response.statusCode = Date.now() - first < Number(process.argv[2]) ? 500 : 200;
  response.end();
}).listen(process.env.PORT, '127.0.0.1');
