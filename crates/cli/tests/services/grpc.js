// @ts-check
// A cart over gRPC. It fails calls whose item is `status` and a number with that status, and never responds to those whose item is `nothing`.
// It counts what it was called with, and with LOG writes these counts there when it is ended.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadPackageDefinition, Server, ServerCredentials } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const { CERT, KEY, LOG, PORT, HOST = '127.0.0.1' } = process.env;

/** @type {any} */
const { shop } = loadPackageDefinition(
  loadSync(new URL('shop.proto', import.meta.url).pathname, { longs: String }),
);

/** @type {Map<string, number>} */
const called = new Map();
const text = JSON.stringify(
  Array.from({ length: 2000 }, (_, number) => ({ number, name: `item ${number}` })),
);

/** @param {any} call @param {(error: any, response?: any) => void} respond */
function add(call, respond) {
  const { id, name, tags, added } = call.request;
  const what = JSON.stringify([id, name, tags, added?.seconds, ...call.metadata.get('x-user')]);
  called.set(what, (called.get(what) ?? 0) + 1);
  if (name === 'nothing') return;
  const code = /^status ([0-9]+)$/.exec(name)?.[1];
  if (code) respond({ code: Number(code), details: `no stock for ${name}, nö` });
  else respond(null, { count: JSON.parse(text).length });
}

const server = new Server();
server.addService(shop.Cart.service, { Add: add });
const credentials = CERT
  ? ServerCredentials.createSsl(null, [
      { cert_chain: readFileSync(CERT), private_key: readFileSync(String(KEY)) },
    ])
  : ServerCredentials.createInsecure();
server.bindAsync(`${HOST}:${PORT}`, credentials, (error) => {
  if (error) throw error;
});

process.on('SIGTERM', () => {
  if (LOG) writeFileSync(LOG, JSON.stringify([...called].sort()));
  process.exit(0);
});
