// @ts-check
/** The service put together: rooms, Socket.IO, Redis where there is one, and what the platform asks for, on one port. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { createHandler } from '@plimsoll/service-common/handler.js';
import { healthRoutes } from '@plimsoll/service-common/health.js';
import { urlOf } from '@plimsoll/service-common/listening.js';
import { createCounter, createRequestCounter, renderMetrics } from '@plimsoll/service-common/metrics.js';
import { createAdapter } from '@socket.io/redis-adapter';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { Server } from 'socket.io';
import { Problem } from './errors.js';
import { memberOf, welcome } from './rooms.js';

/** Of one message; a text has at most 1,000 characters. */
const MOST_BYTES = 8 * 1024;

/**
 * @param {import('./config.js').Config} config
 * @param {import('pino').DestinationStream} [logTo] stdout if not given
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startService(config, logTo = pino.destination({ dest: 1, sync: false })) {
  const log = pino({ level: config.log_level }, logTo);
  const requests = createRequestCounter('chat');
  const replies = createCounter('chat_replies_total', 'Replies to what clients asked for.', 'result', [
    'done',
    'refused',
  ]);
  const others = config.redis === undefined ? undefined : await connect(config.redis, log);
  let stopping = false;

  const { handle } = createHandler({
    routes: healthRoutes({
      Problem,
      readiness: () => (stopping ? 'the service is stopping' : undefined),
      exposition: () =>
        renderMetrics([requests, replies], {
          chat_clients: { help: 'Clients that are connected.', value: () => io.engine.clientsCount },
        }),
    }),
    Problem,
    metrics: { request: requests.add },
    log,
  });
  const server = createServer(handle);
  /** @type {import('./rooms.js').Server} */
  const io = new Server(server, {
    serveClient: false,
    maxHttpBufferSize: MOST_BYTES,
    // A session of long polling would have to find its process again.
    transports: ['websocket'],
    ...(others === undefined ? {} : { adapter: others.adapter }),
  });
  io.use((socket, next) => {
    try {
      Object.assign(socket.data, memberOf(socket.handshake.auth));
      next();
    } catch (error) {
      next(/** @type {Error} */ (error));
    }
  });
  io.on('connection', (socket) => welcome(io, socket, replies.add));

  try {
    server.listen(config.port, config.host);
    await once(server, 'listening');
  } catch (error) {
    others?.close();
    throw error;
  }
  const url = urlOf(server, 'http');
  log.info({ url }, 'listening');
  return {
    url,
    async stop() {
      stopping = true;
      // Closes the server too, with every connection.
      await io.close();
      others?.close();
      log.info('stopped');
    },
  };
}

/** What other processes say comes by Redis. @param {string} url @param {import('pino').Logger} log */
async function connect(url, log) {
  const publishes = new Redis(url, { lazyConnect: true });
  const hears = publishes.duplicate();
  for (const redis of [publishes, hears]) redis.on('error', (err) => log.warn({ err }, 'redis'));
  const close = () => {
    publishes.disconnect();
    hears.disconnect();
  };
  try {
    await Promise.all([publishes.connect(), hears.connect()]);
  } catch {
    close();
    throw new Error(`failed to reach Redis at REDIS_URL; expected a server such as redis://127.0.0.1:6379`);
  }
  return { adapter: createAdapter(publishes, hears), close };
}
