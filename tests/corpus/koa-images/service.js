// Pictures of products, which never change.
import Router from '@koa/router';
import Koa from 'koa';

const picture = Buffer.alloc(40_000, 'picture');

const router = new Router();
router.get('/', (context) => {
  context.body = 'ok';
});
router.get('/pictures/:name', (context) => {
  context.type = 'image/jpeg';
  context.body = picture; // planted: no-etag
});

new Koa().use(router.routes()).listen(Number(process.env.PORT), '127.0.0.1');
