// @ts-check
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCertificate } from '../src/certificate.js';
import { ConfigError } from '../src/settings.js';
import { readTransport } from '../src/transport.js';

/** @param {import('node:test').TestContext} t @param {Record<string, string>} files @returns {Promise<(name: string) => string>} */
async function write(t, files) {
  const directory = await mkdtemp(join(tmpdir(), 'certificate-test-'));
  t.after(() => rm(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return (name) => join(directory, name);
}

test('HTTP/1.1 in clear text, unless settings say otherwise', () => {
  assert.deepEqual(readTransport({}), { http: '1.1', tls: undefined });
  assert.deepEqual(readTransport({ HTTP_VERSION: '', TLS_CERT: '', TLS_KEY: '' }), readTransport({}));
  assert.deepEqual(readTransport({ HTTP_VERSION: '2' }), { http: '2', tls: undefined });
  assert.deepEqual(readTransport({ HTTP_VERSION: 'both', TLS_CERT: 'self-signed' }), {
    http: 'both',
    tls: 'self-signed',
  });
  assert.deepEqual(readTransport({ TLS_CERT: 'a.pem', TLS_KEY: 'b.pem' }), {
    http: '1.1',
    tls: { cert: 'a.pem', key: 'b.pem' },
  });
});

for (const [env, message] of /** @type {[Record<string, string>, RegExp][]} */ ([
  [{ HTTP_VERSION: '3' }, /^HTTP_VERSION must be one of 1\.1, 2, both; found "3"$/],
  [{ HTTP_VERSION: 'both' }, /^HTTP_VERSION must be 1\.1 or 2 unless TLS_CERT is set, .*; found "both"$/],
  [{ TLS_CERT: 'a.pem' }, /^TLS_KEY must be .*; found nothing$/],
  [{ TLS_KEY: 'b.pem' }, /^TLS_CERT must be .*; found nothing$/],
  [
    { TLS_CERT: 'self-signed', TLS_KEY: 'b.pem' },
    /^TLS_KEY must not be set where TLS_CERT is self-signed; found "b\.pem"$/,
  ],
])) {
  test(`${JSON.stringify(env)} is refused`, () => {
    assert.throws(
      () => readTransport(env),
      (error) => error instanceof ConfigError && message.test(error.message),
    );
  });
}

test('a certificate and its key are read from their files', async (t) => {
  const made = await readCertificate('self-signed');
  const at = await write(t, { 'cert.pem': made.cert, 'key.pem': made.key });
  assert.deepEqual(await readCertificate({ cert: at('cert.pem'), key: at('key.pem') }), made);
});

test('a certificate that is made is for this machine, and another one each time', async () => {
  const [one, other] = await Promise.all([readCertificate('self-signed'), readCertificate('self-signed')]);
  const certificate = new X509Certificate(one.cert);
  assert.equal(certificate.checkHost('localhost'), 'localhost');
  assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1');
  assert.notEqual(one.key, other.key);
});

test('files that cannot be used are refused by setting and path', async (t) => {
  const [one, other] = await Promise.all([readCertificate('self-signed'), readCertificate('self-signed')]);
  const at = await write(t, {
    'cert.pem': one.cert,
    'key.pem': one.key,
    'other.pem': other.key,
    'text.pem': 'ahoy',
  });
  for (const [cert, key, message] of /** @type {[string, string, RegExp][]} */ ([
    ['none.pem', 'key.pem', /^TLS_CERT must be a file that can be read; found ".*none\.pem" \(ENOENT\)$/],
    ['cert.pem', 'none.pem', /^TLS_KEY must be a file that can be read; found ".*none\.pem" \(ENOENT\)$/],
    ['text.pem', 'key.pem', /^TLS_CERT must be a certificate in PEM; found something else in ".*text\.pem"$/],
    [
      'cert.pem',
      'text.pem',
      /^TLS_KEY must be a private key in PEM .*; found something else in ".*text\.pem"$/,
    ],
    [
      'cert.pem',
      'other.pem',
      /^TLS_KEY must be the private key of TLS_CERT; found that of another in ".*other\.pem"$/,
    ],
  ])) {
    await assert.rejects(
      readCertificate({ cert: at(cert), key: at(key) }),
      (error) => error instanceof ConfigError && message.test(error.message),
      `${message}`,
    );
  }
});
