// Forms whose fields are described by their owners.
import { Ajv } from 'ajv';
import Fastify from 'fastify';

const forms = new Map([
  [
    'contact',
    {
      type: 'object',
      required: ['name', 'mail'],
      properties: {
        name: { type: 'string', minLength: 1 },
        mail: { type: 'string', pattern: '^[^@ ]+@[^@ ]+$' },
        age: { type: 'integer', minimum: 0 },
        tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      },
    },
  ],
]);

const app = Fastify();
app.get('/', () => 'ok');
app.post('/forms/:form', ({ params: { form }, body }, reply) => {
  const description = forms.get(form);
  if (!description) return reply.code(404).send();
  const validate = new Ajv().compile(description); // planted: constructed-per-request
  const valid = validate(body);
  return reply.code(valid ? 200 : 422).send({ valid, errors: validate.errors ?? [] });
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
