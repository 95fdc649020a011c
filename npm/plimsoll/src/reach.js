// @ts-check
/** Where a plan sends its requests. */

import { isIP } from 'node:net';
import { PlimsollError } from './errors.js';

/** @import { Plan } from './index.js' */

/**
 * Refuses a plan that would load another machine than this one, or go through one, unless its host is allowed.
 *
 * @param {Plan} plan as `validate` returns it
 * @param {string[]} allowed hosts, or `*`
 */
export function refuseOthers({ target }, allowed) {
  if (allowed.includes('*')) return;
  const { url, resolve = [], proxy } = typeof target === 'string' ? { url: target } : target;
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const led = [resolve].flat().flatMap((entry) => addressesOf(entry));
  if (protocol.endsWith('+unix:')) return;
  const places = [...(proxy ? [new URL(proxy).hostname] : []), ...(led.length > 0 ? led : [host])];
  const other = places.find((place) => !isLoopback(place) && !allowed.includes(place));
  if (other === undefined) return;
  throw new PlimsollError('ERR_PLIMSOLL_PLAN', `the plan loads ${other}, which is not this machine`, {
    hint: `allow it where the server is started, with --allow ${other} or PLIMSOLL_MCP_ALLOW`,
  });
}

/** Of `HOST:PORT:ADDRESS[,ADDRESS]`. @param {string} entry */
function addressesOf(entry) {
  const addresses = entry.replace(/^(\[[^\]]*\]|[^:]*):\d+:/, '');
  return addresses.split(',').map((address) => address.replace(/^\[(.*)\]$/, '$1'));
}

/** @param {string} host */
function isLoopback(host) {
  const address = host.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
