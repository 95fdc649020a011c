// @ts-check
/** The bus through NATS: a subject for each worker, one for the steward, one for all workers. */

import { connect } from '@nats-io/transport-node';
import { EVERY_WORKER, STEWARD } from './bus.js';

/** @import { OpenBus } from './bus.js' */

const RETRY_MS = 250;

/**
 * @param {string} url
 * @param {string} prefix of the subjects, so that several services can share a server
 * @returns {OpenBus}
 */
export function createNatsBus(url, prefix) {
  return async ({ name, receive, lost }) => {
    const connection = await connect({
      servers: url,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RETRY_MS,
      // What would be sent later is of no use then, and takes memory.
      ignoreClusterUpdates: true,
    }).catch((error) => {
      throw new Error(`NATS at ${url.replace(/\/\/[^@/]*@/, '//')} does not respond: ${error.message}`);
    });
    let connected = true;
    const subjects = [`${prefix}.${name}`];
    if (name !== STEWARD) subjects.push(`${prefix}.${EVERY_WORKER}`);
    for (const subject of subjects) {
      connection.subscribe(subject, {
        callback: (_, message) => receive(message.string()),
      });
    }
    await connection.flush();
    void follow();

    async function follow() {
      for await (const { type } of connection.status()) {
        if (type === 'disconnect') connected = false;
        if (type === 'reconnect') {
          connected = true;
          lost();
        }
      }
    }

    return {
      send(to, text) {
        if (connected && !connection.isClosed() && !connection.isDraining())
          connection.publish(`${prefix}.${to}`, text);
      },
      close: () => connection.drain(),
    };
  };
}
