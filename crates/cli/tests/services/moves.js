// @ts-check
// Redirects requests as their paths say, over HTTP/1.1 or, with HTTP=2, over HTTP/2; over TLS where CERT names a certificate. It counts what
// it was asked for, and with LOG writes these counts there when it is ended.
import { readFileSync, writeFileSync } from 'node:fs';
import * as http from 'node:http';
import * as http2 from 'node:http2';
import * as https from 'node:https';

const { CERT, HTTP, KEY, LOG, PORT } = process.env;

/** @type {Map<string, number>} */
const asked = new Map();

/**
 * @param {http.IncomingMessage | http2.Http2ServerRequest} req
 * @param {any} res
 */
async function respond(req, res) {
  let body = '';
  for await (const chunk of req) body += chunk;
  const { authorization = 'nobody' } = req.headers;
  const what = `${req.method} ${req.url} ${body} by ${authorization}`;
  asked.set(what, (asked.get(what) ?? 0) + 1);
  const url = String(req.url);
  /** @type {Record<string, [number, string]>} */
  const leads = {
    '/old': [301, 'there?a=b#c'],
    '/form': [303, '/there'],
    '/round': [302, '/round'],
    '/away': [302, 'http://elsewhere.test/there?token=1'],
  };
  const kept = url.match(/^\/kept\/(\d+)$/);
  const [status, location] = kept ? [307, `../stays/${kept[1]}`] : (leads[url] ?? [200, '']);
  if (status === 200) res.writeHead(status).end('here');
  else res.writeHead(status, { location }).end('moved');
}

const tls = CERT ? { cert: readFileSync(CERT), key: readFileSync(String(KEY)) } : undefined;
/** @type {any} */
const [plain, secure] =
  HTTP === '2' ? [http2.createServer, http2.createSecureServer] : [http.createServer, https.createServer];
const server = tls ? secure(tls, respond) : plain(respond);
server.listen(Number(PORT), '127.0.0.1');

process.on('SIGTERM', () => {
  if (LOG) writeFileSync(LOG, JSON.stringify([...asked].sort()));
  process.exit(0);
});
