// Services of several frameworks, each with a layer that says in the response that it ran. FRAMEWORK says which.
const { FRAMEWORK, PORT } = process.env;

/** Keeps requests out by what it says, not by its name. */
function door(request, response, next) {
  response.setHeader('door', 'ran');
  if (request.headers.stranger) response.status(401).end();
  else next();
}

function express() {
  const app = require('express')();
  app.use(function tracer(_, response, next) {
    response.setHeader('tracer', 'ran');
    next();
  });
  // biome-ignore format: the line of its function is that of its call.
  app.use((_, response, next) => { response.setHeader('arrow', 'ran'); next(); }); // line: arrow
  app.use(door);
  app.use(function requireLogin(_, response, next) {
    response.setHeader('login', 'ran');
    next();
  });
  app.get('/', function handler(_, response) {
    response.send('hello');
  });
  app.listen(PORT);
}

function koa() {
  const Koa = require('koa');
  const app = new Koa();
  app.use(async function tracer(context, next) {
    await next();
    context.set('tracer', 'ran');
  });
  app.use(function handler(context) {
    context.body = 'hello';
  });
  app.listen(PORT);
}

function fastify() {
  const app = require('fastify')();
  app.addHook('onRequest', async function tracer(_, reply) {
    reply.header('tracer', 'ran');
  });
  app.register(async (inner) => {
    inner.addHook('onSend', (_, reply, payload, done) => {
      reply.header('sent', 'ran');
      done(null, payload);
    });
    inner.get('/', () => 'hello');
  });
  app.listen({ port: Number(PORT), host: '127.0.0.1' });
}

({ express, koa, fastify })[FRAMEWORK]();
