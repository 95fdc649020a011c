// One user: logs in, takes two values along, and asks four times with them. k6 keeps cookies by itself.
// k6 runs this file itself; it is not a Node.js module.
import http from 'k6/http';

const { PORT, SECONDS, USERS_PER_S } = __ENV;
const service = `http://127.0.0.1:${PORT}`;

export const options = {
  scenarios: {
    users: {
      executor: 'constant-arrival-rate',
      rate: Number(USERS_PER_S),
      timeUnit: '1s',
      duration: `${SECONDS}s`,
      preAllocatedVUs: 100,
    },
  },
  summaryTrendStats: ['p(50)', 'p(99)'],
};

export default function () {
  const session = http.get(`${service}/sessions`);
  const [token, profile] = [session.json('token'), session.json('profile')];
  for (let round = 0; round < 4; round += 1) {
    http.get(`${service}${profile}`, {
      headers: { authorization: `Bearer ${token}` },
      tags: { name: 'play' },
    });
  }
}

/** @param {{ metrics: object }} data */
export function handleSummary(data) {
  return { stdout: JSON.stringify(data.metrics) };
}
