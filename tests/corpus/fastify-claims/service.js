// Claims of several insurances, each with fields of its own.
import Fastify from 'fastify';
import { z } from 'zod';

const insurances = {
  travel: ['flight', 'luggage', 'hotel', 'reason', 'doctor'],
  home: ['room', 'cause', 'damage', 'police', 'value'],
  car: ['plate', 'place', 'driver', 'witness', 'garage'],
};

function check(insurance, claim) {
  const fields = Object.fromEntries(insurances[insurance].map((name) => [name, z.string().optional()])); // planted: constructed-per-request
  const form = z.object({ id: z.number(), email: z.string(), ...fields });
  return form.safeParse(claim);
}

const app = Fastify();
app.get('/', () => 'ok');
app.post('/claims/:insurance', ({ params: { insurance }, body }, reply) => {
  const { success, data } = check(insurance, body);
  if (!success) return reply.code(400).send({ accepted: false });
  return { accepted: true, id: data.id };
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
