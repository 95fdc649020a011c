// @ts-check
// Holds connections over TLS: nothing responds, nothing ends. Its arguments are the first port, how many there are, and the files of key
// and certificate.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { onEachPort, rest } from './processes.js';

onEachPort(() => {
  const [key, cert] = rest;
  const server = createServer({ key: readFileSync(String(key)), cert: readFileSync(String(cert)) }, () => {});
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  return server;
});
