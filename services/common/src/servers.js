// @ts-check
/** The servers of node:http, node:https and node:http2, one as bounded as the other. */

import { createServer as createHttpServer, maxHeaderSize } from 'node:http';
import { readCertificate } from './certificate.js';
import { clientErrorResponder } from './client-error.js';

/** @import { Server as HttpServer } from 'node:http' */
/** @import { Http2SecureServer, Http2Server } from 'node:http2' */
/** @import { AnyProblemClass } from './problem.js' */
/** @import { Transport } from './transport.js' */

/** Above the idle time of common load generators and proxies, so that it is they who close a connection. */
export const KEEP_ALIVE_MS = 65_000;
/** For a whole request, and so for an open connection that never sends one. */
export const REQUEST_MS = 66_000;
const LIMITS = { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS };

/** The least that RFC 9113 recommends (6.5.2). */
const MOST_STREAMS = 100;

/**
 * @typedef {HttpServer | Http2Server | Http2SecureServer} AnyServer a request over HTTP/2 comes by the compatibility API
 */

/**
 * @param {Transport} transport
 * @param {AnyProblemClass} Problem for what is no request
 * @returns {Promise<AnyServer>}
 * @throws {import('./settings.js').ConfigError} if the certificate cannot be used
 */
export async function createServer({ http, tls }, Problem) {
  const certificate = tls === undefined ? undefined : await readCertificate(tls);
  const server =
    http === '1.1' ? await http1Server(certificate) : await http2Server(certificate, http === 'both');
  server.on('clientError', clientErrorResponder(Problem));
  return server;
}

/** @param {{ cert: string, key: string } | undefined} certificate @returns {Promise<HttpServer>} */
async function http1Server(certificate) {
  if (certificate === undefined) return createHttpServer(LIMITS);
  const { createServer } = await import('node:https');
  return createServer({ ...LIMITS, ...certificate });
}

/** @param {{ cert: string, key: string } | undefined} certificate @param {boolean} allowHTTP1 */
async function http2Server(certificate, allowHTTP1) {
  const { createServer, createSecureServer } = await import('node:http2');
  const settings = { maxConcurrentStreams: MOST_STREAMS, maxHeaderListSize: maxHeaderSize };
  if (certificate === undefined) return createServer({ settings });
  const server = createSecureServer({ settings, ...certificate, allowHTTP1 });
  // For requests over HTTP/1.1. The constructor does not take them.
  return Object.assign(server, LIMITS);
}
