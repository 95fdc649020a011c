// Exchange rates, sent with a schema that makes serialising cheap.
import Fastify from 'fastify';

const rates = new Map([
  ['EUR', 1],
  ['USD', 1.17],
  ['GBP', 0.86],
]);
const schema = {
  response: {
    200: { type: 'object', properties: { currency: { type: 'string' }, rate: { type: 'number' } } },
  },
};

const app = Fastify();
app.get('/', () => 'ok');
app.get('/rates/:currency', { schema }, ({ params: { currency } }, reply) => {
  const rate = rates.get(currency);
  if (rate === undefined) return reply.code(404).send();
  return { currency, rate };
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
