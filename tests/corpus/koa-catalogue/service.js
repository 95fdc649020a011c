// A catalogue as HTML, from a template that is compiled once.
import Router from '@koa/router';
import Handlebars from 'handlebars';
import Koa from 'koa';

const render = Handlebars.compile(
  '<ul>{{#each parts}}<li>{{this.name}}{{#if this.rare}}, rare{{/if}}</li>{{/each}}</ul>',
);
const parts = ['Anchor', 'Block', 'Cleat', 'Shackle'].map((name, index) => ({ name, rare: index === 2 }));

const router = new Router();
router.get('/', (context) => {
  context.body = 'ok';
});
router.get('/catalogue', (context) => {
  context.type = 'html';
  context.body = render({ parts });
});

new Koa().use(router.routes()).listen(Number(process.env.PORT), '127.0.0.1');
