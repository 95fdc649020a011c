// Parks every request, and has room for ROOM connections: it ends those that come when it is full.
import { createServer } from 'node:http';

const server = createServer(() => {});
server.maxConnections = Number(process.env.ROOM);
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'));
