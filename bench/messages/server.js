// @ts-check
// What is asked over HTTP/1.1 and over WebSockets, by one process: each request gets its path back, each message itself. Its argument is
// the port.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const server = createServer((request, response) => void response.end(request.url));
// A closed connection in the middle of a round would be counted against the generator.
server.keepAliveTimeout = 0;
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (client) => {
  client.on('message', (message, isBinary) => client.send(message, { binary: isBinary }));
});
server.listen(Number(process.argv[2]), '127.0.0.1');
