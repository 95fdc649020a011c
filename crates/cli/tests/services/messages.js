// Gives each message to one of its clients: of `GET /poll` to the one that has waited longest, of `GET /events` to the one that its number
// belongs to, and keeps it where none is there yet. Each LOSE'th message goes to nobody, each DOUBLE'th goes out twice, and with FORGE each
// is followed by one that nobody sent. With HTTP=2 it speaks HTTP/2.
import * as http from 'node:http';
import * as http2 from 'node:http2';

const { LOSE = '0', DOUBLE = '0', FORGE, HTTP, PORT } = process.env;
/** @param {string} each @param {number} count */
const isOne = (each, count) => Number(each) > 0 && count % Number(each) === 0;

/** @type {import('node:http').ServerResponse[]} */
const waiting = [];
/** @type {import('node:http').ServerResponse[]} */
const streams = [];
/** @type {string[]} */
let unread = [];
let count = 0;

/** @param {string} text */
function give(text) {
  if (streams.length > 0) {
    // The number of a mark, `plim` and eight digits in base 36.
    const stream = streams[Number.parseInt(text.slice(4, 12), 36) % streams.length];
    // In two chunks, with the text cut in the middle.
    stream?.write(`data: ${text.slice(0, 9)}`);
    stream?.write(`${text.slice(9)}\n\n`);
    return;
  }
  unread.push(text);
  const client = waiting.shift();
  if (client) hand(client);
}

/** @param {import('node:http').ServerResponse} client */
function hand(client) {
  client.end(JSON.stringify({ news: unread.map((name) => ({ name })) }));
  unread = [];
}

/** @param {http.IncomingMessage} req @param {http.ServerResponse} res */
function respond(req, res) {
  const [, what, text = ''] = (req.url ?? '').split(/[/?]/);
  if (what === 'poll') {
    if (unread.length > 0) hand(res);
    else waiting.push(res);
  } else if (what === 'events') {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.flushHeaders();
    streams.push(res);
    for (const text of unread.splice(0)) give(text);
  } else {
    count++;
    res.writeHead(202).end();
    if (isOne(LOSE, count)) return;
    give(text);
    if (isOne(DOUBLE, count)) give(text);
    if (FORGE) give(`plim${String(count).padStart(12, '0')}`);
  }
}

// Its requests and responses are those of HTTP/1.1 as well.
const createServer = HTTP === '2' ? /** @type {any} */ (http2.createServer) : http.createServer;
createServer(respond).listen(PORT, '127.0.0.1', () => console.log('listening'));
