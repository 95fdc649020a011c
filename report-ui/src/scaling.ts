// Written by scripts/types.js from docs/reference/scale.schema.json.

import type { Host, Notice, ResponsesFinding, RoundFinding } from './shared.ts';

/** Everything that the report of a sweep shows. */
export interface Scaling {
  /** `plimsoll.scale-findings/3`. */
  format: string;
  /** What was swept. */
  name: string;
  /** Address of the service. */
  target: string;
  /** When the sweep began, RFC 3339, UTC. */
  started_at: string;
  /** Length of all rounds together, seconds; what lies between them is not in it. */
  duration_s: number;
  /** Version of plimsoll. */
  version: string;
  /** The machine; `None` before the first round. */
  host: Host | null;
  /** What it comes to. */
  verdict: ScaleVerdict;
  /** The same in more detail. */
  headline: ScaleHeadline;
  /** What to do next. */
  next_step: ScaleNextStep;
  /** What the sizes count, such as `connections`. */
  sizes_of: string;
  /** What every round offered, one sentence. */
  load: string;
  /** Confidence of all intervals, 0 to 1. */
  confidence: number;
  /** What was measured at each size, ascending. */
  points: ScalePoint[];
  /** The law that lies closest to the points. */
  law: LawFinding | null;
  /** Every round in the order they were run. */
  rounds: RoundFinding[];
  /** What came back, over all rounds of all sizes. */
  responses: ResponsesFinding[];
  /** What the reader should know besides. */
  notices: Notice[];
}

/** What a sweep comes to. */
export type ScaleVerdict = 'fitted' | 'invalid' | 'interrupted' | 'failed';

/** What a sweep comes to. */
export interface ScaleHeadline {
  code: string;
  /** The same in words. */
  text: string;
}

/** What to do after a sweep. */
export interface ScaleNextStep {
  code: string;
  /** The same in words. */
  text: string;
}

/** A size and what was measured at it. */
export interface ScalePoint {
  /** The size. */
  size: number;
  /** Mean throughput of its rounds, requests per second. */
  throughput_per_s: number;
  /** Throughput of each round, requests per second. */
  rounds_per_s: number[];
  /** What the law says, requests per second. */
  fitted_per_s: number | null;
  /** Throughput per unit of size, as a share of λ. */
  efficiency: number | null;
  /** Mean of the median response times, ms. */
  p50_ms: number | null;
  /** Mean CPU of the service per request, microseconds. */
  cpu_us_per_request: number | null;
}

/** X(N) = λN / (1 + σ(N − 1) + κN(N − 1)). */
export interface LawFinding {
  /** λ: throughput of one, requests per second. */
  lambda: Parameter;
  /** σ: contention, the share of the work that is done one after the other. */
  sigma: Parameter;
  /** κ: coherency, the cost of each pair's agreement. */
  kappa: Parameter;
  /** What the points can tell of the two costs. */
  tells: Tells;
  /** Size at the greatest throughput, √((1 − σ) / κ); `None` when the law has no peak. The upper end is missing where some of the refits have none. */
  peak_size: Parameter | null;
  /** Throughput there, requests per second. */
  peak_per_s: number | null;
  /** The law from one to twice the greatest size, for drawing. */
  curve: LawPoint[];
  /** What the points tell, in words. */
  tells_text: string;
}

/** A fitted value with the interval that holds it. */
export interface Parameter {
  /** The value. */
  value: number;
  /** Lower end. */
  low: number;
  /** Upper end; `None` when there is none. */
  high: number | null;
}

/** What the points can tell of contention and coherency. A cost is told when leaving it out makes the fit worse than chance would in 19 of 20 sweeps. */
export type Tells = 'both' | 'contention' | 'coherency' | 'either' | 'neither';

/** A point of the fitted law. */
export interface LawPoint {
  /** The size. */
  size: number;
  /** Throughput, requests per second. */
  per_s: number;
}
