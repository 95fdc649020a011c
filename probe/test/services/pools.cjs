// Calls through pools that have a bound of two: of http.Agent, and of a package. What they are for takes 20 ms.
const http = require('node:http');
const { Pool } = require('tarn');
const { setTimeout: sleep } = require('node:timers/promises');

const other = http.createServer((_, response) => setTimeout(() => response.end('done'), 20));
const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
const pool = new Pool({
  create: () => ({}),
  destroy: () => {},
  min: 0,
  max: 2,
});

function call(options) {
  const { port } = other.address();
  return new Promise((resolve, reject) => {
    http
      .get({ port, host: '127.0.0.1', ...options }, (response) => response.resume().on('end', resolve))
      .on('error', reject);
  });
}

async function query() {
  const connection = await pool.acquire().promise; // line: pool
  await sleep(20);
  pool.release(connection);
}

const sixTimes = (make) => Promise.all(Array.from({ length: 6 }, make));
const routes = {
  '/agent': () => sixTimes(() => call({ agent })),
  '/unbound': () => sixTimes(() => call({})),
  '/pool': () => sixTimes(query),
};

http
  .createServer(async ({ url }, response) => {
    await routes[url]?.();
    response.end('done');
  })
  .listen(process.env.PORT, '127.0.0.1');
other.listen(0, '127.0.0.1');
