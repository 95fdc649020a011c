// Keeps what it is asked to.
const http = require('node:http');

/** @type {unknown[]} */
const kept = [];

const keeps = {
  objects(bytes) {
    for (let made = 0; made < bytes; made += 4096) {
      const rows = [];
      for (let row = 0; row < 512; row += 1) rows.push(made + row / 7);
      kept.push(rows);
    }
  },
  buffers(bytes) {
    for (let made = 0; made < bytes; made += 1e5) kept.push(Buffer.alloc(1e5, 1));
  },
  garbage(bytes) {
    for (let made = 0; made < bytes; made += 4096) Array.from({ length: 512 }, (_, row) => made + row / 7);
  },
};

/** @param {number} ms */
function block(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const server = http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  if (pathname === '/blocked') block(Number(searchParams.get('ms')));
  keeps[pathname.slice(1)]?.(Number(searchParams.get('mb')) * 1e6);
  response.end('ok');
});
server.listen(Number(process.env.PORT), '127.0.0.1');
