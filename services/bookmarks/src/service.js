// @ts-check
/** The service put together: database, bot, Socket.IO and what the platform asks for, on one port; and taken down in the reverse order. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { createHandler } from '@plimsoll/service-common/handler.js';
import { healthRoutes } from '@plimsoll/service-common/health.js';
import { urlOf } from '@plimsoll/service-common/listening.js';
import { createCounter, createRequestCounter, renderMetrics } from '@plimsoll/service-common/metrics.js';
import { pino } from 'pino';
import { Server } from 'socket.io';
import { createBot } from './bot.js';
import { Problem } from './errors.js';
import { openStore } from './store.js';

const USER = /^[a-z0-9-]{1,32}$/;
/** Of one message; a command has at most 4,000 characters. */
const MOST_BYTES = 32 * 1024;

/**
 * @param {import('./config.js').Config} config
 * @param {import('pino').DestinationStream} [logTo] stdout if not given
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startService(config, logTo = pino.destination({ dest: 1, sync: false })) {
  const log = pino({ level: config.log_level }, logTo);
  const store = openStore(config.file);
  const reply = createBot(store, config.most_bookmarks, Date.now);
  const requests = createRequestCounter('bookmarks');
  const replies = createCounter('bookmarks_replies_total', 'Replies of the bot.', 'result', [
    'done',
    'refused',
    'failed',
  ]);
  let stopping = false;

  const { handle } = createHandler({
    routes: healthRoutes({
      Problem,
      readiness: () => (stopping ? 'the service is stopping' : undefined),
      exposition: () =>
        renderMetrics([requests, replies], {
          bookmarks_clients: { help: 'Clients that are connected.', value: () => io.engine.clientsCount },
        }),
    }),
    Problem,
    metrics: { request: requests.add },
    log,
  });
  const server = createServer(handle);
  const io = new Server(server, { serveClient: false, maxHttpBufferSize: MOST_BYTES });

  io.use((socket, next) => {
    const { user } = socket.handshake.auth;
    if (typeof user === 'string' && USER.test(user)) {
      socket.data.user = user;
      next();
    } else {
      next(new Error('expected `auth: { user }` with 1 to 32 of a-z, 0-9 and -'));
    }
  });

  io.on('connection', (socket) => {
    const { user } = socket.data;
    socket.join(user);
    socket.on('say', (line, acknowledge) => {
      const answer = answerTo(user, line);
      replies.add(answer.ok ? 'done' : answer.code === 'internal' ? 'failed' : 'refused');
      if (typeof acknowledge === 'function') acknowledge(answer);
      else socket.emit('said', answer);
      if (answer.ok && answer.changed) socket.to(user).emit('changed', { text: answer.text });
    });
  });

  /** @param {string} user @param {unknown} line */
  function answerTo(user, line) {
    try {
      return reply(user, line);
    } catch (error) {
      log.error({ err: error, user }, 'command failed');
      return { ok: /** @type {false} */ (false), code: 'internal', text: 'the service failed' };
    }
  }

  try {
    server.listen(config.port, config.host);
    await once(server, 'listening');
  } catch (error) {
    store.close();
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
      store.close();
      log.info('stopped');
    },
  };
}
