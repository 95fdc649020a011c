// Tariffs, in a module that operations may change without a restart.
const { serve } = require('@hono/node-server');
const { Hono } = require('hono');

const path = require.resolve('./tariff.cjs');

function tariff() {
  delete require.cache[path];
  return require('./tariff.cjs'); // planted: module-or-template-per-request
}

const app = new Hono();
app.get('/', (context) => context.text('ok'));
app.get('/tariff/:weight', (context) => {
  const weight = Number(context.req.param('weight'));
  const { cents } = tariff().find(({ up_to_kg }) => weight <= up_to_kg) ?? { cents: 9900 };
  return context.json({ weight, cents });
});

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
