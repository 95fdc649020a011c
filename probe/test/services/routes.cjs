// Services of several frameworks with the same routes, each registered in as many ways as the framework has. FRAMEWORK says which.
const { FRAMEWORK, PORT } = process.env;

function express() {
  const express = require('express');
  const say = (_, response) => response.send('hello');
  const app = express();
  app.use((_, __, next) => next());
  app.get('/', say);
  const users = express.Router();
  users.get('/:id', say).post('/', say);
  const api = express.Router();
  api.use('/users', users);
  app.use('/api', api);
  const admin = express();
  admin.route('/status').get(say);
  app.use('/admin', admin);
  app.all('/any', say);
  app.get(['/one', '/two'], say);
  app.get(/^\/files\/.+/, say);
  app.listen(PORT);
}

function koa() {
  const Koa = require('koa');
  const Router = require('@koa/router');
  const say = (context) => {
    context.body = 'hello';
  };
  const users = new Router().get('/:id', say).post('/', say);
  const api = new Router({ prefix: '/api' });
  api.use((_, next) => next());
  api.use('/users', users.routes());
  const root = new Router().get('/', say).get(/^\/files\/.+/, say);
  const app = new Koa();
  app.use(root.routes()).use(api.routes()).use(api.allowedMethods());
  app.listen(PORT);
}

function fastify() {
  const say = () => 'hello';
  const app = require('fastify')();
  app.get('/', say);
  app.register(
    async (api) => {
      api.register(
        async (users) => {
          users.get('/:id', say);
          users.post('/', say);
        },
        { prefix: '/users' },
      );
    },
    { prefix: '/api' },
  );
  app.route({ method: ['GET', 'PUT'], url: '/any', handler: say });
  app.listen({ port: Number(PORT), host: '127.0.0.1' });
}

async function nest() {
  require('reflect-metadata');
  const { Controller, Get, Module, Post } = require('@nestjs/common');
  const { NestFactory } = require('@nestjs/core');
  class Users {
    one() {
      return 'hello';
    }
    add() {
      return 'hello';
    }
  }
  const method = (route, name) =>
    route(Users.prototype, name, Object.getOwnPropertyDescriptor(Users.prototype, name));
  method(Get(':id'), 'one');
  method(Post(), 'add');
  Controller('users')(Users);
  class Root {}
  Module({ controllers: [Users] })(Root);
  const app = await NestFactory.create(Root, { logger: false });
  app.setGlobalPrefix('api');
  await app.listen(PORT);
}

({ express, koa, fastify, nest })[FRAMEWORK]();
