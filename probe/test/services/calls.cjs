// A service with one route for each way to call another one, whose address is in UPSTREAM.
const http = require('node:http');

const upstream = process.env.UPSTREAM ?? '';
const keeping = new http.Agent({ keepAlive: true });
const one_socket = new http.Agent({ keepAlive: true, maxSockets: 1 });
let number = 0;

/** @param {string} path @param {http.RequestOptions} [options] @param {string} [body] */
function ask(path, options = {}, body = undefined) {
  return new Promise((resolve, reject) => {
    const request = http.request(`${upstream}${path}`, { agent: keeping, ...options }, (response) => {
      response.resume().on('end', resolve);
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function get(path) {
  const response = await fetch(`${upstream}${path}`); // line: helper
  return response.text();
}

function unique() {
  number += 1;
  return `/unique/${number}`;
}

/** @type {Record<string, (id: string) => unknown>} */
const routes = {
  '/': () => 'fine',
  '/one': () => ask('/same'),
  '/one-fetch': () => get('/same'),
  '/twice': async () => {
    await get('/same'); // line: first
    await get(unique()); // line: other
    await get('/same'); // line: again
  },
  '/twice-http': async () => {
    await ask('/same');
    await ask('/same');
  },
  '/series': async () => {
    await get(unique());
    await get(unique());
    await get(unique());
  },
  '/parallel': () => Promise.all([get(unique()), get(unique()), ask(unique())]),
  '/queued': () => Promise.all([1, 2, 3].map(() => ask(unique(), { agent: one_socket }))),
  '/posts': async () => {
    await ask('/write', { method: 'POST' }, 'x');
    await ask('/write', { method: 'POST' }, 'x');
  },
  '/users': async () => {
    await ask('/me', { headers: { authorization: 'a' } });
    await ask('/me', { headers: { authorization: 'b' } });
    await fetch(`${upstream}/me`, { headers: { authorization: 'c' } }).then((response) => response.text());
  },
  '/retry': async () => {
    await get('/failing');
    await get('/failing');
  },
  '/closing': async () => {
    await ask(unique(), { agent: new http.Agent() });
    await ask(unique(), { agent: new http.Agent() });
  },
  '/redirect': () => get('/moved'),
  '/after': () => {
    setTimeout(() => get(unique()), 20);
  },
  '/timer': async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await get(unique());
  },
  '/callbacks': () =>
    new Promise((resolve) => {
      http.get(`${upstream}/same`, { agent: keeping }, (first) => {
        first.resume().on('end', () => {
          http.get(`${upstream}/same`, { agent: keeping }, (second) => second.resume().on('end', resolve));
        });
      });
    }),
};

const server = http.createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://host');
  await routes[pathname]?.(pathname);
  response.end('done');
});
server.listen(Number(process.env.PORT), '127.0.0.1');
