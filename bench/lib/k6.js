// One GET again and again: as fast as CONNECTIONS users can, or at RATE per second when it is not 0.
// k6 runs this file itself; it is not a Node.js module.
import http from 'k6/http';

const { URL, CONNECTIONS, SECONDS, RATE } = __ENV;

const closedModel = { executor: 'constant-vus', vus: Number(CONNECTIONS), duration: `${SECONDS}s` };
const openModel = {
  executor: 'constant-arrival-rate',
  rate: Number(RATE),
  timeUnit: '1s',
  duration: `${SECONDS}s`,
  preAllocatedVUs: Number(CONNECTIONS),
};

export const options = {
  scenarios: { only: Number(RATE) > 0 ? openModel : closedModel },
  summaryTrendStats: ['p(50)', 'p(90)', 'p(95)', 'p(99)', 'p(99.9)'],
};

export default function () {
  http.get(URL);
}

/** @param {{ metrics: object }} data */
export function handleSummary(data) {
  return { stdout: JSON.stringify(data.metrics) };
}
