// @ts-check
// The smallest node:http service: what the generators cost against a target that people really run.
import { createServer } from 'node:http';

const port = Number(process.argv[2]);
const server = createServer((_request, response) => response.end('ok'));
// A closed connection in the middle of a round would be counted against the generator.
server.keepAliveTimeout = 0;
server.listen(port, '127.0.0.1');
