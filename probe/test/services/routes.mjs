// A service of Hono as an ES module, whose parts are put together by `route` and `basePath`.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const say = (context) => context.text('hello');
const users = new Hono();
users.onError((_, context) => context.text('failed', 500));
users.get('/:id', say).post('/', say);
const api = new Hono().basePath('/api');
api.route('/users', users);
const app = new Hono();
app.use('*', (_, next) => next());
app.get('/', say);
app.route('/', api);
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
