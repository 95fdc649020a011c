// @ts-check
/** Responses of the port that holds connections, as bytes on the wire. */

import { STATUS_CODES } from 'node:http';

/** A page of another origin, such as the port that takes sprites, may read what is here. */
const COMMON = 'access-control-allow-origin: *\r\ncache-control: no-store\r\n';

let dateSecond = 0;
let dateText = '';

/** The header that every response has, made once a second. */
function dateLine() {
  const now_ms = Date.now();
  const second = Math.floor(now_ms / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = `date: ${new Date(now_ms).toUTCString()}\r\n`;
  }
  return dateText;
}

/** @param {string} body of JSON @param {boolean} close */
export function newsResponse(body, close) {
  return (
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${COMMON}${dateLine()}` +
    // With this, `plimsoll hold` sees how long a sprite takes to arrive.
    `sent-monotonic-ns: ${process.hrtime.bigint()}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
    `${close ? 'connection: close\r\n' : ''}\r\n${body}`
  );
}

/** Of a stream that ends with its connection. */
export function eventsHead() {
  return (
    `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n${COMMON}${dateLine()}` +
    // A proxy that collects the response would keep events from the client.
    'x-accel-buffering: no\r\nconnection: close\r\n\r\n'
  );
}

/** What GET would have been, without taking anything. @param {boolean} close */
export function headResponse(close) {
  return (
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${COMMON}${dateLine()}` +
    `${close ? 'connection: close\r\n' : ''}\r\n`
  );
}

/** @param {import('@plimsoll/service-common/problem.js').AnyProblem} problem @param {{ close: boolean, body: boolean }} options */
export function problemResponse(problem, { close, body }) {
  const text = problem.toText();
  let headers = '';
  for (let at = 0; at < problem.headers.length; at += 2) {
    headers += `${problem.headers[at]}: ${problem.headers[at + 1]}\r\n`;
  }
  return (
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\ncontent-type: application/problem+json\r\n` +
    `${COMMON}${dateLine()}${headers}content-length: ${Buffer.byteLength(text)}\r\n` +
    `${close ? 'connection: close\r\n' : ''}\r\n${body ? text : ''}`
  );
}
