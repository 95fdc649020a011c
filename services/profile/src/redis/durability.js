// @ts-check
/** What a Redis must be set to so that it keeps what it has acknowledged. */

/** @import { Connection } from './connection.js' */

/**
 * @param {Connection} connection
 * @returns {Promise<string[]>} what is wrong, in words; nothing where Redis does not tell its settings
 */
export async function durabilityFaults({ read }) {
  const settings = await read((redis) => redis.config('GET', 'append*', 'maxmemory*')).catch(() => []);
  /** @type {Map<string, string>} */
  const of = new Map();
  const flat = /** @type {string[]} */ (settings);
  for (let index = 0; index < flat.length; index += 2) of.set(flat[index], flat[index + 1]);
  const faults = [];
  if (of.get('appendonly') === 'no')
    faults.push('appendonly is no: when Redis ends, changes that were acknowledged are lost');
  if (of.get('maxmemory') !== '0' && of.get('maxmemory-policy')?.startsWith('allkeys'))
    faults.push(
      `maxmemory-policy is ${of.get('maxmemory-policy')}: when memory runs out, changes that the store does not have are dropped; expected volatile-ttl`,
    );
  return faults;
}
