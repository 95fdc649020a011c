// @ts-check
/**
 * A fleet of services/sprites with as many clients as STUDY_SIZE says, each of which throws a sprite at anyone every 5 s, as JSON for
 * `plimsoll study`. `node studies/sprites/measure.js` measures it by hand.
 */

import { availableParallelism } from 'node:os';
import { openFleet, throwSprites } from '../../services/sprites/testing/thrown.js';
import { examine } from '../lib/doctor.js';
import { createFigures, sizeOf } from '../lib/figures.js';

const EVERY_S = 5;
const LASTS_S = 30;
const FEWEST_HOLDERS = 2;
/** The memory that comes with each of fewer cannot be told. */
const FEWEST_CLIENTS = 1_000;
const CLIENTS_OF_A_HOLDER = 15_000;

const clients = sizeOf({ fallback: 2_000, least: FEWEST_CLIENTS });
examine({ connections: clients });
process.stderr.write(`${clients} clients, each throws a sprite every ${EVERY_S} s for ${LASTS_S} s\n`);
const fleet = await openFleet({
  connections: clients,
  holders: Math.max(FEWEST_HOLDERS, Math.ceil(clients / CLIENTS_OF_A_HOLDER)),
  takers: Math.min(2, availableParallelism()),
});
try {
  const round = await throwSprites(fleet, { lasts_s: LASTS_S, every_s: EVERY_S });
  const { add, print } = createFigures();
  const { cores } = round;
  const server_cores = cores.primary + cores.holders + cores.takers;
  add('clients', '', round.held);
  add('held', 'share', round.held / clients);
  add('thrown', 'per_s', round.thrown / LASTS_S);
  add('arrived', 'share', round.delivered / round.thrown);
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
