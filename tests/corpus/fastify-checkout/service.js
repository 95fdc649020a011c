// A checkout that leaves a trace of each of its steps, so that support can say who called what.
import Fastify from 'fastify';

const steps = ['basket', 'address', 'shipping', 'payment', 'taxes', 'confirmation'];

function callers() {
  const { stack } = new Error('trace'); // planted: error-stack
  return stack.split('\n').slice(2, 6);
}

function step(name, trace) {
  trace.push({ name, by: callers() });
  return trace;
}

const app = Fastify();
app.get('/', () => 'ok');
app.get('/checkout/:basket', ({ params: { basket } }) => {
  const trace = steps.reduce((all, name) => step(name, all), []);
  for (const { name, by } of trace) console.log(`${basket} ${name} ${by[0]}`); // planted: blocking-write
  return { basket, steps: trace.length };
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
