/** What stands at the end: what the words mean. */

import { h, type Tree } from '../tree.ts';

const words: [string, string][] = [
  [
    'Load line',
    'The greatest arrival rate at which every objective holds: what one may rely on. Jain calls it the usable capacity. The true line lies in the interval with the stated confidence; the bracket is the distance between the greatest rate that passed and the least above it that failed.',
  ],
  [
    'Offered, completed, goodput',
    'Requests that the schedule asked for; responses received to the last byte; responses that were also correct and inside the response-time objectives. All per second.',
  ],
  [
    'Response time',
    'From the intended start of a request to the last byte of its response. A request that had to wait for its turn has waited: coordinated omission does not happen.',
  ],
  [
    'Service time',
    'From the actual send to the last byte. Where it is much shorter than the response time, requests wait before they are sent.',
  ],
  [
    'Schedule lag',
    'From the intended start until the bytes were handed to the kernel. It grows when all connections are busy, or when the generator itself is late.',
  ],
  [
    'Percentile',
    'p99 is the time that 99 of 100 requests stayed within. Percentiles of windows are never averaged; the histograms are added up.',
  ],
  [
    'Objective, window, step',
    'A condition that must hold; a slice of the run, one second by default, in which it is judged; one rate held for some seconds during a search. A step passes when enough of its windows do.',
  ],
  ['CPU share', 'Busy share of the cores that the service may use, all of its processes together.'],
  [
    'Errors',
    'Refused, reset and timed-out requests, malformed responses and unexpected statuses. A request that timed out counts in the response times with its timeout.',
  ],
  [
    'Never made',
    'Starts that were scheduled and not made. They are always shown, because a load that was not offered proves nothing.',
  ],
  [
    'Invalid',
    'The generator was too busy or too late in this step, so its figures describe the generator and not the service.',
  ],
];

export function glossary(): Tree {
  return h(
    'details',
    { id: 'glossary' },
    h('summary', {}, 'What these figures mean'),
    h(
      'dl',
      { class: 'glossary' },
      words.map(([term, meaning]) => h('div', {}, h('dt', {}, term), h('dd', {}, meaning))),
    ),
  );
}
