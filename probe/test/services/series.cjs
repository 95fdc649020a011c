// Calls one after the other through a helper: from a loop of the handler, and from a loop of the helper itself.
const http = require('node:http');

const other = http.createServer((_, response) => response.end('done'));

function call() {
  return new Promise((resolve, reject) => {
    const { port } = other.address();
    http
      .get({ port, host: '127.0.0.1' }, (response) => response.resume().on('end', resolve)) // line: call
      .on('error', reject);
  });
}

async function thrice() {
  for (let i = 0; i < 3; i++) await call(); // line: helper
}

const routes = {
  '/handler': async () => {
    for (let i = 0; i < 3; i++) await call(); // line: handler
  },
  '/helper': async () => {
    await thrice();
  },
};

http
  .createServer(async ({ url }, response) => {
    await routes[url]?.();
    response.end('done');
  })
  .listen(process.env.PORT, '127.0.0.1');
other.listen(0, '127.0.0.1');
