// Letters, from a template with the name of the reader.
import Router from '@koa/router';
import Handlebars from 'handlebars';
import Koa from 'koa';

const letter = `<p>Dear {{name}},</p>
{{#each offers}}<p>{{this.title}}: {{#if this.new}}new!{{else}}still there{{/if}} {{this.text}}</p>{{/each}}
<p>Yours, {{sender}}</p>`;
const offers = [
  { title: 'Sails', text: 'in white and red', new: true },
  { title: 'Paint', text: 'for the hull', new: false },
];

const router = new Router();
router.get('/', (context) => {
  context.body = 'ok';
});
router.get('/letters/:name', (context) => {
  const { name } = context.params;
  context.body = Handlebars.compile(letter)({ name, offers, sender: 'the shop' }); // planted: module-or-template-per-request
});

new Koa().use(router.routes()).listen(Number(process.env.PORT), '127.0.0.1');
