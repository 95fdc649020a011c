// @ts-check
/**
 * A fleet of services/sprites with as many clients as STUDY_SIZE says, each of which throws a sprite at anyone every 5 s, or less often where
 * all together would throw more than --most a second, as JSON for `plimsoll study`. `node studies/sprites/measure.js` measures it by hand,
 * --lasts SECONDS for as long as it says. --pace N connects N a second at most, and --ping SECONDS has clients told that all is well as often.
 */

import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { openFleet, PACE_PER_S, throwSprites } from '../../services/sprites/testing/thrown.js';
import { examine } from '../lib/doctor.js';
import { createFigures, sizeOf } from '../lib/figures.js';

const EVERY_S = 5;
const LASTS_S = 30;
/** Connecting takes no longer than that, or goes as fast as fleets usually do. */
const CONNECTING_S = 400;
const FEWEST_HOLDERS = 2;
/** The memory that comes with each of fewer cannot be told. */
const FEWEST_CLIENTS = 1_000;
const CLIENTS_OF_A_HOLDER = 15_000;

const { values } = parseArgs({
  options: {
    most: { type: 'string' },
    lasts: { type: 'string' },
    pace: { type: 'string' },
    ping: { type: 'string' },
  },
});
// The fleet has it from here.
if (values.ping !== undefined) process.env.SPRITES_PING_S = values.ping;
const clients = sizeOf({ fallback: 2_000, least: FEWEST_CLIENTS });
const every_s = Math.max(EVERY_S, Math.ceil(clients / Number(values.most ?? Infinity)));
// Each client throws twice.
const lasts_s = Number(values.lasts ?? Math.max(LASTS_S, 2 * every_s));
// What it has started ends with it.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
examine({ connections: clients });
process.stderr.write(`${clients} clients, each throws a sprite every ${every_s} s for ${lasts_s} s\n`);
const fleet = await openFleet({
  connections: clients,
  holders: Math.max(FEWEST_HOLDERS, Math.ceil(clients / CLIENTS_OF_A_HOLDER)),
  takers: Math.min(2, availableParallelism()),
});
try {
  const round = await throwSprites(fleet, {
    lasts_s,
    every_s,
    pace_per_s: Number(values.pace ?? Math.max(PACE_PER_S, Math.ceil(clients / CONNECTING_S))),
  });
  const { add, print } = createFigures();
  const { cores } = round;
  const server_cores = cores.primary + cores.holders + cores.takers;
  add('clients', '', round.held);
  add('held', 'share', round.held / clients);
  add('thrown', 'per_s', round.thrown / lasts_s);
  add('arrived', 'share', round.delivered / round.thrown);
  add('arrived_of_published', 'share', round.delivered / ((clients / EVERY_S) * lasts_s));
  add('lost', '', round.undelivered);
  add('doubled', '', round.doubled);
  add('delivery_p50', 'ms', round.p50_ms);
  add('delivery_p99', 'ms', round.p99_ms);
  add('server_cpu', 'share', server_cores / availableParallelism());
  add('sprite_cpu', 'us', round.cpu_us_per_sprite);
  for (const part of /** @type {const} */ (['primary', 'holders', 'takers', 'generator'])) {
    add(`${part}_cores`, '', cores[part]);
  }
  add('heap', 'bytes', round.heap_bytes_per_client);
  add('processes', 'bytes', round.empty_bytes);
  add('fleet_memory', 'bytes', round.fleet_bytes_per_client);
  add('kernel_memory', 'bytes', round.kernel_bytes_per_client);
  add('memory', 'bytes', round.fleet_bytes_per_client + round.kernel_bytes_per_client);
  add('longest_pause', 'ms', round.longest_pause_ms);
  print();
} finally {
  await fleet.stop();
}
