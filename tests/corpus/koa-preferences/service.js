// Preferences: the defaults, and what a user changed.
import Router from '@koa/router';
import Koa from 'koa';

const defaults = {
  theme: 'light',
  widgets: Array.from({ length: 150 }, (_, index) => ({
    id: index,
    place: [index % 4, index % 9],
    shown: index % 3 === 0,
  })),
};
const changes = new Map([['ann', { theme: 'dark' }]]);

function preferencesOf(user) {
  const copy = JSON.parse(JSON.stringify(defaults)); // planted: json
  return Object.assign(copy, changes.get(user));
}

const router = new Router();
router.get('/', (context) => {
  context.body = 'ok';
});
router.get('/preferences/:user', (context) => {
  const { theme, widgets } = preferencesOf(context.params.user);
  context.body = { theme, shown: widgets.filter(({ shown }) => shown).length };
});

new Koa().use(router.routes()).listen(Number(process.env.PORT), '127.0.0.1');
