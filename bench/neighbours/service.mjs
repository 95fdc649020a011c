// @ts-check
// A service that works a little for each request and asks its neighbour: an upstream by HTTP, or a Redis.
import { Agent, createServer, get } from 'node:http';
import { createConnection } from 'node:net';

const workUs = Number(process.env.WORK_US ?? 0);
const upstream = process.env.UPSTREAM;
const redis = Number(process.env.REDIS_PORT ?? 0);
/** Turns of a loop in Redis for each request. */
const turns = Number(process.env.REDIS_TURNS ?? 0);

function usedUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** @param {(ok: boolean) => void} done */
function askUpstream(done) {
  const request = get(String(upstream), { agent }, (response) => {
    response.resume().on('end', () => done(response.statusCode === 200));
  });
  request.on('error', () => done(false));
}

/** @type {((ok: boolean) => void)[]} */
const waiting = [];
const connection = redis > 0 ? createConnection(redis, '127.0.0.1') : undefined;
connection?.on('data', (bytes) => {
  // Each reply is one line: the number that the loop comes to.
  for (const byte of bytes) {
    if (byte === 10) {
      waiting.shift()?.(true);
    }
  }
});

/** @param {(ok: boolean) => void} done */
function askRedis(done) {
  const script = `local s = 0; for i = 1, ${turns} do s = s + i end; return 1`;
  waiting.push(done);
  connection?.write(`*3\r\n$4\r\nEVAL\r\n$${script.length}\r\n${script}\r\n$1\r\n0\r\n`);
}

/** @param {(ok: boolean) => void} done */
function ask(done) {
  if (upstream !== undefined) {
    askUpstream(done);
  } else if (connection !== undefined) {
    askRedis(done);
  } else {
    done(true);
  }
}

createServer((_request, response) => {
  const begin = usedUs();
  while (usedUs() - begin < workUs);
  ask((ok) => {
    response.statusCode = ok ? 200 : 502;
    response.end();
  });
}).listen(process.env.PORT, '127.0.0.1');
