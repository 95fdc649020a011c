// A counter for each name.
import Router from '@koa/router';
import Koa from 'koa';

const counts = new Map();
const router = new Router();
router.get('/', (context) => {
  context.body = 'ok';
});
router.post('/counters/:name', (context) => {
  const { name } = context.params;
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  context.body = { name, count };
});

new Koa().use(router.routes()).listen(Number(process.env.PORT), '127.0.0.1');
