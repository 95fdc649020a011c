// @ts-check
/** The transport over node:http: one agent with a bounded pool of kept connections for each upstream. */

import { Agent, request } from 'node:http';
import { TooLargeError } from './caller.js';

const MOST_BYTES = 262_144;

/**
 * @param {number} connections the most to one upstream; what comes on top waits, its timeout already running
 * @returns {import('./caller.js').Transport}
 */
export function createHttpTransport(connections) {
  let opened = 0;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    maxFreeSockets: connections,
    noDelay: true,
  });
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, done) => {
    opened += 1;
    return connect(options, done);
  };
  /** @type {Map<string, { hostname: string, port: string }>} */
  const addresses = new Map();

  /** @param {string} origin */
  function addressOf(origin) {
    let address = addresses.get(origin);
    if (address === undefined) {
      const { hostname, port } = new URL(origin);
      address = { hostname, port };
      addresses.set(origin, address);
    }
    return address;
  }

  return {
    start({ origin, method, path, body }, done) {
      const { hostname, port } = addressOf(origin);
      const headers =
        body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request({ agent, hostname, port, method, path, headers });
      sent.on('error', (error) => done({ error }));
      sent.on('response', (res) => {
        let text = '';
        res.setEncoding('utf8');
        res.on('data', (chunk) => {
          text += chunk;
          if (text.length > MOST_BYTES) sent.destroy(new TooLargeError());
        });
        res.on('error', (error) => done({ error }));
        res.on('end', () => done({ status: res.statusCode ?? 0, text }));
      });
      sent.end(body);
      return () => sent.destroy();
    },
    opened: () => opened,
    close: () => agent.destroy(),
  };
}
