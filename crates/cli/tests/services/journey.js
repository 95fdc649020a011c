// A shop that knows its users: what one of them asks has to come in order, with the values that were given out before. Anything else is a
// 409 that says what is wrong. With FAULT the response to the log-in is not what it is to be. LOG writes there, when it is ended, which
// users came on each of its connections.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createServerOfHttp2 } from 'node:http2';

const { FAULT = '', HTTP = '1.1', LOG, PORT } = process.env;

/** @typedef {{ token: string, at: string, orders: number, polls: number }} User */
/** @type {Map<string, User>} */
const users = new Map();
let count = 0;
/** @type {Map<unknown, Set<string>>} */
const connections = new Map();

/** @param {import('node:http').IncomingMessage} req @param {string} user */
function note(req, user) {
  const stream = /** @type {{ stream?: { session?: unknown } }} */ (req).stream;
  const connection = stream?.session ?? req.socket;
  connections.set(connection, (connections.get(connection) ?? new Set()).add(user));
}

/** @type {Record<string, (id: string, token: string) => string>} */
const FAULTS = {
  missing: (id) => JSON.stringify({ user: { id } }),
  null: (id) => JSON.stringify({ user: { id }, token: null }),
  not_json: () => '<html>Please come back later</html>',
  cut_short: (id) => `{"user":{"id":"${id}"},"token":"to`,
  huge: (id, token) => JSON.stringify({ padding: 'x'.repeat(2 << 20), user: { id }, token }),
  long: (id) => JSON.stringify({ user: { id }, token: 'x'.repeat(1 << 15) }),
  injected: (id) => JSON.stringify({ user: { id }, token: `a\r\nx-admin: yes` }),
};

/** @param {User | undefined} user @param {string} before @param {string} now */
function moves(user, before, now) {
  if (!user) return 'an unknown user';
  if (user.at !== before) return `${now} after ${user.at}`;
  user.at = now;
  return '';
}

/** @param {import('node:http').IncomingMessage} req */
async function textOf(req) {
  let text = '';
  for await (const piece of req) text += piece;
  return text;
}

/** @param {import('node:http').IncomingMessage} req @param {import('node:http').ServerResponse} res */
async function listener(req, res) {
  const text = await textOf(req);
  const [, what = '', id = ''] = (req.url ?? '').split('/');
  const user = users.get(id);
  /** @param {number} status @param {unknown} body @param {Record<string, string | string[]>} [headers] */
  const respond = (status, body, headers = {}) => {
    const content = typeof body === 'string' ? body : JSON.stringify(body);
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(content);
  };
  /** @param {string} wrong */
  const refuse = (wrong) => respond(409, { wrong });
  if (what === 'sessions') {
    count++;
    const { name } = JSON.parse(text);
    const [fresh, token] = [`u${count}`, `t"${count}\\`];
    users.set(fresh, { token, at: 'log in', orders: 0, polls: 0 });
    note(req, fresh);
    const location = `/users/${fresh}`;
    const cookies = [`sid=s${count}; HttpOnly`, `name=${name}`];
    if (FAULT === 'closed') return req.socket.destroy();
    if (FAULT === 'closed_in_the_middle') {
      res.writeHead(201, { 'content-length': '1000' });
      return res.write('{"token":', () => req.socket.destroy());
    }
    const body = FAULTS[FAULT]?.(fresh, token) ?? JSON.stringify({ user: { id: fresh }, token });
    if (FAULT === 'injected') users.set(fresh, { token: '', at: 'log in', orders: 0, polls: 0 });
    return respond(201, body, { location, 'set-cookie': cookies });
  }
  note(req, id);
  if (req.headers['x-admin']) throw new Error('a header was smuggled in');
  if (!(req.headers.cookie ?? '').includes(`sid=s${id.slice(1)}`)) return refuse('no cookie');
  if (req.headers.authorization !== `Bearer ${user?.token}`) return refuse('another token');
  if (what === 'users') {
    const wrong = moves(user, 'log in', 'browse');
    return wrong ? refuse(wrong) : respond(200, { id, page: `<b id="next-${id}">` }, { etag: `"${id}"` });
  }
  if (what === 'orders' && req.method === 'POST') {
    const { token, id: named } = JSON.parse(text);
    if (token !== user?.token || named !== `order of ${id}`) return refuse('another body');
    if (req.headers['if-match'] !== `"${id}"`) return refuse('another etag');
    const wrong = moves(user, 'browse', 'order');
    return wrong ? refuse(wrong) : respond(202, { state: 'open' });
  }
  if (what === 'orders' && user) {
    user.polls++;
    return respond(200, { state: user.polls < 3 ? 'open' : 'done', items: [{ n: user.polls }] });
  }
  return refuse('nothing is here');
}

// What of the one the listener uses the other has as well.
const server = HTTP === '2' ? createServerOfHttp2(/** @type {any} */ (listener)) : createServer(listener);
server.listen(PORT, '127.0.0.1', () => console.log('listening'));

process.on('SIGTERM', () => {
  if (LOG) writeFileSync(LOG, JSON.stringify([...connections.values()].map((on) => [...on])));
  process.exit(0);
});
