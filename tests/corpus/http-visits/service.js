// Remembers who visited what.
import { createServer } from 'node:http';

const visits = new Map();
let number = 0;

function remember(request) {
  number += 1;
  const steps = Array.from({ length: 60 }, (_, index) => ({ at: number + index, page: `page ${index}` })); // planted: heap-growth
  visits.set(`visit-${number}`, { agent: request.headers['user-agent'], steps });
}

const server = createServer((request, response) => {
  if (request.url === '/') return response.end('ok');
  remember(request);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ visit: number }));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
