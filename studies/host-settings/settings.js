// @ts-check
/** The settings of the kernel that were published, and which of them a network namespace has for itself. */

/**
 * @typedef {object} Setting
 * @property {string} path below /proc/sys
 * @property {string} value
 * @property {boolean} own whether each network namespace has its own
 */

/** @type {Record<string, Setting>} */
export const SETTINGS = {
  tcp_rmem: { path: 'net/ipv4/tcp_rmem', value: '4096 16384 33554432', own: true },
  tcp_wmem: { path: 'net/ipv4/tcp_wmem', value: '4096 16384 33554432', own: true },
  tcp_mem: { path: 'net/ipv4/tcp_mem', value: '786432 1048576 26777216', own: false },
  tcp_max_tw_buckets: { path: 'net/ipv4/tcp_max_tw_buckets', value: '360000', own: true },
  ip_local_port_range: { path: 'net/ipv4/ip_local_port_range', value: '1024 65535', own: true },
  netdev_max_backlog: { path: 'net/core/netdev_max_backlog', value: '2500', own: false },
  min_free_kbytes: { path: 'vm/min_free_kbytes', value: '65536', own: false },
  swappiness: { path: 'vm/swappiness', value: '0', own: false },
};

/** What is measured: nothing changed, each alone, and all together. @type {Record<string, Setting[]>} */
export const VARIANTS = {
  none: [],
  ...Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, [setting]])),
  all: Object.values(SETTINGS),
};
