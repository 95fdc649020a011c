// Shelves of things, and orders on pages: what a user asks for has to be what comes next of what it was given, once each. Anything else is a
// 409 that says what was expected.
import { createServer } from 'node:http';

/** What each user asks for next, in order. @type {Map<string, string[]>} */
const awaited = new Map();

createServer((req, res) => {
  const path = req.url ?? '';
  const [, what = '', user = ''] = path.split('/');
  /** @param {number} status @param {unknown} body */
  const respond = (status, body) => {
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (what === 'shelves') {
    // Every fourth user finds nothing.
    const items = Array.from({ length: Number(user) % 4 }, (_, place) => ({ id: `a"${place}` }));
    const things = items.map((_, place) => `/things/${user}/${place}?a%22${place}`);
    const pages = [5, 6, 7].map((page) => `/pages/${user}/${page}`);
    const offers = Number(user) > 10 && Number(user) < 15 ? [`/offers/${user}`] : [];
    awaited.set(user, [
      ...things,
      ...things,
      `/colours/${user}/red`,
      `/colours/${user}/blue`,
      ...offers,
      ...pages,
    ]);
    return respond(200, {
      items: [...items, { id: null }, 'nothing'],
      links: things.map((thing) => `<a href=${thing}>`),
    });
  }
  const expected = awaited.get(user)?.shift();
  if (path !== expected) return respond(409, { expected, path });
  // One of both says whether there is more, the other one always that there is.
  const [more, left] = [!path.endsWith('/7'), awaited.get(user)?.length];
  return respond(200, Number(user) % 2 ? { more, left: '9' } : { more: true, left });
}).listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
