// Parcels that are watched: each question for one is to be told when the list of depots changes.
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const depots = new EventEmitter();
depots.setMaxListeners(0);
const server = createServer((_, response) => response.end('ok'));
const parcels = new WebSocketServer({ server, path: '/parcels' });

parcels.on('connection', (socket) => {
  socket.on('message', (data) => {
    const [id = '', parcel = ''] = String(data).split(' ');
    depots.on('change', () => socket.send(`${parcel} is elsewhere`)); // planted: listener-growth
    socket.send(`${id} ${parcel} depot ${Number(parcel) % 7}`);
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
