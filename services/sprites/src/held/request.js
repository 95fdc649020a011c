// @ts-check
/**
 * Reads requests without a body off a connection (RFC 9112), strictly: what could be understood in two ways is refused.
 * Bytes in, requests out, no state but what has not been read yet.
 */

import { Problem } from '../errors.js';

/** A request line and its headers, at most. */
export const MOST_HEAD_BYTES = 8 * 1024;

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} url as it was sent
 * @property {string} path
 * @property {URLSearchParams | undefined} query
 * @property {Record<string, string>} headers by lower-case name; of one that came twice, joined by commas
 * @property {boolean} close whether the connection ends after the response
 * @property {number} end how many bytes it took
 */

const END = Buffer.from('\r\n\r\n');
const CR = 13;
const LF = 10;
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([\x21-\x7e]+) HTTP\/(\d\.\d)$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;

/**
 * @param {Buffer} bytes
 * @returns {Request | undefined} undefined: it is not complete yet
 * @throws {Problem} what makes it no request that can be taken; the connection cannot be used any more
 */
export function readRequest(bytes) {
  let start = 0;
  // One empty line before a request is allowed (RFC 9112, 2.2).
  if (bytes[0] === CR && bytes[1] === LF) start = 2;
  const at = bytes.indexOf(END, start);
  if (at === -1 ? bytes.length > MOST_HEAD_BYTES : at + 4 > MOST_HEAD_BYTES)
    throw new Problem('headers_too_large');
  if (at === -1) return undefined;
  const [line, ...lines] = bytes.toString('latin1', start, at).split('\r\n');
  const found = REQUEST_LINE.exec(line);
  if (found === null) throw new Problem('malformed_request', 'the request line is not one');
  const [, method, url, version] = found;
  if (version !== '1.1' && version !== '1.0')
    throw new Problem('unsupported_version', `found HTTP/${version}`);
  const headers = readHeaders(lines);
  if (version === '1.1' && !isHost(headers.host)) throw new Problem('malformed_request', 'expected one host');
  refuseBody(headers);
  const target = url.startsWith('http://') || url.startsWith('https://') ? originOf(url) : url;
  const mark = target.indexOf('?');
  const connection = (headers.connection ?? '').toLowerCase();
  return {
    method,
    url,
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? undefined : new URLSearchParams(target.slice(mark + 1)),
    headers,
    close: hasToken(connection, 'close') || (version === '1.0' && !hasToken(connection, 'keep-alive')),
    end: at + 4,
  };
}

/** @param {string[]} lines */
function readHeaders(lines) {
  /** @type {Record<string, string>} */
  const headers = Object.create(null);
  for (const line of lines) {
    const found = HEADER.exec(line);
    // A line that continues the one before begins with a space; it is obsolete and refused with the rest.
    if (found === null) throw new Problem('malformed_request', 'a header line is not one');
    const name = found[1].toLowerCase();
    const value = found[2].trimEnd();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

/** @param {string | undefined} host */
function isHost(host) {
  return host !== undefined && !host.includes(',') && !host.includes(' ');
}

/** @param {Record<string, string>} headers */
function refuseBody(headers) {
  const length = headers['content-length'];
  if (headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')) {
    throw new Problem('unexpected_body');
  }
}

/** The path of an absolute URL, which a proxy may send. @param {string} url */
function originOf(url) {
  const slash = url.indexOf('/', url.indexOf('//') + 2);
  return slash === -1 ? '/' : url.slice(slash);
}

/** @param {string} list @param {string} token */
export function hasToken(list, token) {
  return list.split(',').some((member) => member.trim() === token);
}
