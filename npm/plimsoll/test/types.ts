// What the types say to those who use them; only checked, never run.
import { type Comparison, capacity, compare, diagnose, type Findings, type Plan, run } from '../src/index.js';

const plan: Plan = {
  target: { url: 'http://127.0.0.1:3000/', command: 'node server.js' },
  objectives: ['p99 <= 100ms'],
  search: { budget: '60s' },
};
// @ts-expect-error: no such key
const typo: Plan = { target: 'http://127.0.0.1/', objektives: [] };
// @ts-expect-error: no such option
run(plan, { header: 'a: b' });

const session = capacity(plan, { budget: '30s', signal: AbortSignal.timeout(60_000) });
for await (const event of session) {
  if (event.type === 'step_finished') event.verdict satisfies 'passed' | 'breached' | 'invalid' | 'unjudged';
  else if (event.type === 'progress') event.throughput_per_s satisfies number;
}
const findings: Findings = await session;
if (findings.headline.code === 'load_line') findings.headline.rate_per_s satisfies number;
findings.load_line?.interval_low_per_s satisfies number | undefined;
const { sizing } = await capacity(plan, { demand: '30000/s', headroom: '30%', price: '0.12/h' });
sizing?.predicted?.needed.instances satisfies number | undefined;

const { diagnosis } = await diagnose({ url: 'http://127.0.0.1:3000/', command: ['node', 'server.js'] });
diagnosis?.causes[0]?.place?.file satisfies string | undefined;

const comparison: Comparison = await compare([plan, { ...plan, name: 'other' }], { rounds: 4 });
comparison.verdict satisfies
  | 'better'
  | 'worse'
  | 'mixed'
  | 'passed'
  | 'inconclusive'
  | 'no_difference'
  | 'invalid'
  | 'interrupted'
  | 'failed';

export { typo };
