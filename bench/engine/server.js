// @ts-check
// The smallest service of Node.js: what the generators cost against a target that people really run. Its arguments are the port, the
// version of HTTP and, for TLS, the files of its key and its certificate.
import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import * as http2 from 'node:http2';
import * as https from 'node:https';

const [port, version, key, cert] = process.argv.slice(2);
const options = { key: key && readFileSync(key), cert: cert && readFileSync(cert) };
/** @type {import('node:http').RequestListener} */
const respond = (_request, response) => void response.end('ok');

/** A server of HTTP/2, whose listener is one of HTTP/1.1 as well. */
function http2Server() {
  const listener = /** @type {any} */ (respond);
  return key ? http2.createSecureServer(options, listener) : http2.createServer(listener);
}

/** A closed connection in the middle of a round would be counted against the generator. */
function http1Server() {
  const server = key ? https.createServer(options, respond) : http.createServer(respond);
  server.keepAliveTimeout = 0;
  return server;
}

const server = version === '2' ? http2Server() : http1Server();
server.listen(Number(port), '127.0.0.1');
