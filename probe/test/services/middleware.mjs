// The services of middleware.cjs as ES modules, and one of Hono. FRAMEWORK says which.

import { serve } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';

const port = Number(process.env.PORT);
const hostname = '127.0.0.1';

const services = {
  express() {
    const app = express();
    app.use(function tracer(_, response, next) {
      response.setHeader('tracer', 'ran');
      next();
    });
    // biome-ignore format: the line of its function is that of its call.
    app.use((_, response, next) => { response.setHeader('arrow', 'ran'); next(); }); // line: arrow
    app.use(function requireLogin(_, response, next) {
      response.setHeader('login', 'ran');
      next();
    });
    app.get('/', (_, response) => response.send('hello'));
    app.listen(port);
  },
  koa() {
    const app = new Koa();
    app.use(async function tracer(context, next) {
      await next();
      context.set('tracer', 'ran');
    });
    app.use(function requireLogin(context, next) {
      context.set('login', 'ran');
      return next();
    });
    app.use(function handler(context) {
      context.body = 'hello';
    });
    app.listen(port);
  },
  fastify() {
    const app = fastify();
    app.addHook('onRequest', async function tracer(_, reply) {
      reply.header('tracer', 'ran');
    });
    app.addHook('onRequest', async function requireLogin(_, reply) {
      reply.header('login', 'ran');
    });
    app.get('/', () => 'hello');
    app.listen({ port, host: hostname });
  },
  hono() {
    const inner = new Hono();
    // biome-ignore format: the line of its function is that of its call.
    inner.use(async (context, next) => { await next(); context.header('arrow', 'ran'); }); // line: hono
    inner.get('/', (context) => context.text('hello'));
    const app = new Hono();
    app.use(async function tracer(context, next) {
      await next();
      context.header('tracer', 'ran');
    });
    app.use('/*', async function requireLogin(context, next) {
      await next();
      context.header('login', 'ran');
    });
    app.route('/', inner);
    serve({ fetch: app.fetch, port, hostname });
  },
};

services[process.env.FRAMEWORK]();
