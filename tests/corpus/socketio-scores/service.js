// Scores of a game: who scores tells all players.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const server = createServer((request, response) => {
  if (request.url === '/') response.end('ok');
});
const io = new Server(server, { serveClient: false });
const players = Array.from({ length: 12 }, (_, index) => ({
  player: `player ${index}`,
  points: 0,
  level: 1,
}));

io.on('connection', (socket) => {
  socket.on('score', (points, heard) => {
    const player = players[points % players.length];
    player.points += points;
    player.level = 1 + Math.floor(player.points / 1000);
    for (const other of io.sockets.sockets.values()) {
      other.emit('scores', { players, last: player.player }); // planted: broadcast-per-socket
    }
    heard(player.points);
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
