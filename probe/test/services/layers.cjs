// Services of several frameworks, whose layers take time: at once, after a timer, after a promise, and as the response ends.
const { setTimeout: sleep } = require('node:timers/promises');
const { FRAMEWORK, PORT } = process.env;

function spin() {
  const until = performance.now() + 2;
  while (performance.now() < until);
}

// The samples are told apart by the innermost of these.
function inTracer() {
  spin();
}
function inTimer() {
  spin();
}
function inPromise() {
  spin();
}
function inHeaders() {
  spin();
}
function inFinish() {
  spin();
}
function inHandler() {
  spin();
}
function inReply() {
  spin();
}
function inPacking() {
  spin();
}
function inWriting() {
  spin();
}

/** Hears of the headers as others do it. */
function headers(response) {
  const { writeHead } = response;
  response.writeHead = function (...args) {
    inHeaders();
    return writeHead.apply(this, args);
  };
}

/** Ends a response later, as one that compresses does. */
function packed(response) {
  const { end } = response;
  response.end = function (...args) {
    setTimeout(() => {
      inPacking();
      end.apply(this, args);
    }, 1);
  };
}

function express() {
  const app = require('express')();
  app.use(function tracer(_, __, next) {
    inTracer();
    next();
  }); // line: tracer
  app.use(function later(_, response, next) {
    headers(response);
    response.on('finish', inFinish);
    setTimeout(() => {
      inTimer();
      next();
    }, 1);
  });
  app.use(async function promised(_, __, next) {
    await sleep(1);
    inPromise();
    next();
  });
  app.use(function packer(_, response, next) {
    packed(response);
    next();
  });
  app.get('/', function handler(_, response) {
    inHandler();
    response.send('hello');
  });
  app.listen(PORT).on('connection', (socket) => {
    const { write } = socket;
    socket.write = function (...args) {
      inWriting();
      return write.apply(this, args);
    };
  });
}

function koa() {
  const app = new (require('koa'))();
  app.use(async function tracer(context, next) {
    inTracer();
    headers(context.res);
    context.res.on('finish', inFinish);
    await next();
  });
  app.use(async function later(_, next) {
    await new Promise((resolve) => setTimeout(() => resolve(inTimer()), 1));
    await next();
    await sleep(1);
    inPromise();
  });
  app.use(function handler(context) {
    inHandler();
    context.body = 'hello';
  });
  app.listen(PORT);
}

function fastify() {
  const app = require('fastify')();
  app.addHook('onRequest', function tracer(_, reply, done) {
    inTracer();
    headers(reply.raw);
    reply.raw.on('finish', inFinish);
    done();
  });
  app.addHook('preHandler', async function later() {
    await new Promise((resolve) => setTimeout(() => resolve(inTimer()), 1));
    await sleep(1);
    inPromise();
  });
  app.setReplySerializer(() => {
    inReply();
    return 'hello';
  });
  app.get('/', async function handler() {
    inHandler();
    await sleep(1);
    return {};
  });
  app.listen({ port: Number(PORT), host: '127.0.0.1' });
}

/** Nest, with what a compiler makes of its decorators. */
async function nest() {
  require('reflect-metadata');
  const { Controller, Get, Module } = require('@nestjs/common');
  const { NestFactory } = require('@nestjs/core');
  function tracer(_, response, next) {
    inTracer();
    headers(response);
    response.on('finish', inFinish);
    next();
  }
  class Later {
    use(_, __, next) {
      setTimeout(() => {
        inTimer();
        next();
      }, 1);
    }
  }
  class Greeter {
    async greet() {
      await sleep(1);
      inPromise();
      inHandler();
      return 'hello';
    }
  }
  const route = Get(); // line: Greeter.greet
  route(Greeter.prototype, 'greet', Object.getOwnPropertyDescriptor(Greeter.prototype, 'greet'));
  Controller()(Greeter);
  class Root {
    configure(consumer) {
      consumer.apply(tracer, Later).forRoutes('*');
    }
  }
  Module({ controllers: [Greeter] })(Root);
  const app = await NestFactory.create(Root, { logger: false });
  await app.listen(PORT);
}

function hono() {
  const { Hono } = require('hono');
  const { serve } = require('@hono/node-server');
  const app = new Hono();
  app.use(async function tracer(context, next) {
    inTracer();
    context.env.outgoing.on('finish', inFinish);
    await next();
  });
  app.use(async function later(_, next) {
    await new Promise((resolve) => setTimeout(() => resolve(inTimer()), 1));
    await next();
    await sleep(1);
    inPromise();
  });
  app.get('/', function handler(context) {
    inHandler();
    return context.text('hello');
  });
  serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });
}

({ express, koa, fastify, nest, hono })[FRAMEWORK]();
