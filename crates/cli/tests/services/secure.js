// @ts-check
// Parses the same text at each request, over TLS: with the certificate and the key in the files CERT and KEY, up to TLS version
// MOST, without tickets for sessions where NO_TICKETS is set, and with CLIENTS for clients only whose certificate the authority in that file has signed.
import { constants } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const { CERT, KEY, CLIENTS, MOST, NO_TICKETS, PORT } = process.env;
const text = JSON.stringify(
  Array.from({ length: 5000 }, (_, number) => ({ number, name: `item ${number}` })),
);
const options = {
  cert: readFileSync(CERT ?? ''),
  key: readFileSync(KEY ?? ''),
  maxVersion: /** @type {import('node:tls').SecureVersion} */ (MOST ?? 'TLSv1.3'),
  ...(NO_TICKETS && { secureOptions: constants.SSL_OP_NO_TICKET }),
  ...(CLIENTS && { ca: readFileSync(CLIENTS), requestCert: true, rejectUnauthorized: true }),
};

createServer(options, function respond(_request, response) {
  response.end(JSON.parse(text)[7].name);
}).listen(Number(PORT), '127.0.0.1');
