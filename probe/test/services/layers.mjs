// A service of Hono as an ES module, which nothing loads by `require`.
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

function spin() {
  const until = performance.now() + 2;
  while (performance.now() < until);
}

// The samples are told apart by the innermost of these.
function inTracer() {
  spin();
}
function inPromise() {
  spin();
}
function inHandler() {
  spin();
}

const part = new Hono();
part.use(async function tracer(_, next) {
  inTracer();
  await next();
});
part.get('/', async function handler(context) {
  inHandler();
  return context.text('hello');
});

const app = new Hono();
app.use(async function later(_, next) {
  await next();
  await sleep(1);
  inPromise();
});
app.route('/', part);
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
