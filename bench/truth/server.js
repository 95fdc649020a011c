// @ts-check
// A service whose response times are known by arithmetic.
//
//   node server.js PORT freeze PERIOD_MS FREEZE_MS   answers at once, but stands still for the last FREEZE_MS of each period
//   node server.js PORT delay DELAY_MS               answers each request after DELAY_MS
import { createServer } from 'node:http';

const [port, mode, ...lengths] = process.argv.slice(2);
const [first, second] = lengths.map(Number);

if (mode === 'freeze') {
  freezeAtTheEndOf(first, second);
  listen((response) => response.end('ok'));
} else if (mode === 'delay') {
  listen((response) => setTimeout(() => response.end('ok'), first));
} else {
  throw new Error(`mode is \`${mode}\`; it must be freeze or delay`);
}

/** @param {(response: import('node:http').ServerResponse) => void} answer */
function listen(answer) {
  const server = createServer((_request, response) => answer(response));
  server.keepAliveTimeout = 0;
  // Every connection that is opened during a freeze has to fit.
  server.listen({ port: Number(port), host: '127.0.0.1', backlog: 4096 });
}

/**
 * Stops the event loop, as a synchronous computation does, on a fixed grid in time, so that lateness does not add up.
 *
 * @param {number} periodMs
 * @param {number} freezeMs
 */
function freezeAtTheEndOf(periodMs, freezeMs) {
  const nobodyWakesIt = new Int32Array(new SharedArrayBuffer(4));
  let end = performance.now() + periodMs;
  const freeze = () => {
    Atomics.wait(nobodyWakesIt, 0, 0, end - performance.now());
    end += periodMs;
    setTimeout(freeze, end - freezeMs - performance.now());
  };
  setTimeout(freeze, periodMs - freezeMs);
}
