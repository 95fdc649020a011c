// Each user says something, and again once it has come back. k6 runs this file itself; it is not a Node.js module.
import { Counter } from 'k6/metrics';
import { WebSocket } from 'k6/websockets';

const { PORT, CONNECTIONS, SECONDS } = __ENV;
const SAID = 'of-16-characters';
const said = new Counter('messages_that_came_back');

export const options = {
  scenarios: {
    users: {
      executor: 'per-vu-iterations',
      vus: Number(CONNECTIONS),
      iterations: 1,
      maxDuration: `${Number(SECONDS) + 10}s`,
    },
  },
};

export default function () {
  const until = Date.now() + Number(SECONDS) * 1000;
  const socket = new WebSocket(`ws://127.0.0.1:${PORT}/`);
  socket.onopen = () => socket.send(SAID);
  socket.onmessage = () => {
    said.add(1);
    if (Date.now() < until) socket.send(SAID);
    else socket.close();
  };
}

/** @param {{ metrics: Record<string, { values: { count: number } }> }} data */
export function handleSummary(data) {
  const passed = data.metrics.messages_that_came_back.values.count;
  return { stdout: JSON.stringify({ totals: { passed, completed: passed } }) };
}
