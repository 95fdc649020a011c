// @ts-check
/** The settings that say how a service is spoken to: the version of HTTP, in clear text or over TLS. */

import { ConfigError, oneOf } from './settings.js';

/** @import { Env } from './settings.js' */

/**
 * @typedef {object} Transport
 * @property {'1.1' | '2' | 'both'} http both: what the client asks for in the handshake of TLS (ALPN)
 * @property {Tls | undefined} tls undefined: clear text
 * @typedef {'self-signed' | { cert: string, key: string }} Tls files in PEM, or a certificate that is made at boot
 */

/** In clear text, HTTP/2 is spoken from the first byte (prior knowledge). */
const HTTP_VERSIONS = /** @type {const} */ (['1.1', '2', 'both']);

/**
 * @param {Env} env
 * @returns {Transport}
 * @throws {ConfigError}
 */
export function readTransport(env) {
  const http = oneOf(env, 'HTTP_VERSION', '1.1', HTTP_VERSIONS);
  const tls = readTls(env);
  if (http === 'both' && tls === undefined) {
    throw new ConfigError(
      'HTTP_VERSION must be 1.1 or 2 unless TLS_CERT is set, because only a handshake of TLS agrees on one; found "both"',
    );
  }
  return { http, tls };
}

/** @param {Env} env @returns {Tls | undefined} */
function readTls({ TLS_CERT: cert, TLS_KEY: key }) {
  if (cert === 'self-signed') {
    if (key) throw new ConfigError(`TLS_KEY must not be set where TLS_CERT is self-signed; found "${key}"`);
    return cert;
  }
  if (cert && key) return { cert, key };
  if (cert) throw new ConfigError('TLS_KEY must be the file of the private key of TLS_CERT; found nothing');
  if (key) throw new ConfigError('TLS_CERT must be the file of the certificate of TLS_KEY; found nothing');
  return undefined;
}
