// @ts-check
/** A client of the tests that speaks HTTP/2, or HTTP/1.1 over TLS, and believes any certificate. */

import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:http2';
import { request as requestOverTls } from 'node:https';

/** @import { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2' */

/**
 * @typedef {{ status: number, headers: IncomingHttpHeaders, bytes: Buffer, text: string }} Response
 * @typedef {{ method?: string, headers?: Record<string, string>, body?: string }} Question
 */

/**
 * A connection over HTTP/2, closed when the test ends.
 * @param {import('node:test').TestContext} t
 * @param {string} url of a service
 */
export async function openHttp2(t, url) {
  const session = connect(url, { rejectUnauthorized: false });
  t.after(() => session.destroy());
  await once(session, 'remoteSettings');
  return {
    session,
    /** @param {string} path @param {Question} [question] */
    ask: (path, question) => responseTo(begin(session, path, question)),
    /** A request whose body, if it has one, is still to be written. @param {string} path @param {Question} [question] */
    begin: (path, question) => begin(session, path, question, false),
  };
}

/**
 * @param {ClientHttp2Session} session
 * @param {string} path
 * @param {Question} [question]
 * @param {boolean} [complete] whether the body is written
 */
function begin(session, path, { method = 'GET', headers = {}, body } = {}, complete = true) {
  const withoutBody = method === 'GET' || method === 'HEAD';
  const stream = session.request(
    { ':path': path, ':method': method, ...headers },
    { endStream: withoutBody },
  );
  if (complete && !withoutBody) stream.end(body);
  return stream;
}

/** @param {ClientHttp2Stream} stream @returns {Promise<Response>} rejects if the stream is reset before its response is complete */
export async function responseTo(stream) {
  /** @type {IncomingHttpHeaders & { ':status'?: number }} */
  let headers = {};
  stream.once('response', (received) => {
    headers = received;
  });
  /** @type {Buffer[]} */
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  await once(stream, 'close');
  const { ':status': status } = headers;
  // A service may reset without an error what it has responded to; the end of the connection is CANCEL.
  if (status === undefined || stream.rstCode !== 0) throw new Error(`reset with code ${stream.rstCode}`);
  const bytes = Buffer.concat(chunks);
  return { status, headers, bytes, text: bytes.toString() };
}

/**
 * One request over HTTP/1.1, on a connection of its own.
 * @param {string} url
 * @param {Question} [question]
 * @returns {Promise<Response>}
 */
export async function askHttp1(url, { method = 'GET', headers = {}, body } = {}) {
  const open = url.startsWith('https:') ? requestOverTls : request;
  const sent = open(url, { method, headers, agent: false, rejectUnauthorized: false }).end(body);
  const [res] = /** @type {[import('node:http').IncomingMessage]} */ (await once(sent, 'response'));
  const bytes = Buffer.concat(await res.toArray());
  return { status: res.statusCode ?? 0, headers: res.headers, bytes, text: bytes.toString() };
}
