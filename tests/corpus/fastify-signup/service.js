// Sign-ups, checked against a form that differs from customer to customer.
import { scryptSync } from 'node:crypto';
import Ajv from 'ajv';
import Fastify from 'fastify';

function form(customer) {
  return {
    type: 'object',
    required: ['name', 'mail', 'password'],
    properties: {
      name: { type: 'string', minLength: 2 },
      mail: { type: 'string', pattern: '^[^@]+@[^@]+$' },
      password: { type: 'string', minLength: customer.length },
    },
  };
}

function isComplete(customer, body) {
  const check = new Ajv().compile(form(customer)); // planted: constructed-per-request
  return check(body);
}

const app = Fastify();
app.get('/', () => 'ok');
app.post('/:customer/users', ({ params: { customer }, body }, reply) => {
  if (!isComplete(customer, body)) return reply.code(400).send({ error: 'incomplete' });
  const key = scryptSync(body.password, body.mail, 32, { N: 1024 }); // planted: sync-crypto
  return { name: body.name, key: key.toString('hex').slice(0, 8) };
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
