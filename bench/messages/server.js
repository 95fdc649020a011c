// @ts-check
// What is asked over HTTP/1.1, over WebSockets and over Socket.IO, by one process: each request gets its path back, each message itself. Its
// argument is the port.
import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { WebSocketServer } from 'ws';

const server = createServer((request, response) => void response.end(request.url));
// A closed connection in the middle of a round would be counted against the generator.
server.keepAliveTimeout = 0;
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
sockets.on('connection', (client) => {
  client.on('message', (message, isBinary) => client.send(message, { binary: isBinary }));
});
const events = new Server(server, { transports: ['websocket'], serveClient: false, destroyUpgrade: false });
events.on('connection', (client) => {
  client.on('say', (what, heard) => heard(what));
});
server.on('upgrade', (request, socket, head) => {
  if (request.url?.startsWith('/socket.io/')) return;
  sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request));
});
server.listen(Number(process.argv[2]), '127.0.0.1');
