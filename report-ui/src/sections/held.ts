/** Connections that were held open. */

import * as figures from '../figures.ts';
import type { Findings } from '../findings.ts';
import type { Child, Tree } from '../tree.ts';
import { facts } from './figures.ts';
import { section } from './parts.ts';

export function held({ hold }: Findings): Tree | false {
  if (!hold) return false;
  const delivery = hold.delivery_time;
  const bytes = (value: number | null | undefined) =>
    figures.orDash(value, (known) => `${figures.number(known)} B`);
  const entries: [string, Child][] = [
    ['Held at the end', `${figures.count(hold.live)} of ${figures.count(hold.wanted)}`],
    ['Held at most', figures.count(hold.live_max)],
    ['Lost', figures.count(hold.lost)],
    ['Opened', `${figures.count(hold.opened)} within ${figures.orDash(hold.opening_s, figures.elapsed)}`],
    ['Then held for', figures.orDash(hold.held_s, figures.elapsed)],
    ['Responses', figures.count(hold.delivered)],
    ['Each costs the generator', bytes(hold.generator_bytes_per_connection)],
    ['Each costs the service', bytes(hold.service_bytes_per_connection)],
    ['Each costs the kernel', bytes(hold.kernel_bytes_per_connection)],
  ];
  if (delivery.count > 0) {
    entries.push(
      ['Delivery time, median', figures.orDash(delivery.p50_ms, figures.duration)],
      ['Delivery time, p99', figures.orDash(delivery.p99_ms, figures.duration)],
      ['Delivery time, longest', figures.orDash(delivery.max_ms, figures.duration)],
    );
  }
  const lead = 'Opened at a pace and kept open. The kernel’s share is that of all ends on this machine.';
  return section('held', 'Connections', lead, facts(entries));
}
