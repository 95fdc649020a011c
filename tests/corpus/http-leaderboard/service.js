// A leaderboard, worked out anew every two seconds.
import { createServer } from 'node:http';

const players = Array.from({ length: 60_000 }, (_, index) => ({
  name: `player ${index}`,
  points: (index * 7919) % 100_003,
}));
let board = [];

function rank() {
  const sorted = [...players].sort((a, b) => b.points - a.points || a.name.localeCompare(b.name)); // planted: event-loop-stall
  const near = sorted.map((player, index) => {
    let distance = 0;
    for (let other = Math.max(index - 400, 0); other < index; other += 1) {
      distance += Math.abs(sorted[other].points - player.points);
    }
    return { ...player, rank: index + 1, distance };
  });
  board = near.slice(0, 10);
}
rank();
setInterval(rank, 2000);

const server = createServer((request, response) => {
  if (request.url === '/') return response.end('ok');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(board.slice(0, 3)));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
