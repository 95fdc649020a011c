// Written by scripts/types.js from docs/reference/compare.schema.json.

import type {
  CompareHeadline,
  CompareVerdict,
  FigureFinding,
  Host,
  Metric,
  Notice,
  ResponsesBeside,
  ResponsesFinding,
  RoundFinding,
} from './shared.ts';

/** Everything that the report of a comparison shows. */
export interface Comparison {
  /** `plimsoll.comparison-findings/3`. */
  format: string;
  /** What was compared. */
  name: string;
  /** Address of the service. */
  target: string;
  /** When the comparison began, RFC 3339, UTC. */
  started_at: string;
  /** Length of all rounds together, seconds; what lies between them is not in it. */
  duration_s: number;
  /** Version of plimsoll. */
  version: string;
  /** The machine; `None` before the first round. */
  host: Host | null;
  /** What it comes to. */
  verdict: CompareVerdict;
  /** The same in more detail. */
  headline: CompareHeadline;
  /** What to do next. */
  next_step: CompareNextStep;
  /** What was compared; every other is set against the first. */
  variants: VariantFinding[];
  /** What every round offered and where that came from, one sentence. */
  load: string;
  /** Confidence that all intervals of judged figures hold at once, 0 to 1; of the others, that each holds. */
  confidence: number;
  /** The share by which a figure may be worse before the comparison fails; `None` when it never fails for that. */
  fail_if_worse: number | null;
  /** Whether a judged figure is worse by more than that. */
  failed: boolean;
  /** Every figure of every variant but the first, judged ones first. */
  figures: FigureFinding[];
  /** What a check decided and how it came to that; `None` where nothing was to be decided. */
  gate: GateFinding | null;
  /** What was predicted of the second variant, beside what came of it; `None` where nothing was. */
  prediction: PredictionFinding | null;
  /** Every round in the order they were run. */
  rounds: RoundFinding[];
  /** What came back to each variant, over all its rounds. */
  responses: ResponsesFinding[];
  /** Whether that is the same for both of two variants; `None` where there are more, or one did not respond. */
  responses_beside: ResponsesBeside | null;
  /** What the reader should know besides. */
  notices: Notice[];
  /** What became of the threshold that was set, where there is one. */
  threshold_text: string;
}

/** What to do after a comparison. */
export interface CompareNextStep {
  code: string;
  /** The same in words. */
  text: string;
}

/** A variant. */
export interface VariantFinding {
  /** What it is called. */
  name: string;
  /** What it is: its command, environment, revision or plan. */
  what: string;
  /** Rounds of it that the figures are made from. */
  rounds_used: number;
}

/** What a check decided and how it came to that. */
export interface GateFinding {
  /** What it decided. */
  decision: GateDecision;
  /** The loss that must not get through, as a share: 0.05 is 5 % more CPU per request or 5 % less throughput. */
  threshold: number;
  /** The metric that has to rule out such a loss for the check to pass; the others can only fail it. `None` where too few rounds could be used. */
  metric: Metric | null;
  /** How long the rounds could take together. */
  within_s: number;
  /** How often the rounds were looked at. */
  looks: number;
  /** The share of checks of an unchanged service that fail, at most. */
  false_alarms: number;
  /** The share of checks of a loss of the threshold that pass, at most. */
  let_through: number;
  /** The least loss that nine of ten checks on a machine as noisy as this find in this time; `None` as `metric`. */
  sees: number | null;
  /** The time in which nine of ten of them find a loss of the threshold, seconds; `None` where that is longer than a day. */
  needs_s: number | null;
  /** Whether a check that could not decide fails. */
  fail_if_inconclusive: boolean;
}

/** What fixing a cause was predicted to give, and what it gave: factors on the load line. The proven one is that of the load line where rounds searched it, else that of the requests for which the same CPU is enough. */
export interface PredictionFinding {
  /** Run directory of the diagnosis, without its path. */
  diagnosis: string;
  /** The cause that the second variant fixes, and its line where it has one. */
  cause: string;
  /** The predicted factor. */
  predicted: number;
  /** Lower end of its interval; `None` by a diagnosis without one. */
  predicted_low: number | null;
  /** Upper end of its interval. */
  predicted_high: number | null;
  /** It was predicted to be at least the lower end. */
  at_least: boolean;
  /** Whether both intervals meet, so that the prediction held; `None` where one is missing. */
  held: boolean | null;
  /** The proven factor; `None` where there are too few rounds. */
  proven: number | null;
  /** Lower end of its interval. */
  proven_low: number | null;
  /** Upper end of its interval. */
  proven_high: number | null;
  /** How far the prediction is off, as a share of the proven gain: -0.5 for × 2 where × 3 was proven. `None` where no gain was proven. */
  error: number | null;
  /** The prediction in words. */
  text: string;
  /** What came of it, where that is known. */
  outcome_text: string;
}

/** What a check decided. */
export type GateDecision = 'worse' | 'passed' | 'undecided';
