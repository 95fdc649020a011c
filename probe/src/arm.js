// @ts-check
// Waits until the process turns out to be a service: until it listens.

import http from 'node:http';
import net from 'node:net';
import { quietly } from './state.js';
import { replace } from './wrap.js';

/**
 * Calls `listening` for each address that this thread serves on.
 * @param {(address: { address: string, port: number | null }, server: net.Server) => void} listening
 */
export function onListening(listening) {
  replace(
    net.Server.prototype,
    'listen',
    (original) =>
      ({
        /** @this {net.Server} @param {any[]} args */
        listen(...args) {
          quietly(() => {
            this.once('listening', () => quietly(() => notice(this)));
          });
          return Reflect.apply(original, this, args);
        },
      }).listen,
  );

  /** @param {net.Server} server */
  function notice(server) {
    const address = server.address();
    if (address === null || isClusterPrimary()) return;
    if (typeof address === 'object') listening({ address: address.address, port: address.port }, server);
    // tsx and others listen on a pipe to talk with each other.
    else if (server instanceof http.Server) listening({ address, port: null }, server);
  }
}

/** The primary listens for its workers, and serves nothing itself. */
function isClusterPrimary() {
  const { isPrimary, workers } = cluster();
  return isPrimary && Object.keys(workers ?? {}).length > 0;
}

/** Not loaded before something listens. @returns {import('node:cluster').Cluster} */
export function cluster() {
  return /** @type {any} */ (require('node:cluster'));
}
