// @ts-check
/** Whom an address stands for, where it is counted. */

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Of an IPv6 address, what a subscriber is given: the rest is the subscriber's own choice. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * An IPv4 address, however it is written, or the network of an IPv6 address (/64).
 * @param {string | undefined} address as node:net has it; undefined once the connection is gone
 */
export function networkOf(address = '') {
  const mapped = MAPPED.exec(address);
  if (mapped !== null) return mapped[1];
  if (!address.includes(':')) return address;
  const [head, tail] = address.split('%')[0].split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - first.length - last.length);
  const groups = [...first, ...new Array(zeros).fill('0'), ...last];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::`;
}
