// A list of players by name, put in order anew every two seconds.
import { createServer } from 'node:http';

const players = Array.from({ length: 100_000 }, (_, index) => ({
  name: `Jürgen ${(index * 7919) % 100_003}`,
  points: index % 1000,
}));
let list = players;

function order() {
  list = [...players].sort((a, b) => a.name.localeCompare(b.name, 'de')); // planted: event-loop-stall
}
order();
setInterval(order, 2000);

const server = createServer((request, response) => {
  if (request.url === '/') return response.end('ok');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(list.slice(0, 3)));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
