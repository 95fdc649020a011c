// @ts-check
// Holds users of Socket.IO who have nothing to say: they are let in and asked by pings, as ever. Its arguments are the first port and how
// many there are.
import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { onEachPort } from './processes.js';

onEachPort(() => {
  const server = createServer();
  new Server(server, { transports: ['websocket'], serveClient: false });
  return server;
});
