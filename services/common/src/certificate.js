// @ts-check
/** The certificate of a service and its private key: of files, or made for this process. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError } from './settings.js';

/** @import { Tls } from './transport.js' */

const DAY_MS = 86_400_000;

/**
 * @param {Tls} tls
 * @returns {Promise<{ cert: string, key: string }>} in PEM, and belonging together
 * @throws {ConfigError}
 */
export async function readCertificate(tls) {
  if (tls === 'self-signed') return selfSigned();
  const cert = await read('TLS_CERT', tls.cert);
  const key = await read('TLS_KEY', tls.key);
  const certificate = parsed(
    () => new X509Certificate(cert),
    'TLS_CERT must be a certificate in PEM',
    tls.cert,
  );
  const privateKey = parsed(
    () => createPrivateKey(key),
    'TLS_KEY must be a private key in PEM without a passphrase',
    tls.key,
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new ConfigError(
      `TLS_KEY must be the private key of TLS_CERT; found that of another in "${tls.key}"`,
    );
  }
  return { cert, key };
}

/** @param {string} name @param {string} path */
async function read(name, path) {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new ConfigError(`${name} must be a file that can be read; found "${path}" (${code})`);
  }
}

/**
 * @template T
 * @param {() => T} parse
 * @param {string} expected
 * @param {string} path
 */
function parsed(parse, expected, path) {
  try {
    return parse();
  } catch {
    throw new ConfigError(`${expected}; found something else in "${path}"`);
  }
}

/** A certificate for this machine that nobody vouches for: for load runs and tests. It ends with the process. */
async function selfSigned() {
  // Loaded only here: it is large, and a service with a certificate of its own has no use for it.
  const { generate } = await import('selfsigned');
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + 30 * DAY_MS),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return { cert, key };
}
