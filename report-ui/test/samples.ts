/** The sample findings of crates/report, which make them. */

import { readdirSync, readFileSync } from 'node:fs';
import type { Comparison } from '../src/comparison.ts';
import type { Findings } from '../src/findings.ts';
import type { ScalePoint, Scaling } from '../src/scaling.ts';

// Tests run from dist/, one level below the workspace as this folder is.
const folder = new URL('../../crates/report/tests/samples/', import.meta.url);

export const sampleNames: string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))
  .sort();

export const sampleText = (name: string): string => readFileSync(new URL(`${name}.json`, folder), 'utf8');

export const sample = (name: string): Findings => JSON.parse(sampleText(name));

const comparisons = new URL('../../crates/report/tests/comparisons/', import.meta.url);

export const comparisonNames: string[] = ['worse', 'no-difference', 'hostile'];

export const comparisonText = (name: string): string =>
  readFileSync(new URL(`${name}.json`, comparisons), 'utf8');

export const comparisonSample = (name: string): Comparison => JSON.parse(comparisonText(name));

/** Two rounds of each size, exactly on the law of λ = 1,000/s, σ = 0.05 and κ = 0.01, whose peak is at √(0.95 / 0.01). */
export function scalingSample(): Scaling {
  const lambda = 1000;
  const sigma = 0.05;
  const kappa = 0.01;
  const per_s = (size: number) => (lambda * size) / (1 + sigma * (size - 1) + kappa * size * (size - 1));
  const point = (size: number): ScalePoint => ({
    size,
    throughput_per_s: per_s(size),
    fitted_per_s: per_s(size),
    efficiency: per_s(size) / size / lambda,
    rounds_per_s: [per_s(size) * 0.99, per_s(size) * 1.01],
    p50_ms: (size / per_s(size)) * 1000,
    cpu_us_per_request: 400,
  });
  const exactly = (value: number) => ({ value, low: value * 0.9, high: value * 1.1 });
  const peak = Math.sqrt((1 - sigma) / kappa);
  return {
    format: 'plimsoll.scale-findings/1',
    name: 'shop',
    target: 'http://127.0.0.1:3000/',
    started_at: '2026-11-20T10:00:00Z',
    duration_s: 60,
    version: '0.1.0',
    host: 'a machine',
    verdict: 'fitted',
    headline: 'Throughput peaks at 9.7 workers with 4,260 requests per second',
    next_step: 'run it with 9 workers',
    sizes_of: 'workers',
    load: 'closed model; each round 4 s judged after 2 s of warm-up',
    confidence: 0.95,
    law: {
      lambda: exactly(lambda),
      sigma: exactly(sigma),
      kappa: exactly(kappa),
      peak_size: { ...exactly(peak), high: null },
      peak_per_s: per_s(peak),
      tells: 'both',
      curve: Array.from({ length: 32 }, (_, index) => ({ size: index + 1, per_s: per_s(index + 1) })),
    },
    points: [1, 2, 4, 8, 16].map(point),
    rounds: [],
    responses: [
      { of: 'all sizes', finished: 26_000, status: [0, 26_000, 0, 0, 0], status_other: 0, errors: [] },
    ],
    notices: [],
  };
}
